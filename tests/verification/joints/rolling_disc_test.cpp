// A disc that rolls without slip: steady motion on a circle, and the energy of a wobbling one.
#include <gtest/gtest.h>

#include "mechanisms.h"
#include "solidyn/bodies/modal_body.h"

namespace solidyn {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using system::InitialMotion;
using system::State;
using system::System;

constexpr double kMass = 3.0, kRadius = 0.3, kAxial = 0.2, kTransverse = 0.11, kGravity = 9.81;

std::unique_ptr<System> make_disc(const InitialMotion& motion) {
  auto s = std::make_unique<System>();
  s->set_gravity(Vector3d(0, 0, -kGravity));
  s->add_body(bodies::make_rigid_body("disc", kMass, Vector3d::Zero(),
                                      Vector3d(kTransverse, kTransverse, kAxial).asDiagonal()),
              motion);
  bodies::Frame plane, centre;
  centre.body = bodies::BodyIndex(0);
  const auto A = s->add_frame(plane), B = s->add_frame(centre);
  const joints::JointRows rows = joints::rolling_rows(kRadius);
  s->add_constraint(
      std::make_unique<joints::Joint>("rolling", s->link(A, B), rows.primitives, rows.names));
  s->finalize();
  return s;
}

// The centre goes round a vertical axis at distance `circle` with the speed `turn`, the disc leans
// towards it by `lean`. With a the disc's axis, u from the contact to the centre and
// w = turn e_z + spin a, rolling gives spin = -turn (circle / r + sin lean), and Newton and Euler
//   turn^2 (C circle / r + A sin lean + m r circle) = m g r tan lean
struct SteadyCircle {
  double circle = 0.8, lean = 0.35;
  double turn() const {
    return std::sqrt(
        kMass * kGravity * kRadius * std::tan(lean) /
        (kAxial * circle / kRadius + kTransverse * std::sin(lean) + kMass * kRadius * circle));
  }
  InitialMotion start() const {
    const Vector3d axis(std::cos(lean), 0.0, std::sin(lean));
    const double spin = -turn() * (circle / kRadius + std::sin(lean));
    InitialMotion m;
    m.p_WB = Vector3d(circle, 0.0, kRadius * std::cos(lean));
    m.q_WB = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), axis);
    m.v_WB = Vector3d(0.0, turn() * circle, 0.0);
    m.w_WB_B = m.q_WB.conjugate() * Vector3d(turn() * Vector3d::UnitZ() + spin * axis);
    return m;
  }
};

integrators::GeneralizedAlphaOptions options() {
  integrators::GeneralizedAlphaOptions o;
  o.rho_infinity = 0.9;
  o.tolerance = 1e-12;
  return o;
}

TEST(RollingDisc, GoesRoundACircleAtTheSteadySpeed) {
  const SteadyCircle steady;
  const double duration = 2.0 * M_PI / steady.turn();  // one round
  const auto disc = make_disc(steady.start());
  const State end = testing_support::run_generalized_alpha(*disc, duration, 4000, options());
  const Vector3d p = end.q.head<3>();
  EXPECT_LT((p - steady.start().p_WB).norm(), 2e-5);
  disc->update(end);
  EXPECT_NEAR(std::asin(disc->kinematics().frames[bodies::FrameIndex(1)].R(2, 2)), steady.lean,
              2e-5);
}

TEST(RollingDisc, IsHeldOnItsCircleByFrictionAndWeight) {
  const SteadyCircle steady;
  const auto disc = make_disc(steady.start());
  const State start = testing_support::start(*disc);
  disc->update(start);
  const auto& joint =
      static_cast<const joints::Joint&>(disc->constraint(bodies::ConstraintIndex(0)));
  const Vector3d force = joint.reaction(disc->kinematics(), start.lambda).segment<3>(6);
  const double towards_axis = kMass * steady.circle * steady.turn() * steady.turn();
  EXPECT_LT((force - Vector3d(-towards_axis, 0.0, kMass * kGravity)).norm(), 1e-10 * force.norm());
}

TEST(RollingDisc, KeepsItsEnergyAndItsContactWhileItWobbles) {
  InitialMotion m;
  m.q_WB = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), Vector3d(1.0, 0.2, 0.3));
  m.p_WB = Vector3d(0, 0, kRadius);
  m.w_WB_B = Vector3d(0.5, -1.0, 6.0);
  const auto disc = make_disc(m);
  const State start = testing_support::start(*disc);
  const double energy = testing_support::total_energy(*disc, start);
  const State end = testing_support::run_generalized_alpha(*disc, 2.0, 4000, options());
  EXPECT_NEAR(testing_support::total_energy(*disc, end), energy, 1e-5 * energy);
  Eigen::VectorXd r, phi;
  disc->compute_residual(end, r, phi);
  EXPECT_LT(phi.norm(), 1e-9);  // height, m, and slip, m/s
}

}  // namespace
}  // namespace solidyn
