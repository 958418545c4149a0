// The analysis `inverse_dynamics`, with multipliers for all joints, against the sweeps of relative
// coordinates, which share no formula with it; the arm is that of reference problem E06.
#include "solidyn/recursive/inverse_dynamics.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "reference_tree.h"
#include "solidyn/analyses/dynamics.h"
#include "solidyn/base/error.h"
#include "solidyn/recursive/articulated_bodies.h"
#include "solidyn/system/connect.h"

namespace solidyn {
namespace {

using analyses::Dynamics;
using analyses::DynamicsOptions;
using analyses::InverseDynamics;
using Eigen::VectorXd;
using testing_support::ReferenceTree;

constexpr int kHinges = 3;
constexpr std::array<double, kHinges> kFrom = {0.0, -0.6, 1.0}, kTo = {1.2, 0.3, -0.2};

// Each hinge from its start to its end within so long, s.
struct DrivenArm {
  explicit DrivenArm(double seconds, int n_driven = kHinges) {
    nlohmann::json file = testing_support::reference_data("e06_flexible_arm.json");
    std::vector<double> q(11, 0.0);
    q[5] = kFrom[1];
    q[10] = kFrom[2];
    file["q"] = q;
    file["v"] = file["generalised_force"] = std::vector<double>(11, 0.0);
    tree.add_all(file);
    for (int i = 0; i < n_driven; ++i)
      drives.push_back(system::add_rotation_drive(
          tree.system(), fmt::format("drive{}", i),
          math::TimeFunction::expression(
              fmt::format("{}+{}*smooth_step(t,0,{})", kFrom[i], kTo[i] - kFrom[i], seconds)),
          {tree.hinge(i).frame_A(), tree.hinge(i).frame_B()}));
    tree.finish();
  }
  Eigen::Vector3d torques(const system::State& state) {
    Eigen::Vector3d torques;
    for (int i = 0; i < kHinges; ++i)
      torques[i] = -state.lambda[tree.system().layout().constraint_offset(drives[i])];
    return torques;
  }
  ReferenceTree tree;
  std::vector<bodies::ConstraintIndex> drives;
};

DynamicsOptions options_of(InverseDynamics inverse, double seconds, double step) {
  DynamicsOptions options;
  options.inverse = inverse;
  options.duration = seconds;
  options.step = step;
  if (inverse == InverseDynamics::quasi_static)
    options.integrator = analyses::IntegratorKind::kinematics;
  else
    options.elastic_start = analyses::ElasticStart::quasi_static;
  return options;
}

// Modes rest, have no forces that they do not balance, and hinges need what the drives give.
TEST(InverseDynamicsAnalysis, IsInEquilibriumInItsQuasiStaticShape) {
  constexpr double kSeconds = 2.0;
  DrivenArm arm(kSeconds);
  system::System& system = arm.tree.system();
  Dynamics dynamics(system, options_of(InverseDynamics::quasi_static, kSeconds, 0.1));
  dynamics.start_from(arm.tree.state());
  recursive::Tree tree(system);
  double largest_deflection = 0.0;
  while (!dynamics.is_done()) {
    dynamics.advance();
    system.update(dynamics.state());
    VectorXd q, u, du = VectorXd::Zero(tree.n_speeds()), T;
    tree.find_coordinates(dynamics.state(), q, u);
    tree.follow_laws(dynamics.state().t, q, u, du);
    tree.compute_motion(q.data(), u.data());
    recursive::ArticulatedBodies(tree).set_forces_to_zero();
    recursive::InverseDynamics(tree).compute(system.gravity(), du, T);
    const Eigen::Vector3d expected(T[tree.links()[0].u], T[tree.links()[1].u],
                                   T[tree.links()[2].u]);
    EXPECT_LT((arm.torques(dynamics.state()) - expected).norm(), 1e-8 * (1.0 + expected.norm()));
    for (const recursive::Link& k : tree.links()) {
      if (k.modes < 0) continue;
      const int n = tree.modes()[k.modes].n;
      EXPECT_LT(T.segment(k.u + k.n_speeds, n).norm(), 1e-7);
      EXPECT_LT(u.segment(k.u + k.n_speeds, n).norm(), 1e-12);
      largest_deflection =
          std::max(largest_deflection, tree.modes()[k.modes].q_e.lpNorm<Eigen::Infinity>());
    }
  }
  EXPECT_GT(largest_deflection, 0.01);  // m, no small one
}

// What vibrates in a motion without jumps is the less the slower it is.
TEST(InverseDynamicsAnalysis, HasDynamicTorquesNearQuasiStaticOnesInSlowMotion) {
  std::vector<double> differences;
  for (const double seconds : {4.0, 16.0}) {
    double worst = 0.0;
    std::vector<Eigen::Vector3d> found[2];
    for (const auto inverse : {InverseDynamics::quasi_static, InverseDynamics::dynamic}) {
      DrivenArm arm(seconds);
      Dynamics dynamics(arm.tree.system(), options_of(inverse, seconds, seconds / 200.0));
      dynamics.start_from(arm.tree.state());
      while (!dynamics.is_done()) {
        dynamics.advance();
        found[static_cast<int>(inverse) - 1].push_back(arm.torques(dynamics.state()));
      }
    }
    ASSERT_EQ(found[0].size(), found[1].size());
    for (std::size_t i = 0; i < found[0].size(); ++i)
      worst = std::max(worst, (found[0][i] - found[1][i]).norm());
    differences.push_back(worst);
  }
  EXPECT_LT(differences[1], 0.1 * differences[0]);
  EXPECT_LT(differences[1], 0.05);  // N m, of 20
}

TEST(InverseDynamicsAnalysis, NamesBodiesThatNoDriveMoves) {
  for (const auto inverse : {InverseDynamics::quasi_static, InverseDynamics::dynamic}) {
    DrivenArm arm(1.0, 2);
    Dynamics dynamics(arm.tree.system(), options_of(inverse, 1.0, 0.1));
    try {
      dynamics.start_from(arm.tree.state());
      FAIL() << "nothing was thrown";
    } catch (const base::InputError& e) {
      EXPECT_THAT(e.what(), testing::HasSubstr("inverse_dynamics: the drives leave 1 motion of "
                                               "the mechanism free; these bodies can move: "));
    }
  }
}

}  // namespace
}  // namespace solidyn
