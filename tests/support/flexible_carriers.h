#pragma once
#include "random_bodies.h"
#include "solidyn/forces/force.h"
#include "solidyn/system/system.h"

/// What a force must satisfy whoever carries it: flexible bodies with frames of second order, and
/// the difference quotients of what it adds to their residual.
namespace solidyn::testing_support {

/// r of one state, and its derivatives by positions, velocities and multipliers.
struct ForceTangent {
  Eigen::MatrixXd K, D, L;
};

class FlexibleCarriers {
 public:
  /// Bodies of three modes, anywhere.
  FlexibleCarriers(int n_bodies, unsigned seed);
  /// A frame anywhere on a body, or on the ground.
  bodies::FrameIndex add_frame(bodies::BodyIndex body);
  /// No more is added; random positions, velocities and multipliers.
  void set_in_motion();

  system::System& system() { return system_; }
  system::State& state() { return state_; }
  std::mt19937& generator() { return generator_; }

  /// What a force adds to the rows of its bodies.
  Eigen::VectorXd residual(const forces::Force& force, const system::State& state);
  Eigen::VectorXd residual(const forces::Force& force) { return residual(force, state_); }
  /// Velocities of a force's bodies.
  Eigen::VectorXd velocities(const forces::Force& force) const;
  /// As the force says.
  ForceTangent tangent(const forces::Force& force);
  /// By central differences.
  ForceTangent differences(const forces::Force& force);
  /// Both, which agree to tolerance times their size. @return the force's
  ForceTangent expect_exact_tangent(const forces::Force& force, double tolerance);
  double power(const forces::Force& force);
  /// d(energy)/dt by central differences along the state's velocities.
  double energy_rate(const forces::Force& force);

 private:
  std::vector<int> columns(const forces::Force& force) const;

  MassCloud cloud_;
  std::mt19937 generator_;
  system::System system_;
  system::State state_;
};

}  // namespace solidyn::testing_support
