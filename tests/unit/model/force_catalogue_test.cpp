#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include "model/forces/catalogue.h"
#include "solidyn/model/build.h"
#include "solidyn/model/load.h"

namespace solidyn::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A force of each type of which the library need not be compiled.
const char* const kModel = R"(solidyn: 1
units: {length: mm, force: N}
bodies:
  box: {type: rigid, mass: 1, inertia: [1, 1, 1]}
joints:
  hinge: {type: revolute, between: [ground, box], at: [0, 0, 0], axis: [0, 0, 1]}
forces:
  strut: {type: spring_damper, between: [ground, box], at_first: [0, 0, 500], stiffness: 2, actuator: "3*t"}
  torsion: {type: torsional_spring_damper, joint: hinge, damping: 0.2}
  mount: {type: bushing, between: [ground, box], at: [0, 0, 0], stiffness: [1, 1, 1, 1, 1, 1]}
  air: {type: drag, at: box, viscous: 0.5, medium_velocity: ["1000*t", 0, 0]}
  servo: {type: expression, at: box, force: [0, 0, "-2*p.z"]}
  magnet: {type: tabulated, between: [ground, box], direction: [0, 0, 1], force: {table: [[-1, 2], [500, 0]], of: p.z}, beyond: hold}
sensors:
  p: {type: position, of: box}
analyses:
  - dynamics: {duration: 1, step: 1e-3}
)";

ModelDescription parse(const std::vector<std::string>& overrides = {}) {
  return parse_model(kModel, "model.yaml", ".", overrides);
}

std::string error_with(const std::string& override_text) {
  try {
    parse({override_text});
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ForceCatalogue, RowsShowWhatTheBuiltForcesShow) {
  const auto built = build(PETSC_COMM_SELF, parse(), {});
  int n_forces = 0;
  for (const auto& [name, indices] : built->forces)
    for (const auto& entry : parse().forces)
      if (entry->name == name) {
        EXPECT_EQ(built->system.force(indices[0]).readings(),
                  find_force_type(entry->type)->readings)
            << entry->type;
        ++n_forces;
      }
  EXPECT_EQ(n_forces, 6);
}

TEST(ForceCatalogue, EntriesSayWhereTheyAct) {
  std::vector<std::string> places;
  for (const auto& force : parse().forces) places.push_back(force->acts_on());
  EXPECT_THAT(places, ElementsAre("ground - box", "on joint hinge", "ground - box", "on box",
                                  "ground - box", "ground - box, by p.z"));
}

// So that a function that cannot be evaluated is found before a run.
TEST(ForceCatalogue, FunctionsOfTimeAreVisitedByTheirKeys) {
  std::map<std::string, double> at_one;
  for (const auto& force : parse().forces)
    force->visit_laws([&](const math::TimeFunction& law, const std::string& key) {
      at_one[force->name + "." + key] += law.value(1.0);
    });
  EXPECT_DOUBLE_EQ(at_one.at("strut.actuator"), 3.0);
  EXPECT_DOUBLE_EQ(at_one.at("air.medium_velocity"), 1.0);  // m/s
  EXPECT_THAT(error_with("forces.strut.actuator=\"1/(t-0.5)\""),
              HasSubstr("forces.strut.actuator"));
}

TEST(ForceCatalogue, UnknownTypeIsRefusedAndNoneTakesItsPlace) {
  EXPECT_EQ(find_force_type("spring"), nullptr);
  EXPECT_THAT(error_with("forces.strut.type=spring"),
              HasSubstr("forces.strut.type: unknown type `spring`"));
}

TEST(ForceCatalogue, EachTypeSaysWhatItLacks) {
  EXPECT_THAT(
      error_with("forces.more={type: spring_damper, between: [ground, box], at_first: [0, 0, 1]}"),
      HasSubstr("forces.more has no force"));
  EXPECT_THAT(error_with("forces.more={type: torsional_spring_damper, damping: 1}"),
              HasSubstr("forces.more.joint is missing"));
  EXPECT_THAT(
      error_with(
          "forces.more={type: bushing, between: [ground, box], stiffness: [1, 1, 1, 1, 1, 1]}"),
      HasSubstr("forces.more.at is missing"));
  EXPECT_THAT(error_with("forces.more={type: drag, at: box}"),
              HasSubstr("forces.more has no drag"));
  EXPECT_THAT(error_with("forces.more={type: expression, at: box}"),
              HasSubstr("forces.more has neither force nor torque"));
  EXPECT_THAT(
      error_with("forces.more={type: tabulated, between: [ground, box], direction: [1, 0, 0]}"),
      HasSubstr("forces.more has neither `force` nor `torque`"));
  EXPECT_THAT(error_with("forces.more={type: plugin, between: [ground, box]}"),
              HasSubstr("forces.more.library is missing"));
}

TEST(ForceCatalogue, ATabulatedForceBetweenPointsThatMeetIsRefused) {
  try {
    build(
        PETSC_COMM_SELF,
        parse(
            {"forces.more={type: tabulated, between: [ground, box], at_first: [0, 0, 0], force: {table: [[0, 0], [1, 1]], of: p.x}}"}),
        {});
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("forces.more: its two points meet at (0, 0, 0) m"));
  }
}

}  // namespace
}  // namespace solidyn::model
