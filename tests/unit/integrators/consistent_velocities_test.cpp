// The velocities that satisfy the constraints, with which joints slip.
#include "integrators/consistent_velocities.h"

#include <gtest/gtest.h>

#include <random>

#include "linkages.h"
#include "mechanisms.h"
#include "random_bodies.h"
#include "solidyn/system/initial_conditions.h"
#include "solidyn/system/projection.h"
#include "solidyn/system/velocity_violation.h"

namespace solidyn::integrators {
namespace {

using Eigen::VectorXd;
using system::State;
using system::System;
using testing_support::random_vector;

// Bricard's loop, of which a row depends on others, with velocities that satisfy nothing.
class VelocitiesOfALoop : public testing::Test {
 protected:
  VelocitiesOfALoop()
      : loop_(testing_support::make_bricard()), state_(testing_support::start(*loop_)) {
    VectorXd phi;
    loop_->update(state_);
    loop_->compute_constraints(state_, phi);
    regularization_ = system::redundancy_regularization(*loop_);
    std::mt19937 generator(5);
    state_.v = random_vector(generator, static_cast<int>(state_.v.size()));
  }

  bool find(ConsistentVelocities& velocities) {
    VectorXd phi;
    loop_->update(state_);
    loop_->compute_constraints(state_, phi);
    return velocities.find(state_);
  }
  // G (v + e) - nu
  double violation() {
    State s = state_.clone();
    s.v += s.velocity_correction;
    VectorXd phi;
    loop_->update(s);
    loop_->compute_constraints(s, phi);
    return system::velocity_violation(*loop_, s).lpNorm<Eigen::Infinity>();
  }

  std::unique_ptr<System> loop_;
  State state_;
  double regularization_ = 0.0;
};

TEST_F(VelocitiesOfALoop, AreTheNearestInTheMetricOfTheKineticEnergy) {
  ConsistentVelocities velocities(*loop_, solvers::Preset::automatic, regularization_);
  EXPECT_TRUE(find(velocities));
  EXPECT_LT(violation(), 1e-11);
  State projected = state_.clone();
  auto solver =
      solvers::make_linear_solver(solvers::Preset::automatic, loop_->layout().n_unknowns());
  loop_->set_pattern(*solver);
  system::ProjectionOptions options;
  options.regularization = regularization_;
  system::project_onto_constraints(*loop_, projected, options, *solver);
  EXPECT_LT((state_.v + state_.velocity_correction - projected.v).norm(), 1e-9);
  EXPECT_GT(state_.velocity_correction.norm(), 0.1);
  EXPECT_EQ(projected.velocity_correction.size(), 0);
  EXPECT_FALSE(find(velocities));  // they are known
}

TEST_F(VelocitiesOfALoop, SatisfyTheConstraintsOfOtherPositionsByTheSameFactors) {
  ConsistentVelocities velocities(*loop_, solvers::Preset::automatic, regularization_);
  find(velocities);
  for (const double by : {1e-3, 0.02, 0.3}) {  // the last one needs factors of its own
    const VectorXd q = state_.q;
    loop_->advance(q, by * (state_.v + state_.velocity_correction), state_.q);
    system::assemble_positions(*loop_, state_,
                               1e-13);  // beside them its rows contradict each other
    EXPECT_TRUE(find(velocities));
    EXPECT_LT(violation(), 1e-11) << by;
  }
}

// Of each frame the twist is that of the corrected velocities, and FrameMotion's that of the
// others.
TEST_F(VelocitiesOfALoop, AreThoseOfTheTwistsThatJointsSlipWith) {
  ConsistentVelocities velocities(*loop_, solvers::Preset::automatic, regularization_);
  find(velocities);
  loop_->update(state_);
  const bodies::Kinematics k = loop_->kinematics();
  State other = state_.clone();
  other.velocity_correction.resize(0);
  loop_->update(other);
  EXPECT_TRUE(loop_->kinematics().consistent_twists.empty());
  for (const bodies::FrameIndex f : k.frames.indices())
    EXPECT_EQ(k.frames[f].v, loop_->kinematics().frames[f].v);
  other.v += state_.velocity_correction;
  loop_->update(other);
  for (const bodies::FrameIndex f : k.frames.indices()) {
    EXPECT_EQ(k.consistent_twists[f].head<3>(), loop_->kinematics().frames[f].v);
    EXPECT_EQ(k.consistent_twists[f].tail<3>(), loop_->kinematics().frames[f].w);
  }
}

}  // namespace
}  // namespace solidyn::integrators
