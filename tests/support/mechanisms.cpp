#include "mechanisms.h"

namespace solidyn::testing_support {

using Eigen::Matrix3d;
using Eigen::Vector3d;

bodies::Frame frame_at(int body, const system::InitialMotion& pose, const Vector3d& p_W,
                       const Vector3d& axis) {
  const Matrix3d R_WF =
      Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis).toRotationMatrix();
  bodies::Frame frame;
  frame.body = body;
  if (body < 0) {
    frame.x_B = p_W;
    frame.R_BF = R_WF;
  } else {
    const Matrix3d R_BW = pose.q_WB.toRotationMatrix().transpose();
    frame.x_B = R_BW * (p_W - pose.p_WB);
    frame.R_BF = R_BW * R_WF;
  }
  return frame;
}

void add_joint(system::System& system, const std::string& name, joints::JointType type, int body_A,
               const system::InitialMotion& pose_A, int body_B, const system::InitialMotion& pose_B,
               const Vector3d& p_W, const Vector3d& axis) {
  const int A = system.add_frame(frame_at(body_A, pose_A, p_W, axis));
  const int B = system.add_frame(frame_at(body_B, pose_B, p_W, axis));
  joints::JointRows rows = joints::joint_rows(type);
  system.add_constraint(std::make_unique<joints::Joint>(name, A, body_A, 6, B, body_B, 6,
                                                        rows.primitives, rows.names));
}

system::State start(system::System& system) {
  system::State state = system.make_state();
  system::assemble_positions(system, state, 1e-13);
  system::make_velocities_consistent(system, state, 1e-13);
  auto solver = solvers::make_linear_solver(solvers::Preset::automatic, system.n_unknowns());
  system.set_pattern(*solver);
  Eigen::VectorXd r, phi;
  system.update(state);
  system.compute_residual(state, r, phi);
  const auto redundancy =
      system::find_redundancy(system, system.increment_weights(system.characteristic_length()));
  system::solve_accelerations(system, state, *solver, !redundancy.rows.empty());
  return state;
}

system::State run_generalized_alpha(system::System& system, double duration, int n_steps,
                                    const integrators::GeneralizedAlphaOptions& options) {
  system::State state = start(system);
  integrators::GeneralizedAlpha integrator(system, options);
  integrator.initialize(state);
  const double h = duration / n_steps;
  for (int i = 0; i < n_steps; ++i) integrator.step(state, h);
  return state;
}

}  // namespace solidyn::testing_support
