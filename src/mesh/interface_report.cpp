#include "solidyn/mesh/interface_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "solidyn/base/log.h"
#include "solidyn/math/dense.h"
#include "solidyn/mesh/interface.h"

namespace solidyn::mesh {
namespace {

// Of a body with more interfaces than this, only so many are listed.
constexpr std::size_t kMostLines = 12, kShownOfMany = 4;

// "160 rbe2, 2 rbe3"
std::string kinds(const std::map<std::string, int>& counts) {
  std::string text;
  for (const auto& [kind, n] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, kind);
  return text;
}

using Eigen::Vector3d;

// Breadth of a region over its length below which its rotation about the long axis is doubtful.
constexpr double kSlender = 0.02;

const char* name_of(Attachment attach) {
  switch (attach) {
    case Attachment::three_nodes:
      return "three_nodes";
    case Attachment::rbe3:
      return "rbe3";
    case Attachment::rbe2:
      return "rbe2";
    case Attachment::virtual_body:
      return "virtual_body";
    case Attachment::node:
      return "node";
  }
  return "";
}

std::string millimetres(const Vector3d& v) {
  return fmt::format("{:.4g} x {:.4g} x {:.4g} mm", 1e3 * v.x(), 1e3 * v.y(), 1e3 * v.z());
}

std::string at(const Vector3d& p) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g}) m", p.x(), p.y(), p.z());
}

bool is_region(const InterfaceReport& r) { return r.attach == "rbe2" || r.attach == "rbe3"; }

}  // namespace

InterfaceReport make_interface_report(const InterfaceDefinition& definition,
                                      const Interface& interface,
                                      const std::vector<std::int64_t>& tags) {
  InterfaceReport r;
  r.name = interface.name;
  r.attach = name_of(interface.attach);
  const Eigen::Matrix3Xd& x = interface.x_nodes;
  r.n_nodes = x.cols();
  r.tags.assign(tags.begin(),
                tags.begin() + std::min<std::int64_t>(InterfaceReport::kShownTags, r.n_nodes));
  r.origin = interface.x_B;
  r.centre = x.rowwise().mean();
  r.low = x.rowwise().minCoeff();
  r.high = x.rowwise().maxCoeff();
  const Eigen::Matrix3Xd arms = x.colwise() - r.centre;
  const Eigen::Matrix3d squares = arms * arms.transpose() / static_cast<double>(r.n_nodes);
  r.spread = math::symmetric_eigenvalues(squares).reverse().cwiseMax(0.0).cwiseSqrt();
  if (const auto* near = std::get_if<NodesNear>(&definition.nodes))
    r.off_point = (x.colwise() - near->point).colwise().norm().minCoeff();
  return r;
}

std::string describe(const InterfaceReport& r) {
  std::string text = fmt::format("interface {}: {} of {} nodes", r.name, r.attach, r.n_nodes);
  if (r.n_nodes <= InterfaceReport::kShownTags)
    text += fmt::format(" ({})", fmt::join(r.tags, ", "));
  text += fmt::format(" in {}, frame at {}", millimetres(r.high - r.low), at(r.origin));
  if (is_region(r))
    text += fmt::format(", {:.3g} mm from their centroid", 1e3 * (r.origin - r.centre).norm());
  if (r.off_point >= 0.0)
    text += fmt::format(", nearest node {:.3g} mm from the point", 1e3 * r.off_point);
  return text;
}

std::vector<std::string> find_doubts(const InterfaceReport& r) {
  std::vector<std::string> doubts;
  const double size = r.spread.norm();
  if (r.spread[1] < kSlender * r.spread[0])
    doubts.push_back(fmt::format(
        "its {} nodes are almost collinear ({:.3g} mm wide, {:.3g} mm long), so that the rotation about their line is ill-defined; select a region that spans a plane",
        r.n_nodes, 1e3 * r.spread[1], 1e3 * r.spread[0]));
  const double aside = (r.origin - r.centre).norm();
  if (is_region(r) && aside > 3.0 * size)
    doubts.push_back(fmt::format(
        "its frame at {} is {:.3g} mm away from its nodes, which extend over {:.3g} mm: all of them are on one side; enlarge the radius, or select the nodes around the whole bore by a cylinder or a set",
        at(r.origin), 1e3 * aside, 1e3 * size));
  if (!is_region(r) && r.off_point > 2.0 * size)
    doubts.push_back(fmt::format(
        "the nearest node is {:.3g} mm from the given point, and its nodes extend over {:.3g} mm: the point may be in a hole, or in another unit of length; move it onto the body, or attach a region by rbe3",
        1e3 * r.off_point, 1e3 * size));
  return doubts;
}

void log_interfaces(const std::string& body, const std::vector<InterfaceReport>& reports) {
  const std::size_t n_shown = reports.size() > kMostLines ? kShownOfMany : reports.size();
  std::map<std::string, int> others;  // by their kind of attachment
  std::size_t n_doubts = 0;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const InterfaceReport& report = reports[i];
    if (i < n_shown) {
      base::log_info("body {}: {}", body, describe(report));
    } else {
      base::log_debug("body {}: {}", body, describe(report));
      ++others[report.attach];
    }
    for (const std::string& doubt : find_doubts(report))
      if (++n_doubts <= kMostLines)
        base::log_warning("body {}, interface {}: {}", body, report.name, doubt);
  }
  if (!others.empty())
    base::log_info("body {}: {} more interfaces: {}", body, reports.size() - n_shown,
                   kinds(others));
  if (n_doubts > kMostLines)
    base::log_warning("body {}: {} more warnings of this kind about its interfaces", body,
                      n_doubts - kMostLines);
}

}  // namespace solidyn::mesh
