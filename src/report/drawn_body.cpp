#include "report/drawn_body.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/shape_choice.h"

namespace solidyn::report {
namespace {

using Eigen::Index;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;

constexpr double kOfDeflection = 1.0 / 200.0, kOfStress = 1.0 / 500.0, kOfSpeed = 1.0 / 500.0;
constexpr double kMostLongSteps = 2147483000.0;         // of an integer of 32 bits
constexpr double kOfVector = 0.5 * 1.7320508075688772;  // of a step, the error of a vector

Json pack_surface(const results::StoredSurface& surface, const DrawnSurface& drawn, double step,
                  Blob& blob) {
  std::vector<std::int32_t> tags;
  for (const std::int32_t node : drawn.nodes)
    tags.push_back(static_cast<std::int32_t>(surface.tags[node]));
  Json mesh = {{"positions", blob.add_steps(at_vertices(surface.positions, drawn), step)},
               {"triangles", blob.add_indices(drawn.triangles, 3)},
               {"element_edges", blob.add_indices(drawn.element_edges, 2)},
               {"feature_edges", blob.add_indices(drawn.feature_edges, 2)},
               {"nodes", blob.add_integers(tags)}};
  if (!drawn.simple.empty()) mesh["simple"] = {{"triangles", blob.add_indices(drawn.simple, 3)}};
  return mesh;
}

// New numbers of those coordinates that a kept shape has.
class KeptCoordinates {
 public:
  explicit KeptCoordinates(Index n) : place_of_(n, -1) {}
  void add(const ShapeField& field, const Choice& choice) {
    for (const int k : choice.kept) place_of_[field.first + k] = 0;
  }
  void number() {
    for (std::size_t k = 0; k < place_of_.size(); ++k)
      if (place_of_[k] == 0) {
        place_of_[k] = static_cast<int>(kept_.size());
        kept_.push_back(static_cast<int>(k));
      }
  }
  int place_of(const ShapeField& field, int k) const { return place_of_[field.first + k]; }
  MatrixXd rows_of(const MatrixXd& all) const { return all(kept_, Eigen::all); }

 private:
  std::vector<int> place_of_, kept_;
};

Json pack_shapes(const ShapeField& field, const Choice& choice, const KeptCoordinates& kept,
                 const DrawnSurface& drawn, Blob& blob) {
  Json shapes = Json::array();
  for (std::size_t i = 0; i < choice.kept.size(); ++i)
    shapes.push_back({{"array", blob.add_steps(at_vertices(field.shape(choice.kept[i]), drawn),
                                               choice.steps[i])},
                      {"coordinate", kept.place_of(field, choice.kept[i])}});
  return shapes;
}

double largest_column(const MatrixXd& columns) {
  return columns.size() > 0 ? columns.colwise().norm().maxCoeff() : 0.0;
}

// In steps that leave vectors true to `error`.
int pack_vectors(const Matrix3Xd& vectors, double error, Blob& blob) {
  const double largest = vectors.size() > 0 ? vectors.cwiseAbs().maxCoeff() : 0.0;
  const double step = std::max(error / kOfVector, largest / kMostLongSteps);
  return blob.add_steps(vectors.cast<float>(), step > 0.0 ? step : 1.0);
}

}  // namespace

DrawnBody pack_velocities(const Matrix3Xd& v, const Matrix3Xd& w, double reach, Blob& blob) {
  DrawnBody body;
  const double spin = largest_column(w);
  const double error = 0.25 * kOfSpeed * (largest_column(v) + reach * spin);
  const double of_spin = reach > 0.0 ? error / reach : kOfSpeed * spin;
  body.velocity["velocity"] = pack_vectors(v, error, blob);
  body.velocity["angular_velocity"] = pack_vectors(w, of_spin, blob);
  body.velocity_bound = error + of_spin * reach;
  return body;
}

DrawnBody pack_body(const BodyMotion& motion, double tolerance, Blob& blob) {
  const DrawnSurface drawn = draw_surface(motion.surface);
  const auto of = [&](const MatrixXd& all, const ShapeField& field) {
    return all.size() > 0 ? MatrixXd(all.middleRows(field.first, field.n)) : MatrixXd(field.n, 0);
  };
  const double farthest = motion.surface.positions.size() > 0
                              ? motion.surface.positions.colwise().norm().maxCoeff()
                              : 0.0;
  const MatrixXd q = of(motion.coordinates, motion.displacement);
  const MatrixXd rates = of(motion.rates, motion.displacement);
  const Extent extent = extent_of(motion.displacement, motion.surface.positions.cols());
  const double deflection = extent.largest(q);
  const double reach = farthest + deflection;

  DrawnBody body;
  const bool has_velocity = motion.v.size() > 0;
  if (has_velocity) body = pack_velocities(motion.v, motion.w, reach, blob);
  const double speed =
      largest_column(motion.v) + reach * largest_column(motion.w) + extent.largest(rates);
  const Choice shapes = choose(extent, {{q, std::min(0.5 * tolerance, kOfDeflection * deflection)},
                                        {rates, 0.5 * kOfSpeed * speed}});
  KeptCoordinates kept(motion.coordinates.rows());
  kept.add(motion.displacement, shapes);
  Choice of_velocity, of_stress;
  if (motion.velocity.shape) {
    const Extent field = extent_of(motion.velocity, motion.surface.positions.cols());
    of_velocity =
        choose(field, {{of(motion.coordinates, motion.velocity), 0.5 * kOfSpeed * speed}});
    kept.add(motion.velocity, of_velocity);
  }
  if (motion.stress.shape) {
    const Extent field = extent_of(motion.stress, motion.surface.positions.cols());
    const MatrixXd factors = of(motion.coordinates, motion.stress);
    of_stress = choose(field, {{factors, kOfStress * field.largest(factors)}});
    kept.add(motion.stress, of_stress);
  }
  kept.number();

  const double step =
      std::max(0.25 * tolerance / kOfVector,
               (motion.surface.positions.size() > 0
                    ? static_cast<double>(motion.surface.positions.cwiseAbs().maxCoeff())
                    : 0.0) /
                   kMostLongSteps);
  body.mesh = pack_surface(motion.surface, drawn, step, blob);
  body.mesh["shapes"] = pack_shapes(motion.displacement, shapes, kept, drawn, blob);
  if (motion.velocity.shape)
    body.mesh["velocity"] = {
        {"shapes", pack_shapes(motion.velocity, of_velocity, kept, drawn, blob)}};
  if (motion.stress.shape)
    body.mesh["stress"] = {{"components", {"xx", "yy", "zz", "yz", "zx", "xy"}},
                           {"unit", "Pa"},
                           {"bound", of_stress.bounds[0] + motion.stress.residual},
                           {"shapes", pack_shapes(motion.stress, of_stress, kept, drawn, blob)}};
  body.coordinates = kept.rows_of(motion.coordinates);
  if (has_velocity && motion.rates.size() > 0)
    body.velocity["rates"] = blob.add_floats(kept.rows_of(motion.rates));
  body.bound = kOfVector * step + 2.0 * kSingle * (farthest + deflection) + shapes.bounds[0] +
               motion.displacement.residual;
  body.velocity_bound += shapes.bounds[1] + (motion.velocity.shape ? of_velocity.bounds[0] : 0.0) +
                         motion.velocity.residual + body.bound * largest_column(motion.w) +
                         4.0 * kSingle * speed;
  body.is_simplified = drawn.is_simplified;
  return body;
}

}  // namespace solidyn::report
