#include "shape_keeping_motion.h"

#include <fmt/format.h>

#include "mobility.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/math/dense.h"
#include "solidyn/system/rigid_part.h"
#include "solidyn/system/scales.h"
#include "violation.h"

namespace solidyn::system {
namespace {

using Eigen::MatrixXd;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Vector6 = Eigen::Matrix<double, 6, 1>;

// Below the singular values of rows that count as independent.
constexpr double kLeastRow = 1e-9;
// Motions in which flexible bodies keep their shape; their constraints are orthogonalised densely.
constexpr int kMostMotions = 3000;

Quaterniond orientation_in(const VectorXd& q, int at) {
  return {q[at + 3], q[at + 4], q[at + 5], q[at + 6]};
}

// Columns of `directions` that move something.
std::vector<int> moving_columns(const SparseMatrix& directions) {
  std::vector<int> columns;
  for (int j = 0; j < directions.outerSize(); ++j)
    if (SparseMatrix::InnerIterator(directions, j)) columns.push_back(j);
  if (static_cast<int>(columns.size()) > kMostMotions)
    throw base::ComputationError(fmt::format(
        "a quasi-static start is limited to mechanisms of {} rigid coordinates, but this one has {}\n  start from `statics`, or undeformed",
        kMostMotions, columns.size()));
  return columns;
}

// Orthonormal columns that span what the rows leave free.
MatrixXd null_space(const MatrixXd& rows) {
  const Eigen::Index n = rows.cols();
  if (rows.rows() == 0 || n == 0) return MatrixXd::Identity(n, n);
  const math::PivotedQr qr(rows.transpose(), kLeastRow);
  return qr.Q(n).rightCols(n - qr.rank());
}

}  // namespace

void ShapeKeepingMotion::carry_velocities(const State& before, State& state) const {
  for (const BodyIndex b : system_.bodies()) {
    const bodies::Body& body = system_.body(b);
    const int q = system_.layout().configuration_offset(b), v = system_.layout().velocity_offset(b);
    if (system_.layout().nodal_of_body(b) < 0)
      state.v.segment(v + body.n_rigid(), body.n_elastic()).setZero();
    if (body.n_rigid() == 0) continue;
    const Vector3d w_W = orientation_in(before.q, q) * Vector3d(before.v.segment<3>(v + 3));
    const Vector3d moved = state.q.segment<3>(q) - before.q.segment<3>(q);
    state.v.segment<3>(v) = before.v.segment<3>(v) + w_W.cross(moved);
    state.v.segment<3>(v + 3) = orientation_in(state.q, q).conjugate() * w_W;
  }
  for (std::size_t k = 0; k < state.nodal.size(); ++k) {
    const bodies::NodalBody& body = *system_.layout().nodal_bodies()[k];
    bodies::NodalState& n = state.nodal[k];
    const Vector6 twist =
        body.n_rigid() > 0 ? Vector6::Zero() : Vector6(twist_of(system_, before, k));
    if (body.n_rigid() == 0 && twist.isZero(0.0)) continue;
    SOLIDYN_PETSC(VecZeroEntries(n.du));
    if (body.n_rigid() == 0) body.add_rigid_velocity(twist, n);
    const BodyIndex b = system_.layout().body_of_nodal(static_cast<int>(k));
    state.v.segment(system_.layout().velocity_offset(b) + body.n_rigid(), body.n_elastic()) =
        body.ports_of(n.du);
  }
}

void ShapeKeepingMotion::set_centripetal(State& state) const {
  state.a.setZero();
  const auto& bodies = system_.kinematics().bodies;
  for (const RigidGroup& group : system_.connectivity().rigid_groups()) {
    const bodies::BodyState& first = bodies[group.bodies.front()];
    const Vector3d w_W = first.R_WB * first.w_WB_B();
    for (const BodyIndex b : group.bodies)
      state.a.segment<3>(system_.layout().velocity_offset(b)) =
          w_W.cross(w_W.cross(Vector3d(bodies[b].p_WB - first.p_WB)));
  }
  for (bodies::NodalState& n : state.nodal) SOLIDYN_PETSC(VecZeroEntries(n.ddu));
  set_centripetal_of_meshes(system_, state);
}

void ShapeKeepingMotion::add_accelerations(const SparseMatrix& directions, const VectorXd& y,
                                           State& state) const {
  state.a += directions * y.head(directions.cols());
  Eigen::Index at = system_.layout().n_velocities();
  for (std::size_t k = 0; k < state.nodal.size(); ++k) {
    const bodies::NodalBody& body = *system_.layout().nodal_bodies()[k];
    if (body.n_rigid() > 0) continue;
    Vector6 motion = y.segment<6>(at);
    motion.head<3>() *= length_;
    bodies::NodalState& n = state.nodal[k];
    std::swap(n.du, n.ddu);  // a field of accelerations is made as one of velocities is
    body.add_rigid_velocity(motion, n);
    std::swap(n.du, n.ddu);
    at += 6;
  }
}

VectorXd ShapeKeepingMotion::residual(const State& state) {
  VectorXd r, phi;
  system_.update(state);
  system_.compute_residual(state, r, phi);
  return r;
}

VectorXd ShapeKeepingMotion::missing_accelerations(const State& state) {
  VectorXd nu, gamma, Ga;
  system_.update_accelerations();
  system_.compute_rates(state, nu, gamma);
  system_.multiply_G(state.a, Ga);
  return gamma - Ga;
}

void ShapeKeepingMotion::find_accelerations(State& state) {
  system_.update(state);
  set_centripetal(state);
  residual(state);
  const VectorXd missing = missing_accelerations(state);
  const Mobility mobility(system_, state, length_, Mobility::Flexible::stay);
  const SparseMatrix& D = mobility.directions();
  const std::vector<int> moving = moving_columns(D);
  const VectorXd scales = row_scales(system_, increment_weights(system_, length_));
  const SparseMatrix GD = scales.asDiagonal() * SparseMatrix(system_.sparse_G() * D);
  MatrixXd rows(GD.rows(), static_cast<Eigen::Index>(moving.size()));
  for (std::size_t j = 0; j < moving.size(); ++j)
    rows.col(static_cast<Eigen::Index>(j)) = GD.col(moving[j]);
  const auto spread = [&](const MatrixXd& of_moving) {
    MatrixXd Y = MatrixXd::Zero(D.cols(), of_moving.cols());
    Y(moving, Eigen::all) = of_moving;
    return Y;
  };
  if (missing.size() > 0) {
    const math::LeastSquares factor(rows, kLeastRow);
    add_accelerations(D, spread(factor.solve(scales.cwiseProduct(missing))), state);
  }
  const MatrixXd free = spread(null_space(rows));
  free_motions_ = D * free;
  balance_free_motions(D, free, state);
}

// Each free motion is tried with a unit acceleration, since residuals are linear in these.
void ShapeKeepingMotion::balance_free_motions(const SparseMatrix& D, const MatrixXd& free,
                                              State& state) {
  const VectorXd r = residual(state);
  MatrixXd M(free.cols(), free.cols());
  for (Eigen::Index j = 0; j < free.cols(); ++j) {
    add_accelerations(D, free.col(j), state);
    M.col(j) = free_motions_.transpose() * (residual(state) - r);
    add_accelerations(D, -free.col(j), state);
  }
  if (free.cols() > 0) {
    const VectorXd alpha = math::LeastSquares(M).solve(free_motions_.transpose() * r);
    add_accelerations(D, free * -alpha, state);
  }
  residual(state);
}

}  // namespace solidyn::system
