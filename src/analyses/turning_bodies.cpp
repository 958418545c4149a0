#include "turning_bodies.h"

#include <fmt/format.h>

#include <algorithm>

#include "solidyn/base/error.h"

namespace solidyn::analyses {

using bodies::BodyIndex;
using Eigen::Vector3d;
using Eigen::VectorXd;
using system::System;

VectorXd turn_about(const System& system, const std::set<BodyIndex>& bodies, const Vector3d& axle,
                    const Vector3d& point) {
  VectorXd turn = VectorXd::Zero(system.layout().n_velocities());
  for (const BodyIndex b : bodies) {
    if (system.body(b).n_rigid() == 0) continue;
    const bodies::BodyState& s = system.kinematics().bodies[b];
    const int at = system.layout().velocity_offset(b);
    turn.segment<3>(at) = axle.cross(s.p_WB - point);
    turn.segment<3>(at + 3) = s.R_WB.transpose() * axle;
  }
  return turn;
}

std::set<BodyIndex> bodies_that_turn(const System& system, const forces::Wheelsets& wheelsets,
                                     std::size_t wheelset) {
  constexpr double kHolds = 1e-3;  // rate of a row for 1 rad/s, which a bearing has of round-off
  const forces::RunningMotion own = wheelsets[wheelset]->running_motion(system.kinematics(), 1.0);
  const std::set<BodyIndex> alone = {wheelsets[wheelset]->wheelset()};
  std::set<BodyIndex> all = alone;
  for (std::size_t before = 0; before != all.size();) {
    before = all.size();
    VectorXd rates;
    system.multiply_G(turn_about(system, all, own.axle, own.p), rates);
    for (const bodies::ConstraintIndex c : system.constraints()) {
      const joints::Constraint& constraint = system.constraint(c);
      const std::vector<BodyIndex> its = constraint.bodies();
      const auto turns = [&](BodyIndex b) { return all.count(b) > 0; };
      if (std::none_of(its.begin(), its.end(), turns)) continue;
      const auto rows = rates.segment(system.layout().constraint_offset(c), constraint.n_rows());
      if (rows.size() == 0 || rows.lpNorm<Eigen::Infinity>() < kHolds) continue;
      for (const BodyIndex b : its)
        if (b != bodies::kGround && system.body(b).n_rigid() > 0) all.insert(b);
    }
  }
  const bool has_others =
      std::any_of(wheelsets.begin(), wheelsets.end(), [&](const forces::RunsOnTrack* other) {
        return alone.count(other->wheelset()) == 0 && all.count(other->wheelset()) > 0;
      });
  return has_others ? alone : all;
}

void refuse_gear(const System& system, const std::set<BodyIndex>& turning,
                 const forces::RunsOnTrack& wheelset) {
  for (const bodies::ConstraintIndex c : system.constraints()) {
    const joints::Constraint& constraint = system.constraint(c);
    const std::vector<BodyIndex>& its = constraint.bodies();
    // Joints are between two bodies, gears between those of several joints.
    const auto n_turning =
        std::count_if(its.begin(), its.end(), [&](BodyIndex b) { return turning.count(b) > 0; });
    if (its.size() > 2 && n_turning > 1)
      throw base::ComputationError(fmt::format(
          "{}: `{}` gears other bodies to `{}`, a wheelset that turns (spin: frame): steady running with gears is not yet implemented\n  let the wheelset roll (spin: rolling) without the gear, or give the bodies a `velocity` in place of `running_speed` and let `dynamics` show how the vehicle runs",
          wheelset.force().name(), constraint.name(), system.body(wheelset.wheelset()).name()));
  }
}

}  // namespace solidyn::analyses
