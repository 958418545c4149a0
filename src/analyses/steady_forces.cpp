#include <algorithm>
#include <cmath>
#include <limits>

#include "solidyn/analyses/steady_running.h"
#include "solidyn/base/error.h"
#include "solidyn/forces/visit_parts.h"
#include "solidyn/math/rotation.h"
#include "solidyn/system/orientation_of.h"

namespace solidyn::analyses {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using forces::Wheelsets;
using system::State;
using system::System;

// m along the track, and rad that a wheelset turns at most: springs show what they do, and their
// angles stay angles.
constexpr double kFurther = 0.25, kTurn = 0.5;
// Of the largest force and moment on the vehicle: springs a few tenths of a millimetre beside an
// axle, as drawings round, change by 1e-5; what moves with it exactly by 1e-9.
constexpr double kConstant = 1e-4;

double time_to_run(const System& system, const Wheelsets& wheelsets,
                   const system::Carriage& carriage) {
  double rate = std::numeric_limits<double>::min();
  for (const forces::RunsOnTrack* wheelset : wheelsets) {
    const bodies::BodyState& s = system.kinematics().bodies[wheelset->wheelset()];
    rate = std::max(
        {rate, s.v_WB().norm() / kFurther, (s.R_WB * s.w_WB_B() - carriage.w_W).norm() / kTurn});
  }
  return 1.0 / rate;
}

// Q of one force on all unknowns, its parts included. [n_v]
VectorXd generalised_force(const System& system, const forces::Force& force, double t) {
  VectorXd all = VectorXd::Zero(system.layout().n_velocities());
  const auto add = [&](const forces::Force& part) {
    const std::vector<int> columns = system.layout().velocity_indices(part.bodies());
    VectorXd r = VectorXd::Zero(static_cast<Eigen::Index>(columns.size()));
    part.add_residual(system.kinematics(), t, r);
    for (std::size_t i = 0; i < columns.size(); ++i)
      all[columns[i]] -= r[static_cast<Eigen::Index>(i)];
  };
  forces::visit_parts(force, add);
  return all;
}

struct Size {
  double force = 0.0, moment = 0.0;  // N, N m
};

// The largest on a body of the carriage.
Size size_of(const System& system, const system::Carriage& carriage, const VectorXd& Q) {
  Size largest;
  for (const bodies::BodyIndex b : carriage.bodies) {
    if (system.body(b).n_rigid() == 0) continue;
    const int at = system.layout().velocity_offset(b);
    largest.force = std::max(largest.force, Q.segment<3>(at).norm());
    largest.moment = std::max(largest.moment, Q.segment<3>(at + 3).norm());
  }
  return largest;
}

double share_of(double change, double largest) { return change > 0.0 ? change / largest : 0.0; }

// A wheelset whose rails there are no longer as they are under the vehicle, by irregularities or
// friction: it is not the vehicle that does not run steadily.
bool are_other_rails_there(const Wheelsets& wheelsets, const std::vector<double>& places,
                           const forces::Force& force, const bodies::Kinematics& kinematics) {
  return std::any_of(wheelsets.begin(), wheelsets.end(), [&](const forces::RunsOnTrack* wheelset) {
    return &wheelset->force() == &force &&
           (wheelset->running_motion(kinematics, 1.0).is_irregular ||
            wheelset->linearisation_limits(kinematics, places).friction_changes);
  });
}

}  // namespace

FurtherAlong::FurtherAlong(const System& system, const Wheelsets& wheelsets,
                           const system::Carriage& carriage, const State& state) {
  const double time = time_to_run(system, wheelsets, carriage);
  state_ = system::carried_along(system, state, carriage, time);
  state_.t = state.t;  // loads and drives as they are now
  distance_ = time * system.kinematics().bodies[wheelsets[0]->wheelset()].v_WB().norm();
  for (const bodies::BodyIndex b : system.bodies()) {
    if (system.body(b).n_rigid() == 0) continue;
    const int q = system.layout().configuration_offset(b);
    const Matrix3d turn = carriage.bodies.count(b) > 0 ? math::exp_rotation(time * carriage.w_W)
                                                       : Matrix3d(Matrix3d::Identity());
    const Matrix3d from = system::orientation_of(state.q, q).toRotationMatrix(),
                   to = system::orientation_of(state_.q, q).toRotationMatrix();
    turns_.push_back({system.layout().velocity_offset(b), turn, to.transpose() * turn * from});
  }
}

MatrixXd FurtherAlong::carried(const MatrixXd& Q) const {
  MatrixXd carried = Q;
  for (const Turn& turn : turns_) {
    carried.middleRows<3>(turn.at) = turn.of_forces * Q.middleRows<3>(turn.at);
    carried.middleRows<3>(turn.at + 3) = turn.of_torques * Q.middleRows<3>(turn.at + 3);
  }
  return carried;
}

std::vector<ChangingForce> find_changing_forces(System& system, const Wheelsets& wheelsets,
                                                const system::Carriage& carriage,
                                                const State& state) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const FurtherAlong further(system, wheelsets, carriage, state);
  std::vector<double> places;
  for (const forces::RunsOnTrack* wheelset : wheelsets)
    places.push_back(wheelset->running_motion(system.kinematics(), 1.0).s);
  std::vector<VectorXd> expected;
  Size largest;
  for (const forces::ForceIndex i : system.forces()) {
    const VectorXd Q = generalised_force(system, system.force(i), state.t);
    const Size size = size_of(system, carriage, Q);
    largest = {std::max(largest.force, size.force), std::max(largest.moment, size.moment)};
    expected.emplace_back(further.carried(Q));
  }
  system.update(further.state());
  std::vector<ChangingForce> found;
  for (const forces::ForceIndex i : system.forces()) {
    const forces::Force& force = system.force(i);
    Size change{kInfinity, kInfinity};
    try {
      if (are_other_rails_there(wheelsets, places, force, system.kinematics())) continue;
      const VectorXd Q = generalised_force(system, force, state.t);
      change = size_of(system, carriage, Q - expected[static_cast<std::size_t>(i.value())]);
    } catch (const base::ComputationError&) {
      // There is no such force there: it changes.
    }
    const double share =
        std::max(share_of(change.force, largest.force), share_of(change.moment, largest.moment));
    if (share > kConstant)
      found.push_back({force.name(), change.force, change.moment, share, further.distance()});
  }
  system.update(state);
  std::stable_sort(found.begin(), found.end(), [](const ChangingForce& a, const ChangingForce& b) {
    return a.share > b.share;
  });
  return found;
}

}  // namespace solidyn::analyses
