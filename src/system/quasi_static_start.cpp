#include "solidyn/system/quasi_static_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shape_keeping_motion.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/math/dense.h"
#include "solidyn/math/rotation.h"
#include "solidyn/math/sparse_lu.h"
#include "solidyn/system/scales.h"

namespace solidyn::system {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr bodies::TangentCoefficients kStiffnessAlone{0.0, 0.0, 1.0};
constexpr int kMostShapeCorrections = 100;
// Corrections relative to the mechanism; below the second, growing again is round-off.
constexpr double kShapeFound = 1e-14, kShapeNearlyFound = 1e-9;
// Longer corrections, in lengths of the mechanism or rad, are shortened.
constexpr double kLongestCorrection = 0.2;
// Of velocities, as at every start.
constexpr double kConsistentVelocity = 1e-12;
// Up to so many velocities it is found out whether a shape is stable, from a dense matrix.
constexpr int kMostExamined = 600;
// Of the largest stiffness: one that is more negative is no round-off.
constexpr double kUnstable = 1e-10;
// Of rows of constraints that count as independent.
constexpr double kLeastHeldRow = 1e-9;
// On the diagonal of redundant multipliers, relative to G K^-1 G^T.
constexpr double kRedundantDiagonal = 1e-10;

class QuasiStaticStart {
 public:
  QuasiStaticStart(System& system, State& state, bool is_redundant)
      : system_(system),
        state_(state),
        is_redundant_(is_redundant),
        length_(characteristic_length(system)),
        weights_(increment_weights(system, length_)),
        motion_(system, length_) {
    system_.set_pattern(matrix_);
  }
  void run();
  bool is_stable();

 private:
  Eigen::SparseMatrix<double> tangent();
  double correct();
  void linearise();
  void add_spin(Eigen::SparseMatrix<double>& J);
  Eigen::SparseMatrix<double> bordered(const Eigen::SparseMatrix<double>& J) const;
  double apply(const VectorXd& x);

