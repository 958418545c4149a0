#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include "law_values.h"
#include "model/bodies/body_entry.h"
#include "model/loads/catalogue.h"
#include "model/supports/support.h"
#include "solidyn/bodies/line_load.h"
#include "solidyn/bodies/solid_body.h"
#include "solidyn/model/build.h"
#include "solidyn/model/load.h"

namespace solidyn::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Kind = reduction::LoadDefinition::Kind;

const std::filesystem::path kHere = std::filesystem::path(SOLIDYN_SOURCE_DIR) / "tests/unit/model";

// A load of each type.
const char* const kLoaded = R"(solidyn: 1
units: {length: mm, force: N}
materials:
  steel: {youngs_modulus: 210000, poissons_ratio: 0.3, density: 7.85e-6}
bodies:
  box: {type: rigid, mass: 1, inertia: [1, 1, 1]}
  mast:
    type: beam
    material: steel
    section: {type: circle, radius: 5}
    points: {foot: [2000, 0, 0], top: [3000, 0, 0]}
    elements: 4
  skin: {type: inertial, mesh: rod.msh, material: steel}
loads:
  push: {type: force, at: box, force: [0, "10*t", 0], torque: [1000, 0, 0], axes: body}
  wind: {type: pressure, body: skin, faces: {in_set: top}, pressure: "2*t", follows: deformed}
  shear: {type: traction, body: skin, faces: {in_set: top}, traction: [3, 0, 0]}
  pull: {type: nodal_force, body: skin, nodes: {in_set: root}, force: [0, 0, 4]}
  snow: {type: distributed, body: mast, force: [0, 0, "-t"], between: [foot, top]}
supports:
  wall: {body: skin, nodes: {in_set: root}, fix: [x, z], displacement: [0, 0, "5*t"]}
analyses:
  - dynamics: {duration: 1, step: 1e-3}
)";

ModelDescription loaded(const std::vector<std::string>& overrides = {}) {
  return parse_model(kLoaded, "model.yaml", kHere, overrides);
}

std::string refusal_with(const std::string& override_text) {
  try {
    loaded({override_text});
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LoadCatalogue, EntriesSayWhereTheyAct) {
  std::vector<std::string> places;
  for (const auto& load : loaded().loads) places.push_back(load->acts_on());
  EXPECT_THAT(places, ElementsAre("on box, follows", "on body skin, follows", "on body skin",
                                  "on body skin", "on body mast"));
}

// Every type is of a place, of a mesh or of a beam, and of one of them alone.
TEST(LoadCatalogue, EachBodyTakesTheLoadsOnItAlone) {
  const ModelDescription model = loaded();
  const BodyEntry &mast = *model.find_body("mast"), &skin = *model.find_body("skin");
  std::vector<Kind> kinds;
  for (const auto& definition : load_definitions(model, skin)) kinds.push_back(definition.kind);
  EXPECT_THAT(kinds, ElementsAre(Kind::pressure, Kind::traction, Kind::nodal_force));
  EXPECT_EQ(solid_loads(model, skin).size(), 3u);
  EXPECT_TRUE(load_definitions(model, mast).empty());
  EXPECT_TRUE(solid_loads(model, mast).empty());
  const std::vector<bodies::LineLoad> lines = line_loads(model, *mast.beam(), nullptr, 4);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].parts().size(), 4u);
  EXPECT_EQ(lines[0].axes(), beams::BeamLoad::Axes::world);
}

TEST(LoadCatalogue, ComponentsOfForcesAndLoadsAlongBeamsCanBeInputs) {
  std::vector<std::string> inputs, beams;
  for (const auto& load : loaded().loads) {
    if (load->has_components()) inputs.push_back(load->name);
    if (!load->beam().empty()) beams.push_back(load->beam());
  }
  EXPECT_THAT(inputs, ElementsAre("push", "snow"));
  EXPECT_THAT(beams, ElementsAre("mast"));
}

