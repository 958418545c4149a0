// Corners of the laws of drives are told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solidyn/model/load.h"

namespace solidyn::model {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

ModelDescription driven(const std::string& law, const std::string& key = "angle") {
  return parse_model(
      "solidyn: 1\nbodies: {a: {type: rigid, mass: 1, inertia: [1, 1, 1]}}\njoints:\n"
      "  hinge: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 0, 1]}\n"
      "  motor: {type: rotation_drive, joint: hinge, " +
          key + ": " + law +
          "}\n"
          "analyses: [{dynamics: {duration: 1, step: 1e-3}}]\n",
      "model.yaml", ".", {});
}

std::string told(const std::string& law) {
  const ModelDescription model = driven(law);
  EXPECT_THAT(model.warnings, SizeIs(1)) << law;
  return model.warnings.empty() ? "" : model.warnings[0].what;
}

const std::string kTable = "{table: [[0, 0], [0.15, 0.1], [0.33, 2], [1, 0]], interpolation: ";

TEST(LawCorner, OfALinearTableIsItsSharpestPoint) {
  EXPECT_THAT(
      told(kTable + "linear}"),
      HasSubstr("joints.motor.angle: its rate jumps from 10.6 to -2.99 (SI) at t = 0.33 s"));
}

TEST(LawCorner, OfAnExpressionIsFoundBetweenAnyInstants) {
  for (const char* law :
       {"\"max(t - 0.1234, 0)\"", "\"ramp(t, 0.1234, 3)\"", "\"abs(t - 0.1234)\""})
    EXPECT_THAT(told(law), HasSubstr("at t = 0.1234 s")) << law;
}

TEST(LawCorner, OfAStepIsTold) {
  EXPECT_THAT(told("\"t < 0.7 ? 0 : 0.1\""),
              HasSubstr("joints.motor.angle is discontinuous at t = 0.7 s"));
}

TEST(LawCorner, OfSmoothLawsThereIsNone) {
  for (const char* law :
       {"\"40 + t\"", "\"t^2\"", "\"sin(300*t)\"", "\"smooth_step(t, 0.1, 0.11)\"",
        "\"max(t - 0.5, 0)^2\"", "\"0.001*cos(20*t) + 10000\""})
    EXPECT_THAT(driven(law).warnings, SizeIs(0)) << law;
  for (const char* way : {"cubic}", "akima}"})
    EXPECT_THAT(driven(kTable + way).warnings, SizeIs(0)) << way;
  EXPECT_THAT(driven(kTable + "linear}", "angular_velocity").warnings, SizeIs(0));
}

}  // namespace
}  // namespace solidyn::model