  System& system_;
  State& state_;
  bool is_redundant_;
  double length_;
  VectorXd weights_;
  ShapeKeepingMotion motion_;
  solvers::BlockMatrix matrix_;
  double row_scale_ = 1.0;
  VectorXd r_, phi_;
  math::SparseLu lu_;
};

void QuasiStaticStart::run() {
  system_.set_coefficients(kStiffnessAlone);
  motion_.carry_velocities(state_.clone(), state_);
  make_carried_velocities_consistent(system_, state_, kConsistentVelocity);
  double before = 0.0, size = 0.0;
  for (int i = 0; i < kMostShapeCorrections; ++i) {
    size = correct();
    if (!std::isfinite(size)) break;
    const bool is_noise = i > 0 && size >= before && size <= kShapeNearlyFound;
    if (size <= kShapeFound || is_noise) {
      system_.update(state_);
      system_.accept(state_);
      return;
    }
    before = size;
  }
  throw base::ComputationError(fmt::format(
      "no quasi-static start was found (last correction {:.3g} of the characteristic length): the bodies may rotate too fast for their stiffness, or buckle\n  start undeformed, from `statics`, or with lower velocities",
      size));
}

// One correction of Newton's method. @return its size
double QuasiStaticStart::correct() {
  const State before = state_.clone();
  system_.update(state_);
  system_.renew_tangents();
  motion_.find_accelerations(state_);
  linearise();
  const int n_v = system_.layout().n_velocities(), n_l = system_.layout().n_constraints();
  VectorXd rhs = VectorXd::Zero(n_v + n_l + motion_.free_motions().cols());
  rhs.head(n_v) = -row_scale_ * r_;
  rhs.segment(n_v, n_l) = -phi_;
  const VectorXd x = lu_.solve(rhs);
  if (!x.allFinite()) return std::nan("");
  const double size = apply(x);
  motion_.carry_velocities(before, state_);
  make_carried_velocities_consistent(system_, state_, kConsistentVelocity);
  return size;
}

void QuasiStaticStart::linearise() {
  lu_.compute(bordered(tangent()));
  if (lu_.has_failed())
    throw base::ComputationError(
        "no quasi-static start: loads and inertia forces do not determine the shape of the bodies");
}

// Of loads, bodies and inertia forces by the places of all; leaves the residual of the state.
Eigen::SparseMatrix<double> QuasiStaticStart::tangent() {
  const double stiffness = largest_stiffness(system_, length_);
  row_scale_ = stiffness > 0.0 ? 1.0 / stiffness : 1.0;
  system_.update(state_);
  system_.compute_residual(state_, r_, phi_);
  for (Eigen::Index i = 0; i < phi_.size(); ++i)
    if (system_.layout().is_velocity_level()[i]) phi_[i] = 0.0;
  System::TangentOptions options;
  options.coefficients = kStiffnessAlone;
  options.row_scale = row_scale_;
  if (is_redundant_)
    options.regularization =
        kRedundantDiagonal * system_.sparse_G().squaredNorm() / system_.layout().n_constraints();
  system_.assemble(state_, options, matrix_);
  Eigen::SparseMatrix<double> J = matrix_.sparse();
  if (state_.nodal.empty()) add_spin(J);
  return J;
}

// What constraints and free motions leave of the stiffness has to be positive. Scaled unknowns.
bool QuasiStaticStart::is_stable() {
  const int n_v = system_.layout().n_velocities();
  if (!state_.nodal.empty() || n_v > kMostExamined) return true;
  const VectorXd inverse = weights_.cwiseInverse();
  const MatrixXd K =
      inverse.asDiagonal() * MatrixXd(tangent().topLeftCorner(n_v, n_v)) * inverse.asDiagonal();
  const MatrixXd& free = motion_.free_motions();
  MatrixXd held(system_.layout().n_constraints() + free.cols(), n_v);
  held << MatrixXd(system_.sparse_G()) * inverse.asDiagonal(),
      (weights_.asDiagonal() * free).transpose();
  for (Eigen::Index i = 0; i < held.rows(); ++i) held.row(i).normalize();
  MatrixXd Z = MatrixXd::Identity(n_v, n_v);
  if (held.rows() > 0) {
    const math::PivotedQr qr(held.transpose(), kLeastHeldRow);
    Z = qr.Q(n_v).rightCols(n_v - qr.rank());
  }
  if (Z.cols() == 0) return true;
  const MatrixXd left = Z.transpose() * (K + K.transpose()) * Z;
  const VectorXd values = math::symmetric_spectrum(left).values;  // ascending
  return !(values[0] < -kUnstable * std::abs(values[values.size() - 1]));
}

// Inertia forces change as velocities and accelerations of rigid fields do with the places.
void QuasiStaticStart::add_spin(Eigen::SparseMatrix<double>& J) {
  std::vector<Eigen::Triplet<double>> once, twice;
  for (const BodyIndex b : system_.bodies()) {
    if (system_.body(b).n_rigid() == 0) continue;
    const bodies::BodyState& s = system_.kinematics().bodies[b];
    const int at = system_.layout().velocity_offset(b);
    const Matrix3d w_B = math::skew(s.w_WB_B());
    const Matrix3d W = s.R_WB * w_B * s.R_WB.transpose(), WW = W * W;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        once.emplace_back(at + i, at + j, W(i, j));
        once.emplace_back(at + 3 + i, at + 3 + j, w_B(i, j));
        twice.emplace_back(at + i, at + j, WW(i, j));
      }
  }
  const int n_v = system_.layout().n_velocities(), n = system_.layout().n_unknowns();
  const auto add = [&](const bodies::TangentCoefficients& c,
                       const std::vector<Eigen::Triplet<double>>& entries) {
    System::TangentOptions options;
    options.coefficients = c;
    options.row_scale = row_scale_;
    system_.assemble(state_, options, matrix_);
    Eigen::SparseMatrix<double> rates(n, n), derivative = matrix_.sparse();
    rates.setFromTriplets(entries.begin(), entries.end());
    derivative.prune([n_v](int row, int column, double) { return row < n_v && column < n_v; });
    J += Eigen::SparseMatrix<double>(derivative * rates);
  };
  add({0.0, 1.0, 0.0}, once);
  add({1.0, 0.0, 0.0}, twice);
}