TEST(LoadCatalogue, AForceOnAPlaceIsGivenInTimeAndHasUnits) {
  const auto built = build(PETSC_COMM_SELF,
                           parse_model(R"(solidyn: 1
bodies:
  box: {type: rigid, mass: 1, inertia: [1, 1, 1]}
loads:
  push: {type: force, at: box, force: [0, "10*t", 0]}
analyses:
  - dynamics: {duration: 1, step: 1e-3}
)",
                                       "model.yaml", kHere, {}),
                           {});
  const system::State state = built->system.make_state();
  built->system.update(state);
  const forces::Force& push = built->system.force(built->loads.at("push"));
  EXPECT_TRUE(push.is_given_in_time());
  const Eigen::VectorXd unit = push.unit_load(built->system.kinematics(), 1);
  EXPECT_EQ(unit, Eigen::VectorXd::Unit(unit.size(), 1));
}

// So that a function that cannot be evaluated is found before a run.
TEST(LoadCatalogue, FunctionsOfTimeAreVisitedByTheirKeys) {
  const auto loads = loaded().loads;
  EXPECT_DOUBLE_EQ(law_value(*loads[0], "force", 1.0, 1), 10.0);
  EXPECT_DOUBLE_EQ(law_value(*loads[0], "torque", 1.0, 0), 1.0);  // N m
  EXPECT_DOUBLE_EQ(law_value(*loads[1], "pressure", 1.0), 2e6);   // Pa
  EXPECT_DOUBLE_EQ(law_value(*loads[2], "traction", 1.0), 3e6);
  EXPECT_DOUBLE_EQ(law_value(*loads[3], "force", 1.0, 2), 4.0);
  EXPECT_DOUBLE_EQ(law_value(*loads[4], "force", 1.0, 2), -1000.0);  // N/m
  EXPECT_THAT(refusal_with("loads.wind.pressure=\"1/(t-0.5)\""), HasSubstr("loads.wind.pressure"));
  EXPECT_THAT(refusal_with("supports.wall.displacement=[\"1/(t-0.5)\", 0, 0]"),
              HasSubstr("supports.wall.displacement"));
}

TEST(LoadCatalogue, UnknownTypeIsRefusedAndNoneTakesItsPlace) {
  EXPECT_EQ(find_load_type("weight"), nullptr);
  EXPECT_THAT(refusal_with("loads.push.type=weight"),
              HasSubstr("loads.push.type: unknown type `weight`"));
}

TEST(LoadCatalogue, EachTypeSaysWhatItLacks) {
  EXPECT_THAT(refusal_with("loads.more={type: force, at: box}"),
              HasSubstr("loads.more has neither force nor torque"));
  EXPECT_THAT(refusal_with("loads.more={type: pressure, body: skin, faces: {in_set: top}}"),
              HasSubstr("loads.more.pressure is missing"));
  EXPECT_THAT(refusal_with("loads.more={type: traction, body: skin, traction: [1, 0, 0]}"),
              HasSubstr("loads.more.faces is missing"));
  EXPECT_THAT(refusal_with("loads.more={type: nodal_force, body: skin, force: [1, 0, 0]}"),
              HasSubstr("loads.more.nodes is missing"));
  EXPECT_THAT(refusal_with("loads.more={type: distributed, body: mast}"),
              HasSubstr("loads.more has neither force nor torque"));
}

TEST(Supports, MoveAlongTheComponentsThatTheyFix) {
  EXPECT_TRUE(loaded().supports[0].moves);
  const ModelDescription still = loaded({"supports.wall.displacement=[0, \"t\", 0]"});
  EXPECT_FALSE(still.supports[0].moves);
  ASSERT_EQ(still.warnings.size(), 1u);
  EXPECT_THAT(still.warnings[0].what, HasSubstr("its y has no effect"));
}

TEST(Supports, SayWhatTheyLack) {
  EXPECT_THAT(refusal_with("supports.more={body: skin, fix: [x]}"),
              HasSubstr("supports.more.nodes is missing"));
  EXPECT_THAT(refusal_with("supports.more={body: skin, nodes: {in_set: root}}"),
              HasSubstr("supports.more.fix is missing"));
  EXPECT_THAT(refusal_with("supports.more={body: box, nodes: {in_set: root}, fix: [x]}"),
              HasSubstr("`box` is of type rigid, whose nodes cannot be constrained"));
}

}  // namespace
}  // namespace solidyn::model
