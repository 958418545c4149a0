#include "report/drawn_body.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace solidyn::report {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::MatrixXf;

constexpr double kOfDeflection = 1.0 / 200.0, kOfStress = 1.0 / 500.0;
constexpr Index kSamples = 400;
constexpr double kMostSteps = 32766.0;           // of a 16-bit integer
constexpr double kMostLongSteps = 2147483000.0;  // of one of 32 bits

// Of a field sum_k q_k F_k on nodes, with F_k of `n` components.
struct Field {
  const std::function<MatrixXf(int k)>& shape;
  const MatrixXd& q;
  int n;
  Index n_nodes;
};

struct Extent {
  Eigen::VectorXd of_shape;  // the largest column norm of each F_k
  Eigen::VectorXd of_entry;  // the largest |entry| of each
  double largest = 0.0;      // norm of the field, at samples of the nodes, over all pictures
};

Extent extent_of(const Field& field) {
  const Index K = field.q.rows();
  Extent extent{Eigen::VectorXd::Zero(K), Eigen::VectorXd::Zero(K)};
  const Index stride = std::max<Index>(1, field.n_nodes / kSamples);
  const Index n_samples = field.n_nodes > 0 ? (field.n_nodes - 1) / stride + 1 : 0;
  MatrixXd sampled(field.n * n_samples, K);
  for (Index k = 0; k < K; ++k) {
    const MatrixXf F = field.shape(static_cast<int>(k));
    extent.of_shape[k] = F.size() > 0 ? F.colwise().norm().maxCoeff() : 0.0;
    extent.of_entry[k] = F.size() > 0 ? F.cwiseAbs().maxCoeff() : 0.0;
    for (Index s = 0; s < n_samples; ++s)
      sampled.block(field.n * s, k, field.n, 1) = F.col(s * stride).cast<double>();
  }
  constexpr Index kPicturesAtOnce = 256;
  for (Index t = 0; t < field.q.cols(); t += kPicturesAtOnce) {
    const MatrixXd values =
        sampled * field.q.middleCols(t, std::min(kPicturesAtOnce, field.q.cols() - t));
    for (Index s = 0; s < n_samples; ++s)
      extent.largest = std::max(
          extent.largest, values.middleRows(field.n * s, field.n).colwise().norm().maxCoeff());
  }
  return extent;
}

// Which shapes are kept, in what steps, and by how much the sum may be off for it.
struct Choice {
  std::vector<int> kept;
  std::vector<double> steps;
  double bound = 0.0;
};

Choice choose(const Field& field, const Extent& extent, double tolerance) {
  const Index K = field.q.rows();
  const Eigen::VectorXd amplitude = field.q.cols() > 0
                                        ? field.q.cwiseAbs().rowwise().maxCoeff().eval()
                                        : Eigen::VectorXd::Zero(K);
  const Eigen::VectorXd share = amplitude.cwiseProduct(extent.of_shape);
  std::vector<int> order(K);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return share[a] < share[b]; });
  Choice choice;
  std::size_t first = 0;
  for (; first < order.size() && choice.bound + share[order[first]] <= 0.5 * tolerance; ++first)
    choice.bound += share[order[first]];
  choice.kept.assign(order.begin() + static_cast<std::ptrdiff_t>(first), order.end());
  std::sort(choice.kept.begin(), choice.kept.end());
  const double of_vector = 0.5 * std::sqrt(static_cast<double>(field.n));  // per step
  for (const int k : choice.kept) {
    const double wanted =
        0.5 * tolerance / static_cast<double>(choice.kept.size()) / (of_vector * amplitude[k]);
    choice.steps.push_back(std::max(wanted, extent.of_entry[k] / kMostSteps));
    choice.bound += of_vector * choice.steps.back() * amplitude[k];
  }
  return choice;
}

Json pack_shapes(const Field& field, const Choice& choice, const std::vector<int>& place_of,
                 const DrawnSurface& drawn, Blob& blob) {
  Json shapes = Json::array();
  for (std::size_t i = 0; i < choice.kept.size(); ++i)
    shapes.push_back({{"array", blob.add_steps(at_vertices(field.shape(choice.kept[i]), drawn),
                                               choice.steps[i])},
                      {"coordinate", place_of[choice.kept[i]]}});
  return shapes;
}

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

}  // namespace

DrawnBody pack_body(const BodyMotion& motion, double tolerance, Blob& blob) {
  const DrawnSurface drawn = draw_surface(motion.surface);
  const Index n_nodes = motion.surface.positions.cols(), K = motion.coordinates.rows();
  const std::function<MatrixXf(int)> displacement = [&](int k) -> MatrixXf {
    return motion.shape(k);
  };
  const Field moves{displacement, motion.coordinates, 3, n_nodes};
  const Extent extent = extent_of(moves);
  const Choice shapes =
      choose(moves, extent, std::min(0.5 * tolerance, kOfDeflection * extent.largest));

  const bool has_stress = static_cast<bool>(motion.stress_shape);
  const Field stresses{motion.stress_shape, motion.coordinates, 6, n_nodes};
  Choice of_stress;
  if (has_stress) {
    const Extent sigma = extent_of(stresses);
    of_stress = choose(stresses, sigma, kOfStress * sigma.largest);
  }
  std::vector<int> place_of(K, -1), kept;
  for (const Choice* choice : {&shapes, static_cast<const Choice*>(&of_stress)})
    for (const int k : choice->kept) place_of[k] = 0;
  for (int k = 0; k < K; ++k)
    if (place_of[k] == 0) {
      place_of[k] = static_cast<int>(kept.size());
      kept.push_back(k);
    }

  DrawnBody body;
  constexpr double kOfVector = 0.5 * 1.7320508075688772;  // of a step, the error of a position
  const double farthest =
      motion.surface.positions.size() > 0 ? motion.surface.positions.cwiseAbs().maxCoeff() : 0.0;
  const double step = std::max(0.25 * tolerance / kOfVector, farthest / kMostLongSteps);
  body.mesh = pack_surface(motion.surface, drawn, step, blob);
  body.mesh["shapes"] = pack_shapes(moves, shapes, place_of, drawn, blob);
  if (has_stress)
    body.mesh["stress"] = {{"components", {"xx", "yy", "zz", "yz", "zx", "xy"}},
                           {"unit", "Pa"},
                           {"shapes", pack_shapes(stresses, of_stress, place_of, drawn, blob)}};
  body.coordinates.resize(static_cast<Index>(kept.size()), motion.coordinates.cols());
  for (std::size_t i = 0; i < kept.size(); ++i)
    body.coordinates.row(static_cast<Index>(i)) = motion.coordinates.row(kept[i]);
  const double of_floats = farthest * std::numeric_limits<float>::epsilon();
  body.bound = kOfVector * (step + of_floats) + shapes.bound;
  body.is_simplified = drawn.is_simplified;
  return body;
}

}  // namespace solidyn::report