// Free motions stay where they are: their part of a correction is zero.
Eigen::SparseMatrix<double> QuasiStaticStart::bordered(const Eigen::SparseMatrix<double>& J) const {
  const int n = system_.layout().n_unknowns();
  const MatrixXd& free = motion_.free_motions();
  const int n_free = static_cast<int>(free.cols());
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < J.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator i(J, j); i; ++i)
      entries.emplace_back(static_cast<int>(i.row()), j, i.value());
  for (int k = 0; k < n_free; ++k) {
    const VectorXd column = weights_.cwiseAbs2().cwiseProduct(free.col(k));
    const double size = column.norm();
    for (int i = 0; i < column.size(); ++i) {
      if (column[i] == 0.0) continue;
      entries.emplace_back(i, n + k, column[i] / size);
      entries.emplace_back(n + k, i, column[i] / size);
    }
  }
  Eigen::SparseMatrix<double> matrix(n + n_free, n + n_free);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

// @return the size of the correction, relative to the mechanism
double QuasiStaticStart::apply(const VectorXd& x) {
  const int n_v = system_.layout().n_velocities();
  const VectorXd small = x.head(n_v).cwiseProduct(weights_);
  double size = small.size() > 0 ? small.lpNorm<Eigen::Infinity>() : 0.0;
  std::vector<base::Vec> nodal(state_.nodal.size());
  for (std::size_t k = 0; k < nodal.size(); ++k) {
    bodies::NodalBody* body = system_.layout().nodal_bodies()[k];
    const BodyIndex b = system_.layout().body_of_nodal(static_cast<int>(k));
    PetscReal largest = 0.0;
    SOLIDYN_PETSC(VecDuplicate(state_.nodal[k].u, nodal[k].out()));
    body->recover(
        x.segment(system_.layout().velocity_offset(b) + body->n_rigid(), body->n_elastic()),
        nodal[k]);
    SOLIDYN_PETSC(VecNorm(nodal[k], NORM_INFINITY, &largest));
    size = std::isfinite(largest) ? std::max(size, largest / length_) : largest;
  }
  const double fraction = size > kLongestCorrection ? kLongestCorrection / size : 1.0;
  VectorXd q;
  system_.advance(state_.q, fraction * x.head(n_v), q);
  state_.q = q;
  state_.lambda += fraction / row_scale_ * x.segment(n_v, system_.layout().n_constraints());
  for (std::size_t k = 0; k < nodal.size(); ++k)
    SOLIDYN_PETSC(VecAXPY(state_.nodal[k].u, fraction, nodal[k]));
  return size;
}

}  // namespace

bool has_flexible_bodies(const System& system) {
  bool has = !system.connectivity().rigid_groups().empty();
  for (const BodyIndex b : system.bodies()) has |= system.body(b).n_elastic() > 0;
  return has;
}

MatrixXd shape_keeping_motions(System& system, const State& state) {
  State other = state.clone();
  ShapeKeepingMotion motion(system, characteristic_length(system));
  motion.find_accelerations(other);
  return motion.free_motions();
}

bool deform_quasi_statically(System& system, State& state, const Redundancy& redundancy) {
  if (!has_flexible_bodies(system)) {
    base::log_warning("start.elastic has no effect: no body is flexible");
    return true;
  }
  QuasiStaticStart start(system, state, !redundancy.rows.empty());
  start.run();
  const bool is_stable = start.is_stable();
  system.set_coefficients({1.0, 0.0, 0.0});
  return is_stable;
}

}  // namespace solidyn::system
