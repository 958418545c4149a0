// Friction whose static coefficient is never reached is told, in contacts and in joints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solidyn/model/load.h"

namespace solidyn::model {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

ModelDescription with(const std::string& where, double stribeck_speed) {
  const std::string friction = "friction: {static: 0.3, dynamic: 0.2, transition_speed: 1e-3, " +
                               ("stribeck_speed: " + std::to_string(stribeck_speed)) + "}";
  const std::string contact =
      "contacts: {floor: {between: [ground, box], first: {shape: plane, axis: [0, 0, 1]}, second: {shape: sphere, radius: 0.1}, law: {type: hertz, stiffness: 1e6}, " +
      friction + "}}";
  const std::string joint =
      "joints: {guide: {type: prismatic, between: [ground, box], at: [0, 0, 0], axis: [1, 0, 0], " +
      friction + "}}";
  return parse_model("solidyn: 1\nbodies: {box: {type: rigid, mass: 1, inertia: [1, 1, 1]}}\n" +
                         (where == "contact" ? contact : joint) +
                         "\nanalyses: [{dynamics: {duration: 1, step: 1e-3}}]\n",
                     "model.yaml", ".", {});
}

TEST(Friction, WarnsOfAStaticCoefficientThatIsNeverReached) {
  for (const char* where : {"contact", "joint"}) {
    const ModelDescription model = with(where, 2e-3);
    ASSERT_THAT(model.warnings, SizeIs(1)) << where;
    EXPECT_THAT(model.warnings[0].what,
                HasSubstr("friction.static is 0.3, but the effective coefficient never exceeds"));
    // (0.2 + 0.1 exp(-v^2/4)) v / sqrt(v^2 + 1) is 0.2143 at most, at v = 1.63 (of v_0).
    EXPECT_THAT(model.warnings[0].what, HasSubstr("exceeds 0.214:"));
    EXPECT_THAT(with(where, 1e-2).warnings, SizeIs(0)) << where;
  }
}

}  // namespace
}  // namespace solidyn::model
