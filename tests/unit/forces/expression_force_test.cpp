// Forces by formulas of sensors: their tangent couples all bodies that the sensors see.
#include "solidyn/forces/expression_force.h"

#include "flexible_carriers.h"

namespace solidyn::forces {
namespace {

using bodies::FrameQuantity;
using math::Expression;

const std::vector<std::string> kVariables = {"t", "angle", "slide", "swing", "y",
                                             "v", "w",     "turn",  "yaw",   "own_axes"};

// Three flexible bodies. The force acts on the second, its reaction on
// the first; sensors see all three, and the first relative to the third.
class ExpressionForceOn : public testing::TestWithParam<bool> {
 protected:
  ExpressionForceOn() : on_(3, 17) {
    const std::array<bodies::FrameIndex, 3> frames = {on_.add_frame(bodies::BodyIndex(0)),
                                                      on_.add_frame(bodies::BodyIndex(1)),
                                                      on_.add_frame(bodies::BodyIndex(2))};
    const auto ground = on_.system().add_frame(bodies::Frame());
    ExpressionForce::Options o;
    o.components = {Expression("y*v + t", kVariables),
                    Expression("3*w", kVariables),
                    Expression("slide*swing", kVariables),
                    Expression("sin(angle)*y + own_axes", kVariables),
                    Expression("turn - w*yaw", kVariables),
                    math::FunctionOfVariables::Over{
                        math::Curve({-9.0, -1.0, 0.5, 2.0, 9.0}, {3.0, 1.0, -2.0, 0.0, 5.0},
                                    math::TimeFunction::Interpolation::cubic),
                        5, "v", 0.8, 1.7}};
    o.force_scale = 2.0;
    o.torque_scale = 0.5;
    o.t_scale = 0.1;
    using Of = CoordinateMeasure::Of;
    const auto add = [&](bodies::FrameIndex A, bodies::FrameIndex B,
                         const bodies::Coordinate& coordinate, Of of) {
      o.measures.push_back(std::make_unique<CoordinateMeasure>(
          on_.system().tracked_link(A, B, coordinate), coordinate, of));
    };
    add(ground, frames[2], bodies::RotationAngle(), Of::value);
    add(frames[0], frames[2], bodies::PointAlongFrameAxis(Eigen::Vector3d::UnitX()), Of::rate);
    add(frames[1], frames[2], bodies::angle_about_arm(2), Of::rate);
    o.measures.push_back(frame_measure(FrameQuantity::position, frames[0], frames[2], 1));
    o.measures.push_back(frame_measure(FrameQuantity::velocity, frames[1], frames[0], 3));
    o.measures.push_back(
        frame_measure(FrameQuantity::angular_velocity, frames[2], bodies::kWorld, 0));
    o.measures.push_back(frame_measure(FrameQuantity::orientation, frames[1], frames[2], 2));
    o.measures.push_back(angle_measure({2, 1, 0}, frames[1], frames[0], 0));
    o.measures.push_back(
        frame_measure(FrameQuantity::velocity, frames[1], frames[0], 1, frames[2]));
    o.measure_scale = {0.7, 1.2, 0.9, 1.0, 1.3, 1.0, 1.0, 1.0, 1.0};
    o.is_in_body_axes = GetParam();
    force_ = std::make_unique<ExpressionForce>(
        "force", on_.system().link(frames[0], frames[1]), std::move(o),
        SystemLayout{
            {bodies::BodyIndex(0), bodies::BodyIndex(1), bodies::BodyIndex(2), bodies::kGround},
            {9, 9, 9}});
    on_.set_in_motion();
    on_.state().t = 0.3;
  }

  testing_support::FlexibleCarriers on_;
  std::unique_ptr<ExpressionForce> force_;
};
INSTANTIATE_TEST_SUITE_P(BodyAxes, ExpressionForceOn, testing::Bool());

TEST_P(ExpressionForceOn, TangentIsTheDerivativeOfTheResidual) {
  ASSERT_EQ(force_->bodies(),
            (std::vector<bodies::BodyIndex>{bodies::BodyIndex(0), bodies::BodyIndex(1),
                                            bodies::BodyIndex(2)}));
  const auto tangent = on_.expect_exact_tangent(*force_, 1e-7);
  EXPECT_GT(tangent.K.rightCols(9).norm(), 1.0);
  EXPECT_GT(tangent.D.rightCols(9).norm(), 1.0);
}

TEST_P(ExpressionForceOn, PowerIsThatOfTheGeneralisedForce) {
  const Eigen::VectorXd r = on_.residual(*force_);
  EXPECT_NEAR(on_.power(*force_), -r.dot(on_.velocities(*force_)), 1e-10 * r.norm());
}

}  // namespace
}  // namespace solidyn::forces
