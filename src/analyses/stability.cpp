#include "stability.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <cmath>
#include <optional>

#include "solidyn/base/error.h"
#include "solidyn/base/resource_error.h"
#include "static_tangent.h"

namespace solidyn::analyses {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Rows of G whose part orthogonal to the others is smaller depend on them, as find_redundancy().
constexpr double kDependent = 1e-9;
// A stiffness counts as zero below this part of the largest one: round-off of the eigenvalues ...
constexpr double kRoundOff = 1e-13;
// ... or of what the forces of constraints make: the equilibrium is known to such a part.
constexpr double kOfForces = 1e-6;
constexpr double kSymmetric = 1e-9;

// Orthonormal columns: the motions that the constraints G (scaled) allow.
MatrixXd allowed_motions(const MatrixXd& G) {
  const Eigen::Index n = G.cols();
  if (G.rows() == 0) return MatrixXd::Identity(n, n);
  VectorXd norms = G.rowwise().norm();
  for (double& norm : norms)
    if (norm == 0.0) norm = 1.0;
  Eigen::ColPivHouseholderQR<MatrixXd> qr((norms.cwiseInverse().asDiagonal() * G).transpose());
  qr.setThreshold(kDependent);
  return MatrixXd(qr.householderQ()).rightCols(n - qr.rank());
}

struct Least {
  double value = 0.0;
  VectorXd vector;
};

Least least_eigenvalue(const MatrixXd& K) {
  if ((K - K.transpose()).norm() <= kSymmetric * K.norm()) {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(0.5 * (K + K.transpose()));
    return {solver.eigenvalues()[0], solver.eigenvectors().col(0)};
  }
  const Eigen::EigenSolver<MatrixXd> solver(K);
  Eigen::Index least = 0;
  const double value = solver.eigenvalues().real().minCoeff(&least);
  return {value, solver.eigenvectors().col(least).real().normalized()};
}

// Of constraints on a coordinate, N.
double largest_force(const MatrixXd& G, const VectorXd& lambda) {
  const VectorXd forces = G.transpose() * lambda;
  return forces.size() > 0 ? forces.lpNorm<Eigen::Infinity>() : 0.0;
}

// Of full-mesh bodies, beyond what the small matrix shows.
std::optional<int> hidden_negatives(const system::System& system) {
  int sum = 0;
  for (const bodies::NodalBody* body : system.nodal_bodies()) {
    const std::optional<int> n = body->n_hidden_negatives();
    if (!n) return {};
    sum += *n;
  }
  return sum;
}

}  // namespace

Stability examine_stability(system::System& system, const system::State& state) {
  Stability result;
  const int n_v = system.n_velocities(), n_l = system.n_constraints();
  if (n_v == 0 || n_v + n_l > kLargestDenseTangent) return result;
  StaticTangent tangent;
  try {
    tangent = compute_static_tangent(system, state);
  } catch (const base::ResourceError&) {
    throw;
  } catch (const base::ComputationError&) {
    return result;
  }
  const std::optional<int> hidden = hidden_negatives(system);
  if (!tangent.matrix.allFinite() || !hidden) return result;
  const MatrixXd G = tangent.matrix.bottomLeftCorner(n_l, n_v);
  const MatrixXd Z = allowed_motions(G);
  result.kind = *hidden > 0 ? Stability::Kind::unstable : Stability::Kind::stable;
  if (*hidden > 0) result.description = "a full-mesh body deforms by itself";
  if (Z.cols() == 0) return result;
  const MatrixXd K = Z.transpose() * tangent.matrix.topLeftCorner(n_v, n_v) * Z;
  const Least least = least_eigenvalue(K);
  const VectorXd lambda = state.lambda.cwiseQuotient(tangent.scale.tail(n_l));
  const double zero = kRoundOff * tangent.matrix.topLeftCorner(n_v, n_v).norm() +
                      kOfForces * largest_force(G, lambda) / tangent.length;
  result.stiffness = least.value;
  result.motion = (Z * least.vector).cwiseProduct(tangent.scale.head(n_v));
  result.motion /= result.motion.cwiseProduct(system.increment_weights(tangent.length))
                       .lpNorm<Eigen::Infinity>();
  if (least.value > zero || *hidden > 0) return result;
  result.kind = least.value < -zero ? Stability::Kind::unstable : Stability::Kind::neutral;
  result.description = describe_motion(
      system, state, result.motion,
      result.kind == Stability::Kind::unstable ? "moves off by itself" : "can move freely");
  return result;
}

}  // namespace solidyn::analyses
