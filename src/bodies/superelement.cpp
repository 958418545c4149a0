#include "solidyn/bodies/superelement.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solidyn/base/error.h"
#include "solidyn/math/dense.h"
#include "solidyn/math/rotation.h"

namespace solidyn::bodies {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Ref;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::skew;

constexpr int kMaxIterations = 40;
// Newton's method squares an error this small, relative to the length, below round-off.
constexpr double kConverged = 3e-8;

double length_of(const std::vector<reduction::ReducedInterface>& interfaces) {
  double length = 0.0;
  for (const auto& i : interfaces)
    for (const auto& j : interfaces) length = std::max(length, (i.x_B - j.x_B).norm());
  return length > 0.0 ? length : 1.0;
}

}  // namespace

Superelement::Superelement(std::string name, const reduction::InterfaceBody& reduced,
                           std::vector<FrameIndex> frames)
    : Body(name, reduced.n_internal, Axes::world),
      modal_(std::move(name), reduced.body.inertia, reduced.body.M, reduced.body.K, reduced.body.D,
             reduced.body.amplitude),
      rows_(reduced.frame_rows),
      length_(length_of(reduced.body.interfaces)),
      frames_(std::move(frames)) {
  SOLIDYN_ASSERT(frames_.size() == reduced.body.interfaces.size());
  for (const reduction::ReducedInterface& i : reduced.body.interfaces) {
    Interface interface;
    interface.x_B = i.x_B;
    interfaces_.push_back(interface);
  }
  const int n_q = 6 * n_interfaces(), n_nodes = n_q + n_elastic();
  q_.setZero(n_nodes);
  v_.setZero(6 + n_nodes);
  a_.setZero(6 + n_nodes);
  r_.setZero(6 + n_nodes);
  node_rates_.setZero(n_nodes);
  bias_.setZero(n_q);
  G_B_.setZero(n_q, 6);
  A_.setZero(6 + n_nodes, n_nodes);
  A_.bottomRightCorner(n_elastic(), n_elastic()).setIdentity();
}

void Superelement::bind(const base::IndexedVector<FrameIndex, Frame>& definitions) {
  for (int k = 0; k < n_interfaces(); ++k) {
    const Frame& frame = definitions[frames_[k]];
    SOLIDYN_ASSERT(frame.Psi_t.cols() == 0);
    if (frame.body == bodies::kGround) continue;
    const auto found = std::find(carriers_.begin(), carriers_.end(), frame.body);
    interfaces_[k].column = 6 * static_cast<int>(found - carriers_.begin());
    interfaces_[k].arm = frame.x_B;
    if (found == carriers_.end()) carriers_.push_back(frame.body);
  }
  const int n_nodes = 6 * n_interfaces() + n_elastic();
  J_.setZero(n_nodes, n_columns());
  J_.bottomRightCorner(n_elastic(), n_elastic()).setIdentity();
  AJ_.setZero(6 + n_nodes, n_columns());
  AJ_.bottomRightCorner(n_elastic(), n_elastic()).setIdentity();
}

void Superelement::read_interfaces(const Kinematics& kinematics) {
  for (int k = 0; k < n_interfaces(); ++k) {
    const FrameMotion& frame = kinematics.frames[frames_[k]];
    Interface& i = interfaces_[k];
    i.motion = {frame.p,
                frame.R,
                frame.v,
                frame.w,
                frame.acceleration.head<3>(),
                frame.acceleration.tail<3>()};
    if (i.column < 0) continue;
    J_.block<6, 6>(6 * k, i.column) = frame.J;
    const BodyState& carrier = kinematics.bodies[carriers_[i.column / 6]];
    i.R_WC = carrier.R_WB;
    i.w = carrier.w_WB_B();
    i.dw = carrier.a.segment<3>(3);
  }
}

