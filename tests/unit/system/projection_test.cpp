// The nearest state that satisfies the constraints.
#include "solidyn/system/projection.h"

#include <gmock/gmock.h>

#include <random>

#include "linkages.h"
#include "mechanisms.h"
#include "solidyn/system/scales.h"

namespace solidyn::system {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::AllOf;
using testing::HasSubstr;

VectorXd random_numbers(Eigen::Index n, double size, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-size, size);
  return VectorXd::NullaryExpr(n, [&] { return number(random); });
}

int project(System& system, State& state) {
  auto solver =
      solvers::make_linear_solver(solvers::Preset::automatic, system.layout().n_unknowns());
  system.set_pattern(*solver);
  VectorXd r, phi;
  State exact = system.make_state();
  system.update(exact);
  system.compute_residual(exact, r, phi);
  const Redundancy redundancy =
      find_redundancy(system, increment_weights(system, characteristic_length(system)));
  ProjectionOptions options;
  options.rows = IndependentRows(redundancy.rows);
  system.update(state);
  return project_onto_constraints(system, state, options, *solver);
}

// What is left of Phi, and of G v - nu.
std::pair<double, double> violations(System& system, const State& state) {
  VectorXd r, phi, nu, gamma, Gv;
  system.update(state);
  system.compute_residual(state, r, phi);
  system.update_accelerations();
  system.compute_rates(state, nu, gamma);
  system.multiply_G(state.v, Gv);
  return {phi.lpNorm<Eigen::Infinity>(), (Gv - nu).lpNorm<Eigen::Infinity>()};
}

// By its definition: the part of the residual that accelerations cause.
MatrixXd mass_matrix(System& system, const State& state) {
  State s = state.clone();
  s.a.setZero();
  VectorXd without, with, phi;
  system.update(s);
  system.compute_residual(s, without, phi);
  MatrixXd M(s.a.size(), s.a.size());
  for (Eigen::Index i = 0; i < s.a.size(); ++i) {
    s.a = VectorXd::Unit(s.a.size(), i);
    system.update(s);
    system.compute_residual(s, with, phi);
    M.col(i) = with - without;
  }
  system.update(state);
  return M;
}

// One of its rows depends on others.
TEST(Projection, MeetsDependentConstraintsByTheSmallestChangeInTheMassMetric) {
  const auto bricard = testing_support::make_bricard();
  State state = testing_support::start(*bricard);
  std::mt19937 random(3);
  const VectorXd q = state.q;
  bricard->advance(q, random_numbers(state.v.size(), 1e-3, random), state.q);
  state.v = random_numbers(state.v.size(), 1.0, random);
  const VectorXd before = state.v;
  EXPECT_GT(violations(*bricard, state).first, 1e-4);
  project(*bricard, state);
  const auto [positions, velocities] = violations(*bricard, state);
  EXPECT_LT(positions, 1e-12);
  EXPECT_LT(velocities, 1e-11);
  // No change lies along what the constraints allow.
  const MatrixXd M = mass_matrix(*bricard, state);
  Eigen::FullPivLU<MatrixXd> lu(Eigen::MatrixXd(bricard->sparse_G()));
  const MatrixXd free = lu.setThreshold(1e-8).kernel();
  EXPECT_EQ(free.cols(), 1);
  const double along = (free.transpose() * M * (state.v - before)).norm();
  EXPECT_LT(along, 2e-3 * free.norm() * (M * (state.v - before)).norm());  // G was of another place
}

TEST(Projection, LeavesConsistentStatesAlone) {
  for (const auto& system : {testing_support::make_bricard(), testing_support::make_heavy_top()}) {
    State state = testing_support::start(*system);
    const State before = state.clone();
    EXPECT_EQ(project(*system, state), 0);
    EXPECT_EQ(state.q, before.q);
    EXPECT_EQ(state.v, before.v);
  }
}

TEST(Projection, FollowsDrives) {
  const auto disc = testing_support::make_driven_disc({"0.3*t + t^2"});
  State state = testing_support::start(*disc);
  state.t = 0.1;
  project(*disc, state);
  const double angle = 0.3 * 0.1 + 0.01, speed = 0.5;
  EXPECT_NEAR(state.q[0], 0.2 * std::cos(angle), 1e-12);
  EXPECT_NEAR(state.q[1], 0.2 * std::sin(angle), 1e-12);
  EXPECT_NEAR(state.v[5], speed, 1e-12);
  EXPECT_NEAR(state.v.head<3>().norm(), 0.2 * speed, 1e-12);
}

TEST(Projection, NamesWhatContradictsAndLeavesTheState) {
  const auto disc = testing_support::make_driven_disc({"t^2", "2*t^2"});
  State state = testing_support::start(*disc);
  state.t = 0.3;
  const State before = state.clone();
  try {
    project(*disc, state);
    FAIL() << "the disc followed two drives";
  } catch (const base::ComputationError& e) {
    EXPECT_THAT(e.what(), AllOf(HasSubstr("t = 0.3 s"), HasSubstr("driven by: "),
                                HasSubstr("drive 1"), HasSubstr("drive 2")));
  }
  EXPECT_EQ(state.q, before.q);
  EXPECT_EQ(state.v, before.v);
}

}  // namespace
}  // namespace solidyn::system
