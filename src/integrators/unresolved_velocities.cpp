#include "integrators/unresolved_velocities.h"

#include "solidyn/forces/visit_parts.h"
#include "solidyn/math/sparse_lu.h"
#include "solidyn/solvers/block_matrix.h"

namespace solidyn::integrators {
namespace {

using Eigen::VectorXd;
using system::State;
using system::System;
using SparseMatrix = Eigen::SparseMatrix<double>;

constexpr int kTermsOfVelocity = 3;
// Velocities are dropped where one of them decays so fast that each further term leaves more than
// this of it, c1 h D over M + c1 h D. So many terms leave the fastest alone.
constexpr double kOverdamped = 0.2;
constexpr int kTermsLookedAt = 12;

// The saddle-point matrix with these coefficients.
SparseMatrix assembled(System& system, const State& s,
                       const bodies::TangentCoefficients& coefficients, double regularization) {
  System::TangentOptions options;
  options.coefficients = coefficients;
  options.regularization = regularization;
  solvers::BlockMatrix matrix;
  system.set_pattern(matrix);
  system.assemble(s, options, matrix);
  return matrix.sparse();
}

bool depends_on_velocities(const System& system, const forces::Force& force, double t) {
  int n = 0;
  for (const bodies::BodyIndex body : force.bodies()) n += system.body(body).n_velocities();
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(n, n), unused = D;
  force.add_tangent(system.kinematics(), t, {0.0, 1.0, 0.0}, D, unused);
  return !D.isZero(0.0);
}

}  // namespace

bool may_dissipate(const System& system, double t) {
  const system::Connectivity& connectivity = system.connectivity();
  if (!connectivity.element_bodies().empty() || !connectivity.superelements().empty()) return true;
  for (const bodies::BodyIndex b : system.bodies())
    if (system.body(b).n_elastic() > 0) return true;
  bool is_found = false;
  const auto look = [&](const forces::Force& force) {
    is_found = is_found || depends_on_velocities(system, force, t);
  };
  for (const forces::ForceIndex i : system.forces()) forces::visit_parts(system.force(i), look);
  return is_found;
}

VectorXd unresolved_velocities(System& system, const State& s, const IncrementFactors& c,
                               const VectorXd& weights, double regularization) {
  const int n_v = system.layout().n_velocities();
  if (s.v.isZero(0.0) && s.a.isZero(0.0)) return {};
  system.update(s);
  if (!may_dissipate(system, s.t)) return {};
  VectorXd r, phi;
  system.compute_residual(s, r, phi);  // G
  solvers::BlockMatrix dissipation;
  system.set_pattern(dissipation);
  system.assemble_dissipation(s, dissipation);
  const SparseMatrix D = dissipation.sparse();
  if (D.norm() == 0.0) return {};
  const double c1_h = c.velocity / c.acceleration;
  const auto matrix = [&](const bodies::TangentCoefficients& coefficients) {
    return assembled(system, s, coefficients, regularization);
  };
  const SparseMatrix M = matrix({1.0, 0.0, 0.0}), S = M + c1_h * D;
  const math::SparseLu of_dampers(S), of_all(matrix({1.0, c1_h, 1.0 / c.acceleration}));
  if (of_dampers.has_failed() || of_all.has_failed()) return {};
  const auto extended = [&](const VectorXd& head) {
    VectorXd x = VectorXd::Zero(system.layout().n_unknowns());
    x.head(n_v) = head;
    return x;
  };
  // What constraints prescribe of the velocities is in the first solution, and kept.
  const auto leave = [&](const VectorXd& v) {
    return VectorXd(v - of_dampers.solve(M * extended(v)).head(n_v));
  };
  const auto move = [&](const VectorXd& f) {
    return VectorXd(c1_h * of_all.solve(extended(f)).head(n_v));
  };
  const auto damping_force = [&](const VectorXd& v) {
    return VectorXd((D * extended(v)).head(n_v));
  };
  const auto size_of = [&](const VectorXd& v) {
    return v.cwiseProduct(weights).lpNorm<Eigen::Infinity>();
  };
  VectorXd decaying = s.v, driven = (M * extended(s.a)).head(n_v) + damping_force(s.v), dropped;
  double size = 0.0, before = 0.0;
  for (int i = 0; i < kTermsLookedAt; ++i) {
    decaying = leave(decaying);
    driven = move(i == 0 ? driven : damping_force(driven));
    before = size;
    size = std::max(size_of(decaying), size_of(driven));
    if (i + 1 == kTermsOfVelocity) dropped = decaying - driven;
  }
  return size > kOverdamped * before && dropped.allFinite() ? dropped : VectorXd();
}

}  // namespace solidyn::integrators
