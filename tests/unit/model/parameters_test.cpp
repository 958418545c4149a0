// Parameters and arithmetic in the model file, and tables that are merged into others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "law_values.h"
#include "model/loads/load_entry.h"
#include "rigid_entry_of.h"
#include "solidyn/model/fingerprint.h"
#include "solidyn/model/load.h"

namespace solidyn::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const char* const kArm = R"yaml(solidyn: 1
parameters:
  length: 0.3
  width: "=length/10"
  density: 7850.0
  mass: "=density*length*width^2"
  amplitude: -2.0
bodies:
  arm: {type: rigid, mass: "=mass", inertia: [=mass*length^2/12, "=max(mass, 1)", =mass],
        pose: {position: [=length/2, 0, "= -width"]}}
joints:
  hinge: {type: revolute, between: [ground, arm], at: [0, 0, 0], axis: [0, 1, 0]}
loads:
  push: {type: force, at: arm, force: ["{=amplitude}*sin({=2*pi}*t)", 0, 0]}
analyses:
  - dynamics: {duration: "=length*10", step: 1e-3}
)yaml";

ModelDescription arm(const std::vector<std::string>& overrides = {}) {
  return parse_model(kArm, "arm.yaml", ".", overrides);
}

std::string error_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    parse_model(text, "model.yaml", ".", overrides);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

std::string error_with(const std::string& old_text, const std::string& new_text) {
  std::string text = kArm;
  text.replace(text.find(old_text), old_text.size(), new_text);
  return error_of(text);
}

TEST(Parameters, AreNumbersInEveryPlace) {
  const ModelDescription model = arm();
  const double mass = 7850.0 * 0.3 * 0.03 * 0.03;
  const RigidEntry& body = rigid(model, 0);
  EXPECT_DOUBLE_EQ(body.mass, mass);
  EXPECT_DOUBLE_EQ(body.inertia(0, 0), mass * 0.09 / 12.0);
  EXPECT_DOUBLE_EQ(body.inertia(1, 1), mass > 1.0 ? mass : 1.0);
  EXPECT_DOUBLE_EQ(body.pose.position.x(), 0.15);
  EXPECT_DOUBLE_EQ(body.pose.position.z(), -0.03);
  EXPECT_NEAR(law_value(*model.loads[0], "force", 0.25), -2.0, 1e-14);
  EXPECT_DOUBLE_EQ(std::get<DynamicsDescription>(model.analyses[0]).options.duration, 3.0);
  EXPECT_THAT(model.warnings, IsEmpty());
}

// What a sweep does: other parameters, and what stands for them, follow.
TEST(Parameters, AreSetFromTheCommandLine) {
  const ModelDescription model = arm({"parameters.length=0.6"});
  EXPECT_DOUBLE_EQ(rigid(model, 0).mass, 7850.0 * 0.6 * 0.06 * 0.06);
  EXPECT_DOUBLE_EQ(model.bodies[0]->pose.position.x(), 0.3);
  EXPECT_DOUBLE_EQ(rigid(arm({"bodies.arm.mass==2*length"}), 0).mass, 0.6);
}

TEST(Parameters, ThatNothingUsesAreWarnedAbout) {
  const ModelDescription model = arm({"bodies.arm.mass=1", "bodies.arm.inertia=[1, 1, 1]"});
  std::vector<std::string> warnings;
  for (const base::Diagnostic& warning : model.warnings) warnings.push_back(warning.what);
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("parameters.density is not used"),
                                    HasSubstr("parameters.mass is not used")));
}

TEST(Parameters, UnknownNamesAreToldWithTheNearest) {
  EXPECT_THAT(error_with("mass: \"=mass\"", "mass: \"=2*maß\""), HasSubstr("bodies.arm.mass"));
  const std::string unknown = error_with("mass: \"=mass\"", "mass: \"=2*lenght\"");
  EXPECT_THAT(unknown, HasSubstr("model.yaml:9:28"));
  EXPECT_THAT(unknown,
              HasSubstr("bodies.arm.mass is \"=2*lenght\": there is no parameter `lenght`"));
  EXPECT_THAT(unknown, HasSubstr("did you mean `length`?"));
  EXPECT_THAT(error_with("width: \"=length/10\"", "width: \"=mass/10\""),
              HasSubstr("parameter `mass` is defined further down"));
  EXPECT_THAT(error_with("=length/2, 0", "=length*t, 0"), HasSubstr("\"{=amplitude}*sin(t)\""));
  EXPECT_THAT(error_of("solidyn: 1\nbodies: {a: {type: rigid, mass: =m}}\n"),
              HasSubstr("parameters: {m: 1.0}"));
}