// Moves the frame, and finds what is left of its conditions there.
void Superelement::move_frame(const Vector6& increment) {
  B_.p += increment.head<3>();
  B_.R = (B_.R * math::exp_rotation(increment.tail<3>())).eval();
  N_.setZero();
  condition_.setZero();
  for (int k = 0; k < n_interfaces(); ++k) {
    Interface& i = interfaces_[k];
    i.relative.set_positions(B_, i.motion, i.x_B);
    const Block6 rows = rows_.middleCols<6>(6 * k), G_B = i.relative.G().leftCols<6>();
    condition_ += rows.lazyProduct(i.relative.q());
    N_ += rows.lazyProduct(G_B);
  }
}

// From the pose that the first interface would give a rigid body, not from the last frame: what a
// state means does not depend on the states before it.
bool Superelement::find_frame() {
  const Interface& first = interfaces_.front();
  B_.R = first.motion.R;
  B_.p = first.motion.p - B_.R * first.x_B;
  move_frame(Vector6::Zero());
  for (int i = 0; i < kMaxIterations; ++i) {
    const Vector6 increment = -math::solve(N_, condition_);
    if (!increment.allFinite()) return false;
    move_frame(increment);
    if (std::max(increment.head<3>().norm() / length_, increment.tail<3>().norm()) < kConverged)
      return true;
  }
  return false;
}

// The conditions on the rates, rows (G_B [rates of B] + G_K [rates of the frames]) = 0, give B's.
void Superelement::compute_rate_map() {
  N_inverse_ = math::inverse(N_);
  AJ_.leftCols(n_columns() - n_elastic()).setZero();
  for (int k = 0; k < n_interfaces(); ++k) {
    q_.segment<6>(6 * k) = interfaces_[k].relative.q();
    G_B_.middleRows<6>(6 * k) = interfaces_[k].relative.G().leftCols<6>();
  }
  for (int k = 0; k < n_interfaces(); ++k) {
    const Block6 G_K = interfaces_[k].relative.G().rightCols<6>();
    const Block6 of_conditions = rows_.middleCols<6>(6 * k).lazyProduct(G_K);
    const Block6 of_B = -N_inverse_.lazyProduct(of_conditions);
    auto columns = A_.middleCols<6>(6 * k);
    columns.topRows<6>() = of_B;
    for (int j = 0; j < n_interfaces(); ++j)
      columns.middleRows<6>(6 + 6 * j) = G_B_.middleRows<6>(6 * j).lazyProduct(of_B);
    columns.middleRows<6>(6 + 6 * k) += G_K;
    const int column = interfaces_[k].column;
    if (column < 0) continue;
    const Block6 of_carrier = J_.block<6, 6>(6 * k, column);
    AJ_.middleCols<6>(column) += columns.lazyProduct(of_carrier);
  }
}

void Superelement::compute_rates(const BodyState& own) {
  const Index n_q = rows_.cols();
  for (int k = 0; k < n_interfaces(); ++k)
    node_rates_.segment<6>(6 * k) << interfaces_[k].motion.v, interfaces_[k].motion.w;
  node_rates_.tail(n_elastic()) = own.v;
  v_.noalias() = A_ * node_rates_;
  B_.v = v_.head<3>();
  B_.w = v_.segment<3>(3);
  for (int k = 0; k < n_interfaces(); ++k) {
    Interface& i = interfaces_[k];
    i.relative.set_velocities(B_, i.motion);
    bias_.segment<6>(6 * k) = i.relative.bias();
    node_rates_.segment<6>(6 * k) << i.motion.a, i.motion.dw;
  }
  node_rates_.tail(n_elastic()) = own.a;
  a_.noalias() = A_ * node_rates_;
  const Vector6 of_B = -N_inverse_ * (rows_ * bias_);
  a_.head<6>() += of_B;
  a_.segment(6, n_q) += bias_;
  a_.segment(6, n_q).noalias() += G_B_ * of_B;
  B_.a = a_.head<3>();
  B_.dw = a_.segment<3>(3);
}

