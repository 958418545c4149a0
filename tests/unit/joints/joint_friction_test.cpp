// Friction in joints: tangents by positions, velocities and multipliers, and how much it is.
#include "solidyn/joints/joint_friction.h"

#include "flexible_carriers.h"

namespace solidyn::joints {
namespace {

const Eigen::Vector3d kX = Eigen::Vector3d::UnitX(), kY = Eigen::Vector3d::UnitY(),
                      kZ = Eigen::Vector3d::UnitZ();

struct FrictionCase {
  const char* name;
  JointType type;
  std::vector<Eigen::Vector3d> slides;
  bool turns;
  double thrust = 0.0, rounding = 0.0, pitch = 0.0;
};

class JointFrictionOn : public testing::TestWithParam<FrictionCase> {
 protected:
  JointFrictionOn() : on_(2, 31) {
    const int A = on_.add_frame(0), B = on_.add_frame(1);
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
    friction_ = std::make_unique<JointFriction>("friction", *joint, 0, o);
    on_.system().add_constraint(std::move(joint));
    on_.set_in_motion();
  }

  testing_support::FlexibleCarriers on_;
  std::unique_ptr<JointFriction> friction_;
};
INSTANTIATE_TEST_SUITE_P(
    Joints, JointFrictionOn,
    testing::Values(FrictionCase{"revolute", JointType::revolute, {}, true},
                    FrictionCase{"revolute_with_thrust", JointType::revolute, {}, true, 0.6},
                    FrictionCase{"revolute_rounded", JointType::revolute, {}, true, 0.6, 2.0},
                    FrictionCase{"prismatic", JointType::prismatic, {kZ}, false},
                    FrictionCase{"prismatic_rounded", JointType::prismatic, {kZ}, false, 0.0, 2.0},
                    FrictionCase{"cylindrical", JointType::cylindrical, {kZ}, true},
                    FrictionCase{"screw", {}, {kZ}, true, 1.1, 0.0, 0.8},
                    FrictionCase{"planar", JointType::planar, {kX, kY}, true, 1.0},
                    FrictionCase{"planar_rounded", JointType::planar, {kX, kY}, false, 1.0, 2.0}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_P(JointFrictionOn, TangentIsTheDerivativeOfTheResidual) {
  const auto tangent = on_.expect_exact_tangent(*friction_, 1e-8);
  EXPECT_GT(tangent.K.norm(), 0.1);
  EXPECT_GT(tangent.D.norm(), 0.1);
  EXPECT_GT(tangent.L.norm(), 0.01);
}

TEST_P(JointFrictionOn, TakesEnergy) {
  const Eigen::VectorXd r = on_.residual(*friction_);
  const double power = on_.power(*friction_);
  EXPECT_LT(power, -1e-3);
  EXPECT_NEAR(power, -r.dot(on_.velocities(*friction_)), 1e-12 * r.norm());
}

}  // namespace
}  // namespace solidyn::joints
