// Friction in joints: tangents by positions, velocities and multipliers, and how much it is.
#include "solidyn/joints/joint_friction.h"

#include "flexible_carriers.h"
#include "solidyn/joints/curve.h"

namespace solidyn::joints {
namespace {

const bodies::PointAlongFrameAxis kX(Eigen::Vector3d::UnitX()), kY(Eigen::Vector3d::UnitY()),
    kZ(Eigen::Vector3d::UnitZ());

using Turning = JointFriction::Turning;
using Presses = JointFriction::Options::Presses;

struct FrictionCase {
  const char* name;
  JointType type;
  std::vector<Coordinate> slides;
  Turning turns;
  double thrust = 0.0, rounding = 0.0, pitch = 0.0;
  Presses presses = Presses::all;
};

class JointFrictionOn : public testing::TestWithParam<FrictionCase> {
 protected:
  JointFrictionOn() : on_(2, 31) {
    const auto A = on_.add_frame(bodies::BodyIndex(0)), B = on_.add_frame(bodies::BodyIndex(1));
    const JointRows rows =
        GetParam().pitch > 0.0 ? screw_rows(GetParam().pitch) : joint_rows(GetParam().type);
    auto joint =
        std::make_unique<Joint>("joint", on_.system().link(A, B), rows.primitives, rows.names);
    JointFriction::Options o;
    o.law.static_coefficient = 0.3;
    o.law.dynamic_coefficient = 0.2;
    o.law.transition_speed = 1.0;
    o.law.stribeck_speed = 2.0;
    o.slides = GetParam().slides;
    o.turns = GetParam().turns;
    o.radius = 0.7;
    o.moment_arm = 0.9;
    o.preload = 0.5;
    o.rounding = GetParam().rounding;
    o.thrust = GetParam().thrust;
    o.presses = GetParam().presses;
    friction_ = std::make_unique<JointFriction>("friction", *joint, bodies::ConstraintIndex(0), o);
    on_.system().add_constraint(std::move(joint));
    on_.set_in_motion();
  }