void Superelement::follow(const Kinematics& kinematics, const BodyState& own, BodyState& state) {
  read_interfaces(kinematics);
  q_.tail(n_elastic()) = own.q_e;
  if (find_frame()) {
    compute_rate_map();
    compute_rates(own);
  } else {
    q_.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  state.p_WB = B_.p;
  state.R_WB = B_.R;
  state.t = own.t;
  using View = Eigen::Map<const VectorXd>;
  new (&state.q_e) View(q_.data(), q_.size());
  new (&state.v) View(v_.data(), v_.size());
  new (&state.a) View(a_.data(), a_.size());
}

void Superelement::add_residual(const BodyState& state, const Vector3d& gravity, Ref<VectorXd> r) {
  r_.setZero();
  modal_.add_residual(state, gravity, r_);
  r.noalias() += AJ_.transpose() * r_;
}

// [6 N x 6 N] derivatives by the frames' positions or rates, B's following theirs.
MatrixXd Superelement::on_nodes(const Blocks& blocks) const {
  const Index n_q = rows_.cols();
  MatrixXd D(n_q, n_q);
  for (int k = 0; k < n_interfaces(); ++k) {
    D.middleRows<6>(6 * k) = blocks[k].leftCols<6>() * A_.topLeftCorner(6, n_q);
    D.block<6, 6>(6 * k, 6 * k) += blocks[k].rightCols<6>();
  }
  return D;
}

// Changes [rates of B; dq] that changes of dq at constant rates of B would bring, B's following.
MatrixXd Superelement::free_rates(const MatrixXd& dq) const {
  const Index n_q = rows_.cols();
  MatrixXd rates(6 + n_q, dq.cols());
  rates.topRows<6>() = -N_inverse_ * (rows_ * dq);
  rates.bottomRows(n_q) = dq + G_B_ * rates.topRows<6>();
  return rates;
}

// lambda of r_B + G_B^T (r_q + rows^T lambda) = 0: what holds the frame's conditions.
Vector6 Superelement::carried_moment(const VectorXd& r) const {
  return -N_inverse_.transpose() * (r.head<6>() + G_B_.transpose() * r.segment(6, rows_.cols()));
}

// A^T (D d(rates) + M d(accelerations)): how A's dependence on the positions changes both.
void Superelement::add_rate_terms(const MatrixXd& M, const MatrixXd& D, MatrixXd& D_nodes,
                                  MatrixXd& K_nodes) const {
  const Index n_q = rows_.cols();
  Blocks U, V, W;
  for (const Interface& i : interfaces_) {
    U.push_back(i.relative.rate_stiffness());
    V.push_back(i.relative.acceleration_stiffness(B_, i.motion));
    W.push_back(i.relative.acceleration_damping());
  }
  const MatrixXd rates = free_rates(on_nodes(U));
  MatrixXd ddq = on_nodes(V);
  for (int k = 0; k < n_interfaces(); ++k)
    ddq.middleRows<6>(6 * k) += W[k].leftCols<6>() * rates.topRows<6>();
  const MatrixXd accelerations = free_rates(ddq), by_rates = free_rates(on_nodes(W));
  K_nodes.leftCols(n_q) +=
      A_.transpose() * (D.leftCols(6 + n_q) * rates + M.leftCols(6 + n_q) * accelerations);
  D_nodes.leftCols(n_q) += A_.transpose() * (M.leftCols(6 + n_q) * by_rates);
}

// How A^T changes for constant r: sum_k P_k^T H_k P_k, with H_k that of G_k^T mu_k.
void Superelement::add_geometric_terms(const VectorXd& r, MatrixXd& K_nodes) const {
  const Index n_q = rows_.cols();
  const Vector6 lambda = carried_moment(r);
  const auto S = A_.topLeftCorner(6, n_q);
  Block6 of_B = Block6::Zero();
  MatrixXd mixed = MatrixXd::Zero(6, n_q);  // [B x frames]
  for (int k = 0; k < n_interfaces(); ++k) {
    const Vector6 mu = r.segment<6>(6 + 6 * k) + rows_.middleCols<6>(6 * k).transpose() * lambda;
    const RelativeMotion::Matrix12 H = interfaces_[k].relative.geometric_stiffness(mu);
    of_B += H.topLeftCorner<6, 6>();
    mixed.middleCols<6>(6 * k) += H.topRightCorner<6, 6>();
    K_nodes.block(6 * k, 0, 6, n_q) += H.bottomLeftCorner<6, 6>() * S;
    K_nodes.block<6, 6>(6 * k, 6 * k) += H.bottomRightCorner<6, 6>();
  }
  K_nodes.topLeftCorner(n_q, n_q) += S.transpose() * (of_B * S + mixed);
}

// Frames beside their carriers' origins: rates and accelerations change as the carriers turn.
void Superelement::add_arm_terms(const VectorXd& wrenches, const MatrixXd& M_nodes,
                                 const MatrixXd& D_nodes, const TangentCoefficients& c,
                                 Ref<MatrixXd> J_rate, Ref<MatrixXd> J_q) const {
  for (int k = 0; k < n_interfaces(); ++k) {
    const Interface& i = interfaces_[k];
    if (i.column < 0 || i.arm.isZero(0.0)) continue;
    const Vector3d spun = i.w.cross(i.arm);
    const Matrix3d v_by_angle = -i.R_WC * skew(spun);
    const Matrix3d a_by_angle = -i.R_WC * skew(i.dw.cross(i.arm) + i.w.cross(spun));
    const Matrix3d a_by_spin = -i.R_WC * (skew(spun) + skew(i.w) * skew(i.arm));
    const Vector3d force = i.R_WC.transpose() * wrenches.segment<3>(6 * k);
    J_q.block<3, 3>(i.column + 3, i.column + 3) += c.stiffness * skew(i.arm) * skew(force);
    const auto M_k = M_nodes.middleCols<3>(6 * k), D_k = D_nodes.middleCols<3>(6 * k);
    J_q.middleCols<3>(i.column + 3) +=
        c.stiffness * (J_.transpose() * (D_k * v_by_angle + M_k * a_by_angle));
    J_rate.middleCols<3>(i.column + 3) += c.damping * (J_.transpose() * (M_k * a_by_spin));
  }
}

void Superelement::add_tangent(const BodyState& state, const Vector3d& gravity,
                               const TangentCoefficients& c, Ref<MatrixXd> J_rate,
                               Ref<MatrixXd> J_q) {
  const Index n = v_.size();
  MatrixXd M = MatrixXd::Zero(n, n), D = M, K = M;
  modal_.add_tangent(state, gravity, {1.0, 0.0, 0.0}, M, K);
  if (c.damping == 0.0 && c.stiffness == 0.0) {
    J_rate.noalias() += c.mass * AJ_.transpose() * M * AJ_;
    return;
  }
  modal_.add_tangent(state, gravity, {0.0, 1.0, 0.0}, D, K);
  modal_.add_tangent(state, gravity, {0.0, 0.0, 1.0}, D, K);
  r_.setZero();
  modal_.add_residual(state, gravity, r_);
  const MatrixXd M_nodes = A_.transpose() * M * A_;
  MatrixXd D_nodes = A_.transpose() * D * A_, K_nodes = A_.transpose() * K * A_;
  add_rate_terms(M, D, D_nodes, K_nodes);
  add_geometric_terms(r_, K_nodes);
  J_rate.noalias() += J_.transpose() * (c.mass * M_nodes + c.damping * D_nodes) * J_;
  J_q.noalias() += c.stiffness * (J_.transpose() * K_nodes * J_);
  add_arm_terms(A_.transpose() * r_, M_nodes, D_nodes, c, J_rate, J_q);
}

}  // namespace solidyn::bodies
