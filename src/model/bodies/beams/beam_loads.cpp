#include "model/bodies/beams/beam_loads.h"

#include <algorithm>

namespace solidyn::model {
namespace {

using Piece = beams::BeamLoad::Piece;

// Of the element's length: shorter pieces are left out.
constexpr double kShort = 1e-12;

int node_of(const std::string& point, const BeamDescription& beam, const BeamLine& line) {
  const auto found = std::find_if(beam.points.begin(), beam.points.end(),
                                  [&](const BeamPoint& p) { return p.name == point; });
  return line.node_of_point[found - beam.points.begin()];
}

// The part of an element that is between two fractions of the loaded length, with the factors
// there. @param start, end of the element, as fractions
void add_piece(const Eigen::Vector2d& a, const Eigen::Vector2d& b, double start, double end,
               std::vector<Piece>& pieces) {
  const double from = std::max(a[0], start), to = std::min(b[0], end), length = end - start;
  if (to - from <= kShort * length) return;
  const auto factor = [&](double x) { return a[1] + (x - a[0]) / (b[0] - a[0]) * (b[1] - a[1]); };
  pieces.push_back({(from - start) / length, (to - start) / length, factor(from), factor(to)});
}

std::vector<bodies::LineLoad::Part> parts_on_all(int n_elements) {
  std::vector<bodies::LineLoad::Part> parts;
  for (int e = 0; e < n_elements; ++e) parts.push_back({e, {{0.0, 1.0, 1.0, 1.0}}});
  return parts;
}

std::vector<bodies::LineLoad::Part> parts_on_line(const LoadDescription& load,
                                                  const BeamDescription& beam,
                                                  const BeamLine& line) {
  const bool is_whole = load.between[0].empty();
  const int first = is_whole ? 0 : node_of(load.between[0], beam, line);
  const int last =
      is_whole ? static_cast<int>(line.lengths.size()) : node_of(load.between[1], beam, line);
  std::vector<Eigen::Vector2d> factors = load.factors;
  if (factors.empty()) factors = {{0.0, 1.0}, {1.0, 1.0}};
  double whole = 0.0, at = 0.0;
  for (int e = first; e < last; ++e) whole += line.lengths[e];
  std::vector<bodies::LineLoad::Part> parts;
  for (int e = first; e < last; ++e) {
    const double start = at / whole, end = (at + line.lengths[e]) / whole;
    bodies::LineLoad::Part part{e, {}};
    for (std::size_t k = 1; k < factors.size(); ++k)
      add_piece(factors[k - 1], factors[k], start, end, part.pieces);
    parts.push_back(std::move(part));
    at += line.lengths[e];
  }
  return parts;
}

}  // namespace

void add_line_loads(const ModelDescription& model, const BodyDescription& body,
                    const BeamLine* line, bodies::BeamBody& beam) {
  using Axes = beams::BeamLoad::Axes;
  for (const LoadDescription& load : model.loads) {
    if (load.type != LoadType::distributed || load.body != body.name) continue;
    beam.add_load({load.name, load.follows_body ? Axes::section : Axes::world, load.force,
                   load.torque,
                   line ? parts_on_line(load, body.beam, *line) : parts_on_all(beam.n_elements())});
  }
}

}  // namespace solidyn::model