  testing_support::FlexibleCarriers on_;
  std::unique_ptr<JointFriction> friction_;
};
INSTANTIATE_TEST_SUITE_P(
    Joints, JointFrictionOn,
    testing::Values(
        FrictionCase{"revolute", JointType::revolute, {}, Turning::about_z},
        FrictionCase{"revolute_with_thrust", JointType::revolute, {}, Turning::about_z, 0.6},
        FrictionCase{"revolute_rounded", JointType::revolute, {}, Turning::about_z, 0.6, 2.0},
        FrictionCase{"revolute_of_preload",
                     JointType::revolute,
                     {},
                     Turning::about_z,
                     0.6,
                     2.0,
                     0.0,
                     Presses::preload},
        FrictionCase{"prismatic", JointType::prismatic, {kZ}, Turning::none},
        FrictionCase{"prismatic_rounded", JointType::prismatic, {kZ}, Turning::none, 0.0, 2.0},
        FrictionCase{"cylindrical", JointType::cylindrical, {kZ}, Turning::about_z},
        FrictionCase{"screw", {}, {kZ}, Turning::about_z, 1.1, 0.0, 0.8},
        FrictionCase{"planar", JointType::planar, {kX, kY}, Turning::about_z, 1.0},
        FrictionCase{"planar_rounded", JointType::planar, {kX, kY}, Turning::none, 1.0, 2.0},
        FrictionCase{"spherical", JointType::spherical, {}, Turning::any},
        FrictionCase{"spherical_rounded", JointType::spherical, {}, Turning::any, 0.0, 2.0},
        FrictionCase{"first_arm", JointType::universal, {}, Turning::about_first_arm},
        FrictionCase{"second_arm", JointType::universal, {}, Turning::about_second_arm}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_P(JointFrictionOn, TangentIsTheDerivativeOfTheResidual) {
  const auto tangent = on_.expect_exact_tangent(*friction_, 1e-8);
  EXPECT_GT(tangent.D.norm(), 0.01);
  if (GetParam().presses == Presses::preload) {
    EXPECT_EQ(tangent.L.norm(), 0.0);
    return;
  }
  EXPECT_GT(tangent.K.norm(), 0.1);
  EXPECT_GT(tangent.L.norm(), 0.01);
}

TEST_P(JointFrictionOn, TakesEnergy) {
  const Eigen::VectorXd r = on_.residual(*friction_);
  const double power = on_.power(*friction_);
  EXPECT_LT(power, -1e-4);
  EXPECT_NEAR(power, -r.dot(on_.velocities(*friction_)), 1e-12 * r.norm());
}

// Steps that meet constraints by positions leave velocities that do not satisfy them.
TEST_P(JointFrictionOn, PointsAsVelocitiesThatSatisfyTheConstraints) {
  system::State with = on_.state().clone();
  with.v = 3.0 * testing_support::random_vector(on_.generator(), static_cast<int>(with.v.size()));
  with.velocity_correction = on_.state().v - with.v;
  EXPECT_LT((on_.residual(*friction_, with) - on_.residual(*friction_)).norm(), 1e-12);
  const double power = on_.power(*friction_);
  on_.state().copy_from(with);
  EXPECT_NEAR(on_.power(*friction_), power, 1e-12);
  // By positions but for what these make of the correction.
  const auto exact = on_.tangent(*friction_), differences = on_.differences(*friction_);
  EXPECT_LT((exact.D - differences.D).norm(), 1e-8 * exact.D.norm());
  EXPECT_LT((exact.L - differences.L).norm(), 1e-8 * exact.L.norm() + 1e-12);
}

// On a guide that bends, whatever force the guide exerts presses, and the slip is along it.
class FrictionOnACurve : public testing::Test {
 protected:
  FrictionOnACurve() : on_(2, 31) {
    std::vector<Eigen::Vector3d> points;
    for (int i = 0; i < 9; ++i)
      points.emplace_back(4.0 * i - 16.0, 0.05 * i * i, 2.0 * std::sin(0.7 * i));
    const PointOnCurve curve = point_on_curve(
        "joint", std::make_shared<const SpaceCurve>(points, false), Eigen::Vector3d::Zero());
    const auto A = on_.add_frame(bodies::BodyIndex(0)), B = on_.add_frame(bodies::BodyIndex(1));
    auto joint =
        std::make_unique<Joint>("joint", on_.system().tracked_link(A, B, curve.rows.tracked),
                                curve.rows.primitives, curve.rows.names);
    JointFriction::Options o;
    o.law.static_coefficient = o.law.dynamic_coefficient = 0.3;
    o.law.transition_speed = 1e-3;
    along_ = curve.arc_length;
    o.slides = {along_};
    o.presses_any_way = true;
    friction_ = std::make_unique<JointFriction>("friction", *joint, bodies::ConstraintIndex(0), o);
    joint_ = joint.get();
    on_.system().add_constraint(std::move(joint));
    on_.set_in_motion();
  }
  testing_support::FlexibleCarriers on_;
  const Joint* joint_;
  Coordinate along_ = bodies::Distance();
  std::unique_ptr<JointFriction> friction_;
};

TEST_F(FrictionOnACurve, TangentIsTheDerivativeOfTheResidual) {
  const auto tangent = on_.expect_exact_tangent(*friction_, 1e-6);
  EXPECT_GT(tangent.K.norm(), 0.01);
  EXPECT_GT(tangent.L.norm(), 0.01);
}

TEST_F(FrictionOnACurve, IsTheCoefficientTimesTheWholeForce) {
  on_.system().update(on_.state());
  const bodies::Kinematics& k = on_.system().kinematics();
  const bodies::Vector12 pressing = joint_->reaction(k, k.multipliers[bodies::ConstraintIndex(0)]);
  const bodies::FramePair f = joint_->link().pair(k);
  const double row = value_of(along_, f).J.segment<3>(6).norm();  // 1 on the curve
  const bodies::Vector12 rubs = friction_->pair_wrench(k, 0.0)->wrench;
  EXPECT_NEAR(rubs.segment<3>(6).norm(), 0.3 * pressing.segment<3>(6).norm() * row,
              1e-5 * pressing.norm());
  EXPECT_LT(rubs.dot(f.twist()), 0.0);
}

}  // namespace
}  // namespace solidyn::joints
