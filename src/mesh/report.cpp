#include "solidyn/mesh/report.h"

#include <fmt/format.h>

#include <limits>

#include "solidyn/mesh/check.h"
#include "solidyn/mesh/element_geometry.h"

namespace solidyn::mesh {
namespace {

void add_solids(const Mesh& mesh, const ElementBlock& block, Report& report) {
  for (std::int64_t e = 0; e < block.size(); ++e) {
    const ElementPositions x = gather_positions(mesh.x, block, e);
    const double v = volume(x), goodness = quality(x);
    report.volume += v;
    report.centroid += first_moment(x);
    report.mean_quality += goodness;
    if (goodness >= report.lowest_quality) continue;
    report.lowest_quality = goodness;
    report.worst_element = block.tags[e];
    report.worst_type = block.type;
  }
}

std::string format_point(const Eigen::Vector3d& x) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", x[0], x[1], x[2]);
}

}  // namespace

Report make_report(const Mesh& mesh) {
  Report report;
  report.n_nodes = mesh.n_nodes();
  if (report.n_nodes) {
    report.low = mesh.x.rowwise().minCoeff();
    report.high = mesh.x.rowwise().maxCoeff();
  }
  for (const auto& [name, set] : mesh.sets)
    report.sets.push_back({name, set.dimension, static_cast<std::int64_t>(set.nodes.size())});
  report.lowest_quality = std::numeric_limits<double>::infinity();
  std::int64_t n_solids = 0;
  for (const ElementBlock& block : mesh.blocks) {
    report.n_elements[block.type] = block.size();
    if (dimension(block.type) != 3) continue;
    n_solids += block.size();
    add_solids(mesh, block, report);
  }
  if (n_solids == 0) report.lowest_quality = 0.0;
  if (n_solids > 0) report.mean_quality /= static_cast<double>(n_solids);
  if (report.volume != 0.0) report.centroid /= report.volume;
  report.n_parts = count_connected_parts(mesh);
  return report;
}

std::string format(const Report& report) {
  std::string text = fmt::format("nodes      {}\n", report.n_nodes);
  for (const auto& [type, n] : report.n_elements) text += fmt::format("{:<10} {}\n", name(type), n);
  text +=
      fmt::format("box        {} to {} m\n", format_point(report.low), format_point(report.high));
  text +=
      fmt::format("volume     {:.9g} m^3, centroid {} m, {} connected part{}\n", report.volume,
                  format_point(report.centroid), report.n_parts, report.n_parts == 1 ? "" : "s");
  text += fmt::format("quality    {:.3f} lowest ({} {}), {:.3f} mean (1 is regular)\n",
                      report.lowest_quality, name(report.worst_type), report.worst_element,
                      report.mean_quality);
  for (const Report::Set& set : report.sets)
    text += fmt::format("set        {} ({} nodes, dimension {})\n", set.name, set.n_nodes,
                        set.dimension);
  return text;
}

}  // namespace solidyn::mesh
