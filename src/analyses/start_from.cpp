#include "start_from.h"

#include <fmt/format.h>

#include "solidyn/base/error.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/system/orientation_of.h"
#include "solidyn/system/scales.h"

namespace solidyn::analyses {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using system::State;
using system::System;

// Relative to the mechanism's length: statics' own tolerance leaves less.
constexpr double kSamePlace = 1e-6;

// @pre state.q is that of the equilibrium
void set_velocity(const System& system, bodies::BodyIndex body, State& state) {
  const bodies::InitialMotion& motion = system.initial_motion(body);
  const int q = system.layout().configuration_offset(body),
            v = system.layout().velocity_offset(body);
  const Vector3d w_W = motion.q_WB * motion.w_WB_B;
  state.v.segment<3>(v) = motion.v_WB + w_W.cross(Vector3d(state.q.segment<3>(q)) - motion.p_WB);
  state.v.segment<3>(v + 3) = system::orientation_of(state.q, q).conjugate() * w_W;
}

// Nodes in absolute coordinates, where the field is added at the new places and taken away at the
// old ones: nodes that supports hold keep what these prescribe.
void move_nodes(const System& system, bodies::BodyIndex body, const bodies::NodalBody& nodal,
                ::Vec u, bodies::NodalState& n, State& state) {
  const bodies::InitialMotion& motion = system.initial_motion(body);
  Eigen::Matrix<double, 6, 1> twist;
  twist.tail<3>() = motion.q_WB * motion.w_WB_B;
  twist.head<3>() = motion.v_WB - Vector3d(twist.tail<3>()).cross(motion.p_WB);
  nodal.add_rigid_velocity(-twist, n);
  SOLIDYN_PETSC(VecCopy(u, n.u));
  nodal.add_rigid_velocity(twist, n);
  state.v.segment(system.layout().velocity_offset(body), nodal.n_elastic()) = nodal.ports_of(n.du);
}

}  // namespace

void take_positions(const System& system, const State& equilibrium, State& state) {
  state.t = 0.0;
  state.q = equilibrium.q;
  state.lambda = equilibrium.lambda;
  state.angles = equilibrium.angles;
  state.memory = equilibrium.memory;
  if (!equilibrium.v.isZero(0.0)) {  // a vehicle that runs steadily
    state.v = equilibrium.v;
    return;
  }
  for (const bodies::BodyIndex b : system.bodies())
    if (system.body(b).n_rigid() > 0) set_velocity(system, b, state);
  for (std::size_t k = 0; k < state.nodal.size(); ++k) {
    const bodies::NodalBody& nodal = *system.layout().nodal_bodies()[k];
    const ::Vec u = equilibrium.nodal[k].u;
    if (nodal.n_rigid() == 0)
      move_nodes(system, system.layout().body_of_nodal(static_cast<int>(k)), nodal, u,
                 state.nodal[k], state);
    else
      SOLIDYN_PETSC(VecCopy(u, state.nodal[k].u));
  }
}

void refuse_displaced_equilibrium(const System& system, const VectorXd& found,
                                  const VectorXd& assembled) {
  const double moved = found.size() > 0 ? (assembled - found).lpNorm<Eigen::Infinity>() : 0.0;
  if (!(moved > kSamePlace * characteristic_length(system))) return;
  throw base::InputError(
      fmt::format(
          "dynamics cannot start from the end of statics: at t = 0 drives and joints require positions that differ by up to {:.3g} (m or rad)",
          moved),
      "let statics compute the equilibrium at t = 0, with  time: start  there, or let each drive end in statics (t = 1) at its initial value in dynamics (t = 0)");
}

}  // namespace solidyn::analyses