TEST(Parameters, RangesAreCheckedOnTheirValues) {
  EXPECT_THAT(error_with("mass: \"=mass\"", "mass: \"=mass - 10\""),
              HasSubstr("(=mass - 10): it must be > 0"));
  EXPECT_THAT(error_with("density: 7850.0", "density: \"=1/0\""), HasSubstr("`1/0` is inf"));
  EXPECT_THAT(error_with("density: 7850.0", "density: steel"),
              HasSubstr("parameters.density is steel: expected a number"));
  EXPECT_THAT(error_with("density: 7850.0", "density: \"=length*\""), HasSubstr("=length*"));
}

TEST(Parameters, HaveNamesThatFormulasCanSay) {
  EXPECT_THAT(error_with("density: 7850.0", "e: 2.7"),
              HasSubstr("parameters.e: `e` is a constant"));
  EXPECT_THAT(error_with("density: 7850.0", "rod-length: 2.7"),
              HasSubstr("parameters.rod-length: it cannot be used in formulas"));
  EXPECT_THAT(error_with("density: 7850.0", "density: 7850.0\n  t: 0.01"), IsEmpty());
}

TEST(Parameters, AreNotMadeByTheCommandLine) {
  EXPECT_THAT(error_of(kArm, {"parameters.lenght=1"}),
              HasSubstr("did you mean `parameters.length`?"));
}

// A restart compares what the parameters do, not how they are written.
TEST(Parameters, AreInTheFingerprintByTheirEffects) {
  const auto physics = [](const std::vector<std::string>& overrides) {
    return physics_of(MPI_COMM_SELF, arm(overrides));
  };
  EXPECT_THAT(differences(physics({}), physics({"parameters.density=785"})),
              testing::Contains(HasSubstr("bodies.arm.mass was 2.1")));
  EXPECT_THAT(differences(physics({}), physics({"parameters.width=0.03"})), IsEmpty());
}

const char* const kMerged = R"(solidyn: 1
bodies:
  first: &bar
    type: rigid
    mass: 2
    inertia: [1, 2, 3]
    pose: &place {position: [1, 0, 0]}
  second:
    <<: *bar
    mass: 3
  third:
    pose: {<<: *place}
    <<: [{mass: 5}, *bar]
analyses:
  - dynamics: {duration: 1, step: 1e-3}
)";

TEST(MergeKeys, BringTheKeysThatATableDoesNotHave) {
  const ModelDescription model = parse_model(kMerged, "merged.yaml", ".");
  ASSERT_EQ(model.bodies.size(), 3u);
  EXPECT_EQ(rigid(model, 1).mass, 3.0);
  EXPECT_EQ(rigid(model, 1).inertia(2, 2), 3.0);
  EXPECT_EQ(model.bodies[1]->pose.position.x(), 1.0);
  EXPECT_EQ(rigid(model, 2).mass, 5.0);  // of two that have a key, the first says it
  EXPECT_EQ(rigid(model, 2).inertia(1, 1), 2.0);
  const ModelDescription other =
      parse_model(kMerged, "m.yaml", ".", {"bodies.second.inertia=[7, 7, 7]"});
  EXPECT_EQ(rigid(other, 0).inertia(0, 0), 1.0);
}

std::string merged_with(const std::string& old_text, const std::string& new_text) {
  std::string text = kMerged;
  text.replace(text.find(old_text), old_text.size(), new_text);
  return error_of(text);
}

TEST(MergeKeys, ErrorsAreWhereTheValueIsWritten) {
  const std::string error = merged_with("inertia: [1, 2, 3]", "inertia: [1, 2]");
  EXPECT_THAT(error, HasSubstr("model.yaml:6:14: error: bodies.first.inertia"));
  EXPECT_THAT(error, HasSubstr("model.yaml:6:14: error: bodies.second.inertia"));
}

TEST(MergeKeys, OfSomethingElseAreErrors) {
  EXPECT_THAT(merged_with("<<: *bar\n", "<<: 3\n"), HasSubstr("`<<` merges the keys of another"));
  EXPECT_THAT(merged_with("<<: *bar\n", "<<: *bar\n    <<: *bar\n"),
              HasSubstr("model.yaml:10:5: error: duplicate `<<`"));
  EXPECT_THAT(merged_with("    mass: 3\n", "    mass: 3\n    mass: 4\n"),
              HasSubstr("duplicate key `mass`"));
  EXPECT_THAT(merged_with("first: &bar\n", "first: &bar\n    <<: *bar\n"),
              HasSubstr("an anchor that contains itself"));
  EXPECT_THAT(merged_with("<<: *bar\n", "\"<<\": *bar\n"),
              HasSubstr("unknown key bodies.second.<<"));
}

}  // namespace
}  // namespace solidyn::model
