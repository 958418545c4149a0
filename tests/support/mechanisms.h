#pragma once
#include "solidyn/forces/frame_load.h"
#include "solidyn/integrators/generalized_alpha.h"
#include "solidyn/integrators/petsc_ts.h"
#include "solidyn/joints/joint.h"
#include "solidyn/system/initial_conditions.h"
#include "solidyn/system/system.h"

/// Mechanisms built by hand for tests of joints, systems and integrators.
namespace solidyn::testing_support {

/// A frame at a world point of a body at its initial pose, or of the ground, axes z along `axis`.
bodies::Frame frame_at(bodies::BodyIndex body, const system::InitialMotion& pose,
                       const Eigen::Vector3d& p_W,
                       const Eigen::Vector3d& axis = Eigen::Vector3d::UnitZ());

/// Adds a joint of the catalogue between two rigid bodies (or the ground) at a world point.
void add_joint(system::System& system, const std::string& name, joints::JointType type,
               bodies::BodyIndex body_A, const system::InitialMotion& pose_A,
               bodies::BodyIndex body_B, const system::InitialMotion& pose_B,
               const Eigen::Vector3d& p_W, const Eigen::Vector3d& axis = Eigen::Vector3d::UnitZ());

/// Adds a force and a torque in world axes on a frame.
void add_load(system::System& system, const std::string& name, bodies::FrameIndex frame,
              forces::VectorFunction force, forces::VectorFunction torque);

/// Consistent positions, velocities, accelerations and multipliers of a finalized system.
system::State start(system::System& system);

/// Steps of generalized-alpha from a consistent start to `duration`.
system::State run_generalized_alpha(system::System& system, double duration, int n_steps,
                                    const integrators::GeneralizedAlphaOptions& options);

/// Steps of PetscTs from a consistent start to `duration`.
system::State run_petsc_ts(system::System& system, double duration,
                           const integrators::PetscTsOptions& options);

/// Case A01: 1 kg at the end of a massless rod of 1 m, horizontal at rest at (-1, 0); gravity 9.81
/// along -y. `joints` hold it at the origin with axis z.
std::unique_ptr<system::System> make_simple_pendulum(
    const std::vector<joints::JointType>& joints = {joints::JointType::revolute});

/// Case A05: the heavy top of Bruls, Cardona & Arnold (2012).
std::unique_ptr<system::System> make_heavy_top();

/// A disc of 2 kg at (0.2, 0, 0) on a revolute joint at the origin ("bearing", about z), with one
/// drive per angle, an expression of t: "drive 1", "drive 2" ...
std::unique_ptr<system::System> make_driven_disc(const std::vector<std::string>& angles);

/// Kinetic, strain and potential energy, J.
double total_energy(system::System& system, const system::State& state);

}  // namespace solidyn::testing_support
