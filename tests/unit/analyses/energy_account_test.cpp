// The account of energies that a run keeps.
#include "analyses/energy_account.h"

#include <gtest/gtest.h>

#include <limits>

#include "mechanisms.h"
#include "solidyn/analyses/dynamics.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/system/connect.h"

namespace solidyn::analyses {
namespace {

using Eigen::Vector3d;

bodies::Energy energy(double kinetic, double strain, double potential) {
  bodies::Energy e;
  e.kinetic = kinetic;
  e.strain = strain;
  e.potential = potential;
  return e;
}

TEST(EnergyAccount, RemembersTheLargestImbalanceWithItsSign) {
  EnergyAccount account;
  account.begin(energy(1.0, 2.0, 1000.0));
  account.count(energy(1.5, 2.0, 1000.0));
  EXPECT_DOUBLE_EQ(account.imbalance, 0.5);
  account.work = 2.0;
  account.count(energy(1.5, 2.0, 1000.0));
  EXPECT_DOUBLE_EQ(account.imbalance, -1.5);
  account.count(energy(3.0, 2.0, 1000.0));
  EXPECT_DOUBLE_EQ(account.imbalance, -1.5);  // now 0
  account.count(energy(std::numeric_limits<double>::quiet_NaN(), 2.0, 1000.0));
  EXPECT_TRUE(std::isnan(account.imbalance));  // what is no number is not hidden
}

// A constant potential, however large, is nothing that was exchanged.
TEST(EnergyAccount, ExchangesTheLargestOfKineticEnergyAndChanges) {
  EnergyAccount account;
  account.begin(energy(0.0, 5.0, 1e6));
  EXPECT_EQ(account.exchanged, 0.0);
  account.count(energy(0.25, 5.0, 1e6 - 1.0));
  EXPECT_DOUBLE_EQ(account.exchanged, 1.0);
  account.count(energy(0.0, 2.0, 1e6));
  EXPECT_DOUBLE_EQ(account.exchanged, 3.0);
  account.turned_over = 7.0;
  account.count(energy(4.0, 5.0, 1e6));
  EXPECT_DOUBLE_EQ(account.exchanged, 7.0);
  account.count(energy(9.0, 5.0, 1e6));
  EXPECT_DOUBLE_EQ(account.exchanged, 9.0);
}

// 3 kg on a damper of 2 N s/m, pushed with 6 N at the speed of 3 m/s at which they balance: nothing
// is left of 18 W that go in, and 36 W are turned over.
struct Pushed {
  Pushed() {
    system::InitialMotion motion;
    motion.v_WB = Vector3d(3, 0, 0);
    const auto body = system.add_body(
        bodies::make_rigid_body("mass", 3.0, Vector3d::Zero(), Eigen::Matrix3d::Identity()),
        motion);
    const auto ground =
                   system::add_frame(system, system::kGround, Vector3d::Zero(), Vector3d::UnitX()),
               centre = system::add_frame(system, body, Vector3d::Zero(), Vector3d::UnitX());
    forces::SpringDamper::Options options;
    options.damping = 2.0;
    system::add_spring(system, "damper", bodies::PointAlongFrameAxis(Vector3d::UnitZ()), options,
                       {ground, centre});
    system::add_load(
        system, "push", centre,
        {math::TimeFunction::constant(6.0), math::TimeFunction(), math::TimeFunction()});
    system.finalize();
  }
  system::System system;
};

TEST(TurnedOver, CountsWhatBalancesTwice) {
  Pushed pushed;
  const system::State state = testing_support::start(pushed.system);
  pushed.system.update(state);
  const Eigen::VectorXd powers = pushed.system.external_powers(state);
  EXPECT_NEAR(powers.sum(), 0.0, 1e-12);
  EXPECT_NEAR(turned_over(pushed.system, 0.0, powers).sum(), 36.0, 1e-12);
}

TEST(MonitorOfARun, HasTheWorkOfLoadsAndDampers) {
  for (const IntegratorKind kind : {IntegratorKind::generalized_alpha, IntegratorKind::hht,
                                    IntegratorKind::bdf, IntegratorKind::runge_kutta}) {
    Pushed pushed;
    DynamicsOptions options;
    options.duration = 0.5;
    options.step = 0.01;
    options.integrator = kind;
    Dynamics dynamics(pushed.system, options);
    dynamics.start();
    while (!dynamics.is_done()) dynamics.advance();
    dynamics.observe();
    const Monitor& m = dynamics.monitor();
    EXPECT_NEAR(m.energy.kinetic, 13.5, 1e-9);
    EXPECT_NEAR(m.balance.work, 0.0, 1e-9);
    EXPECT_NEAR(m.balance.turned_over, 18.0, 1e-6);
    EXPECT_NEAR(m.balance.exchanged, 18.0, 1e-6);
    EXPECT_NEAR(m.balance.imbalance, 0.0, 1e-9);
    EXPECT_FALSE(m.start_failed);
    EXPECT_TRUE(m.islands.empty());
    EXPECT_NEAR(dynamics.state().q[0], 1.5, 1e-9);
  }
}

}  // namespace
}  // namespace solidyn::analyses
