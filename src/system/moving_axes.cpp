#include "system/moving_axes.h"

#include "solidyn/math/rotation.h"
#include "solidyn/system/orientation_of.h"

namespace solidyn::system {
namespace {

using bodies::BodyState;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::skew;
using Matrix = Linearisation::Matrix;
using Triplets = std::vector<Eigen::Triplet<double>>;

void add_block(Triplets& list, int row, int column, const Matrix3d& block) {
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      if (block(i, j) != 0.0) list.emplace_back(row + i, column + j, block(i, j));
}

// A square matrix with two 3 x 3 blocks on the diagonal for each body with a frame, and `elastic`
// on the diagonal elsewhere.
template <class Blocks>
Matrix per_body(const System& system, double elastic, Blocks&& blocks) {
  Triplets list;
  for (const BodyIndex b : system.bodies()) {
    const int at = system.layout().velocity_offset(b), n_rigid = system.body(b).n_rigid();
    if (n_rigid > 0) {
      const auto [translation, rotation] = blocks(system.kinematics().bodies[b], b);
      add_block(list, at, at, translation);
      add_block(list, at + 3, at + 3, rotation);
    }
    for (int k = n_rigid; k < system.body(b).n_velocities() && elastic != 0.0; ++k)
      list.emplace_back(at + k, at + k, elastic);
  }
  Matrix matrix(system.layout().n_velocities(), system.layout().n_velocities());
  matrix.setFromTriplets(list.begin(), list.end());
  return matrix;
}

using Pair = std::pair<Matrix3d, Matrix3d>;

}  // namespace

Matrix3d MovingAxes::orientation(const BodyState& s, BodyIndex b, double time) const {
  if (axes_ == IncrementAxes::body) return s.R_WB;
  return is_carried(b) ? math::exp_rotation(time * carriage_->w_W) : Matrix3d::Identity();
}

Vector3d MovingAxes::turning(const BodyState& s, BodyIndex b) const {
  if (axes_ == IncrementAxes::body) return s.w_WB_B();
  return is_carried(b) ? carriage_->w_W : Vector3d(Vector3d::Zero());
}

Vector3d MovingAxes::turning_rate(const BodyState& s) const {
  if (axes_ == IncrementAxes::body) return s.a.segment<3>(3);
  return Vector3d::Zero();
}

// Increments are dp in W and right rotations: T turns them from the axes of x.
Matrix MovingAxes::map(const System& system, double time) const {
  return per_body(system, 1.0, [&](const BodyState& s, BodyIndex b) {
    const Matrix3d R = orientation(s, b, time);
    return Pair(R, s.R_WB.transpose() * R);
  });
}

// With Omega the angular velocity of the axes and w that of the body, both in the axes: dp = R x
// and R_WB^T R x differentiated twice.
void MovingAxes::set_maps(const System& system, Linearisation& l) const {
  l.T = map(system);
  l.V = l.A1 = l.A0 = Matrix(system.layout().n_velocities(), system.layout().n_velocities());
  if (l.is_at_rest()) return;
  const auto w_of = [this](const BodyState& s, BodyIndex b) {
    return skew(orientation(s, b, 0.0).transpose() * s.R_WB * s.w_WB_B());
  };
  l.V = l.T * per_body(system, 0.0, [this](const BodyState& s, BodyIndex b) {
          const Matrix3d Omega = skew(turning(s, b));
          return Pair(Omega, Omega);
        });
  l.A1 = l.T * per_body(system, 0.0, [&](const BodyState& s, BodyIndex b) {
           const Matrix3d Omega = skew(turning(s, b));
           return Pair(2.0 * Omega, 2.0 * Omega - w_of(s, b));
         });
  l.A0 = l.T * per_body(system, 0.0, [&](const BodyState& s, BodyIndex b) {
           const Matrix3d Omega = skew(turning(s, b)), rate = skew(turning_rate(s));
           return Pair(Omega * Omega + rate, (Omega - w_of(s, b)) * Omega + rate);
         });
}

State MovingAxes::later(const System& system, const State& state, double time) const {
  return carriage_ ? carried_along(system, state, *carriage_, time)
                   : moved_along(system, state, time);
}

// In a steady rotation velocities and accelerations turn with the bodies: what a body's rotation
// adds keeps the length of slender ones, whose tension would tell the difference.
State moved_along(const System& system, const State& state, double time) {
  State later = state.clone();
  later.t += time;
  VectorXd motion = time * state.v + 0.5 * time * time * state.a;
  later.v += time * state.a;
  for (const BodyIndex b : system.bodies()) {
    if (system.body(b).n_rigid() == 0) continue;
    const int at = system.layout().velocity_offset(b), q = system.layout().configuration_offset(b);
    const Eigen::Quaterniond R = orientation_of(state.q, q);
    const Vector3d v = state.v.segment<3>(at), w = R * Vector3d(state.v.segment<3>(at + 3));
    const Vector3d turning = w.cross(v), turn = time * w;
    motion.segment<3>(at) +=
        time * (math::right_tangent(-turn) * v - v) - 0.5 * time * time * turning;
    later.v.segment<3>(at) += math::exp_rotation(turn) * v - v - time * turning;
  }
  system.advance(state.q, motion, later.q);
  return later;
}

// With S = exp(w t) of the axes and s = w_B - R^T w of the body in them:
//   p(t) = p + int S v dt,  v(t) = S v,  R(t) = S R exp(s t),  w_B(t) = exp(-s t) R^T w + s
// What accelerates in these axes does so beside that.
State carried_along(const System& system, const State& state, const Carriage& carriage,
                    double time) {
  State later = state.clone();
  later.t += time;
  VectorXd motion = time * state.v + 0.5 * time * time * state.a;
  later.v += time * state.a;
  for (const BodyIndex b : system.bodies()) {
    if (system.body(b).n_rigid() == 0) continue;
    const int at = system.layout().velocity_offset(b), q = system.layout().configuration_offset(b);
    const Vector3d w = carriage.bodies.count(b) > 0 ? carriage.w_W : Vector3d(Vector3d::Zero());
    const Eigen::Quaterniond R = orientation_of(state.q, q);
    const Vector3d w_B = R.conjugate() * w, s = state.v.segment<3>(at + 3) - w_B,
                   v = state.v.segment<3>(at);
    const Matrix3d turned = math::exp_rotation(time * w), back = math::exp_rotation(-time * s);
    const Vector3d a_beside = state.a.segment<3>(at) - w.cross(v),
                   dw_beside = state.a.segment<3>(at + 3) - w_B.cross(s);
    motion.segment<3>(at) =
        time * (math::right_tangent(-time * w) * v) + 0.5 * time * time * (turned * a_beside);
    motion.segment<3>(at + 3) =
        math::log_rotation(Matrix3d(math::exp_rotation(time * w_B) * back.transpose())) +
        0.5 * time * time * dw_beside;
    later.v.segment<3>(at) = turned * (v + time * a_beside);
    later.v.segment<3>(at + 3) = back * w_B + s + time * dw_beside;
    later.a.segment<3>(at) = turned * Vector3d(state.a.segment<3>(at));
    later.a.segment<3>(at + 3) = back * Vector3d(w_B.cross(s)) + dw_beside;
  }
  system.advance(state.q, motion, later.q);
  return later;
}

}  // namespace solidyn::system
