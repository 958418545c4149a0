#include "solidyn/system/frame_mobility.h"

#include "solidyn/system/independent_rows.h"
#include "solidyn/system/initial_conditions.h"
#include "solidyn/system/scales.h"

namespace solidyn::system {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd twist_rows(const bodies::FrameMotion& frame, TwistAxes axes) {
  MatrixXd rows = frame.J;
  if (axes == TwistAxes::world)
    rows.bottomRows<3>() = frame.R * frame.J.bottomRows<3>();
  else
    rows.topRows<3>() = frame.R.transpose() * frame.J.topRows<3>();
  return rows;
}

MatrixXd frame_mobility(System& system, State& state, const std::vector<bodies::FrameIndex>& frames,
                        TwistAxes axes, solvers::LinearSolver& solver) {
  SOLIDYN_ASSERT(system.layout().nodal_bodies().empty());
  system.update(state);
  VectorXd phi;
  system.compute_constraints(state, phi);
  IndependentRows rows(
      find_redundancy(system, increment_weights(system, characteristic_length(system))).rows);
  rows.improve(system, state, solver);
  factorise_constrained_mass(system, state, 0.0, rows, solver);
  const int n_v = system.layout().n_velocities();
  MatrixXd J = MatrixXd::Zero(6 * static_cast<Eigen::Index>(frames.size()), n_v);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const BodyIndex body = system.kinematics().frame_definitions[frames[i]].body;
    if (body == bodies::kGround) continue;
    const MatrixXd of_frame = twist_rows(system.kinematics().frames[frames[i]], axes);
    J.block(6 * static_cast<Eigen::Index>(i), system.layout().velocity_offset(body), 6,
            of_frame.cols()) = of_frame;
  }
  MatrixXd forces = MatrixXd::Zero(system.layout().n_unknowns(), J.rows());
  forces.topRows(n_v) = J.transpose();
  const MatrixXd mobility = J * solver.solve_columns(forces).topRows(n_v);
  if (!mobility.allFinite())
    throw base::ComputationError(
        "the inertia at places is undefined: something without mass moves, which nothing resists\n  give it, or a body that it carries, mass and inertia");
  return 0.5 * (mobility + mobility.transpose());
}

}  // namespace solidyn::system
