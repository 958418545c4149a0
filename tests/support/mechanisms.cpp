#include "mechanisms.h"

#include "solidyn/bodies/modal_body.h"
#include "solidyn/system/scales.h"

namespace solidyn::testing_support {

using Eigen::Matrix3d;
using Eigen::Vector3d;

bodies::Frame frame_at(bodies::BodyIndex body, const system::InitialMotion& pose,
                       const Vector3d& p_W, const Vector3d& axis) {
  const Matrix3d R_WF =
      Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis).toRotationMatrix();
  bodies::Frame frame;
  frame.body = body;
  if (body == bodies::kGround) {
    frame.x_B = p_W;
    frame.R_BF = R_WF;
  } else {
    const Matrix3d R_BW = pose.q_WB.toRotationMatrix().transpose();
    frame.x_B = R_BW * (p_W - pose.p_WB);
    frame.R_BF = R_BW * R_WF;
  }
  return frame;
}

void add_joint(system::System& system, const std::string& name, joints::JointType type,
               bodies::BodyIndex body_A, const system::InitialMotion& pose_A,
               bodies::BodyIndex body_B, const system::InitialMotion& pose_B, const Vector3d& p_W,
               const Vector3d& axis) {
  const auto A = system.add_frame(frame_at(body_A, pose_A, p_W, axis));
  const auto B = system.add_frame(frame_at(body_B, pose_B, p_W, axis));
  joints::JointRows rows = joints::joint_rows(type);
  system.add_constraint(std::make_unique<joints::Joint>(name, system.link(A, B), rows.primitives,
                                                        rows.names, rows.hinge));
}

void add_load(system::System& system, const std::string& name, bodies::FrameIndex frame,
              forces::VectorFunction force, forces::VectorFunction torque) {
  system.add_force(std::make_unique<forces::FrameLoad>(
      name, frame, system.kinematics().frame_definitions[frame].body,
      forces::FrameLoad::Axes::world, std::move(force), std::move(torque)));
}

system::State start(system::System& system) {
  system::State state = system.make_state();
  system::assemble_positions(system, state, 1e-13);
  system.accept(state);
  system::make_velocities_consistent(system, state, 1e-13);
  auto solver =
      solvers::make_linear_solver(solvers::Preset::automatic, system.layout().n_unknowns());
  system.set_pattern(*solver);
  Eigen::VectorXd r, phi;
  system.update(state);
  system.compute_residual(state, r, phi);
  const auto redundancy =
      system::find_redundancy(system, increment_weights(system, characteristic_length(system)));
  system::solve_accelerations(system, state, *solver, !redundancy.rows.empty());
  return state;
}

system::State run_generalized_alpha(system::System& system, double duration, int n_steps,
                                    const integrators::GeneralizedAlphaOptions& options) {
  system::State state = start(system);
  integrators::GeneralizedAlpha integrator(system, options);
  integrator.initialize(state);
  const double h = duration / n_steps;
  for (int i = 0; i < n_steps; ++i) {
    integrator.step(state, h);
    system.accept(state);
  }
  return state;
}

system::State run_petsc_ts(system::System& system, double duration,
                           const integrators::PetscTsOptions& options) {
  system::State state = start(system);
  integrators::PetscTs integrator(system, options);
  integrator.initialize(state);
  while (integrator.step(state, duration) > 0.0) {
  }
  return state;
}

std::unique_ptr<system::System> make_simple_pendulum(const std::vector<joints::JointType>& joints) {
  auto system = std::make_unique<system::System>();
  system::InitialMotion motion;
  motion.p_WB = Vector3d(-1, 0, 0);
  system->set_gravity(Vector3d(0, -9.81, 0));
  system->add_body(bodies::make_rigid_body("bob", 1.0, Vector3d::Zero(), Matrix3d::Zero()), motion);
  for (std::size_t i = 0; i < joints.size(); ++i)
    add_joint(*system, "joint" + std::to_string(i + 1), joints[i], bodies::kGround, {},
              bodies::BodyIndex(0), motion, Vector3d::Zero());
  system->finalize();
  return system;
}

std::unique_ptr<system::System> make_heavy_top() {
  auto system = std::make_unique<system::System>();
  system::InitialMotion motion;
  motion.p_WB = Vector3d(0, 1, 0);  // body axes at the centre of mass
  motion.w_WB_B = Vector3d(0, 150, -4.61538);
  motion.v_WB = motion.w_WB_B.cross(motion.p_WB);
  system->set_gravity(Vector3d(0, 0, -9.81));
  system->add_body(bodies::make_rigid_body("top", 15.0, Vector3d::Zero(),
                                           Vector3d(0.234375, 0.46875, 0.234375).asDiagonal()),
                   motion);
  add_joint(*system, "tip", joints::JointType::spherical, bodies::kGround, {}, bodies::BodyIndex(0),
            motion, Vector3d::Zero());
  system->finalize();
  return system;
}

std::unique_ptr<system::System> make_driven_disc(const std::vector<std::string>& angles) {
  auto disc = std::make_unique<system::System>();
  system::InitialMotion pose;
  pose.p_WB = Vector3d(0.2, 0, 0);
  disc->add_body(
      bodies::make_rigid_body("disc", 2.0, Vector3d::Zero(), Vector3d(0.1, 0.1, 0.2).asDiagonal()),
      pose);
  add_joint(*disc, "bearing", joints::JointType::revolute, bodies::kGround, {},
            bodies::BodyIndex(0), pose, Vector3d::Zero());
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const auto A = disc->add_frame(frame_at(bodies::kGround, {}, Vector3d::Zero()));
    const auto B = disc->add_frame(frame_at(bodies::BodyIndex(0), pose, Vector3d::Zero()));
    const joints::JointRows rows =
        joints::rotation_drive_rows(math::TimeFunction::expression(angles[i]));
    disc->add_constraint(std::make_unique<joints::Joint>(
        "drive " + std::to_string(i + 1), disc->link(A, B), rows.primitives, rows.names));
  }
  disc->finalize();
  return disc;
}

double total_energy(system::System& system, const system::State& state) {
  system.update(state);
  const bodies::Energy energy = system.energy(state);
  return energy.kinetic + energy.strain + energy.potential;
}

}  // namespace solidyn::testing_support
