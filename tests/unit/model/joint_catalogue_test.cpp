#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include <cmath>

#include "model/joints/catalogue.h"
#include "solidyn/model/build.h"
#include "solidyn/model/load.h"

namespace solidyn::model {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const char* const kModel = R"(solidyn: 1
units: {angle: deg}
bodies:
  box: {type: rigid, mass: 1, inertia: [1, 1, 1]}
  wheel: {type: rigid, mass: 1, inertia: [1, 1, 1]}
joints:
  hinge: {type: revolute, between: [ground, box], at: [0, 0, 0], axis: [0, 0, 1]}
  slider: {type: prismatic, between: [ground, box], at: [0, 0, 0], axis: [1, 0, 0]}
  sleeve: {type: cylindrical, between: [ground, wheel], at: [0, 0, 0], axis: [1, 0, 0]}
analyses:
  - dynamics: {duration: 1, step: 1e-3}
)";

/// Of every type what it needs, and a little more.
const std::map<std::string, std::string> kKeys = {
    {"fixed", "between: [box, wheel], at: [0, 0, 0]"},
    {"spherical", "between: [box, wheel], at: [0, 0, 0]"},
    {"revolute", "between: [box, wheel], at: [0, 0, 0], axis: [0, 0, 1]"},
    {"cylindrical", "between: [box, wheel], at: [0, 0, 0], axis: [0, 0, 1]"},
    {"prismatic", "between: [box, wheel], at: [0, 0, 0], axis: [0, 0, 1]"},
    {"planar", "between: [box, wheel], at: [0, 0, 0], axis: [0, 0, 1]"},
    {"universal", "between: [box, wheel], at: [0, 0, 0], axis: [0, 0, 1]"},
    {"constant_velocity",
     "between: [box, wheel], at: [0, 0, 0], axis: [0, 0, 1], second_axis: [0, 1, 1]"},
    {"screw", "between: [box, wheel], at: [0, 0, 0], axis: [0, 0, 1], pitch: 0.1"},
    {"point_on_line", "between: [box, wheel], at: [0, 0, 0], axis: [0, 0, 1]"},
    {"point_on_plane", "between: [box, wheel], at: [0, 0, 0], axis: [0, 0, 1]"},
    {"point_on_curve", "between: [box, wheel], points: [[0, 0, 0], [1, 0, 0], [2, 1, 0]]"},
    {"parallel_axes", "between: [box, wheel], axis: [0, 0, 1]"},
    {"perpendicular_axes", "between: [box, wheel], axis: [0, 0, 1], second_axis: [1, 0, 0]"},
    {"orientation", "between: [box, wheel]"},
    {"distance", "between: [box, wheel], to: [1, 0, 0]"},
    {"rolling", "between: [ground, wheel], axis: [0, 1, 0], radius: 0.5"},
    {"gear", "joints: [hinge, sleeve], ratio: 2"},
    {"rack_and_pinion", "joints: [hinge, slider], radius: 0.1"},
    {"coupler", "terms: [{joint: hinge, factor: 1}, {joint: slider, factor: 2}]"},
    {"rotation_drive", "joint: hinge, angle: \"90*t\""},
    {"translation_drive", "joint: slider, acceleration: \"6*t\", start: 1"},
    {"distance_drive", "between: [box, wheel], to: [1, 0, 0], length: \"1 + t\""},
    {"point_path", "between: [box, wheel], velocity: [1, \"t\", 0], fix: [x, y]"}};

std::string more(const std::string& type, const std::string& keys) {
  return "joints.more={type: " + type + ", " + keys + "}";
}

ModelDescription parse(const std::vector<std::string>& overrides = {}) {
  return parse_model(kModel, "model.yaml", ".", overrides);
}

std::string error_with(const std::vector<std::string>& overrides) {
  try {
    parse(overrides);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(JointCatalogue, EveryTypeIsBuiltWithTheMultipliersThatItSays) {
  for (const JointType& type : joint_catalogue()) {
    SCOPED_TRACE(type.traits.word);
    const ModelDescription model = parse({more(type.traits.word, kKeys.at(type.traits.word))});
    const JointEntry& joint = *model.find_joint("more");
    EXPECT_EQ(joint.type.word, type.traits.word);
    EXPECT_THAT(joint.acts_on(), Not(testing::IsEmpty()));
    const auto built = build(PETSC_COMM_SELF, model, {});
    EXPECT_EQ(built->system.constraint(built->joints.at("more")).n_rows(), joint.n_multipliers());
  }
}

// As many coordinates as it leaves free, and no more: what forces, drives and sensors may name.
TEST(JointCatalogue, CoordinatesOfAJointAreAmongItsFreedoms) {
  for (const JointType& type : joint_catalogue()) {
    if (type.traits.family != JointFamily::joint) continue;
    SCOPED_TRACE(type.traits.word);
    const ModelDescription model = parse({more(type.traits.word, kKeys.at(type.traits.word))});
    const auto n_free = 6u - model.find_joint("more")->n_multipliers();
    const bool is_one_motion = type.traits.word == "screw";
    EXPECT_LE(type.traits.coordinates.size(), n_free + (is_one_motion ? 1u : 0u));
  }
}

TEST(JointCatalogue, OtherWordsMeanTheSameType) {
  for (const JointType& type : joint_catalogue())
    for (const std::string& word : type.traits.other_words) {
      EXPECT_EQ(find_joint_type(word), &type) << word;
      EXPECT_EQ(parse({more(word, kKeys.at(type.traits.word))}).find_joint("more")->type.word,
                type.traits.word);
    }
}

TEST(JointCatalogue, UnknownTypeIsRefusedAndNoneTakesItsPlace) {
  EXPECT_EQ(find_joint_type("hinge"), nullptr);
  EXPECT_EQ(find_joint_type(""), nullptr);
  // What names the joint is not wrong for that.
  EXPECT_THAT(error_with({"joints.hinge.type=hinge", more("gear", kKeys.at("gear")),
                          "joints.d={type: rotation_drive, joint: hinge, angle: 0}",
                          "sensors.s={type: joint_angle, joint: hinge}"}),
              AllOf(HasSubstr("joints.hinge.type: unknown type `hinge`"),
                    Not(HasSubstr("no joint")), Not(HasSubstr("joints.d"))));
}

// Also of a joint further down.
TEST(JointCatalogue, DrivesAndCouplingsNameAnyJointOfTheFile) {
  EXPECT_EQ(
      error_with(
          {"joints.a={type: rotation_drive, joint: z, angle: 0}",
           "joints.b={type: gear, joints: [z, hinge], ratio: 1}",
           "joints.z={type: revolute, between: [box, wheel], at: [0, 0, 0], axis: [0, 0, 1]}"}),
      "");
  EXPECT_THAT(error_with({"joints.a={type: rotation_drive, joint: y, angle: 0}"}),
              HasSubstr("joints.a.joint: there is no joint `y`"));
  EXPECT_THAT(error_with({"joints.a={type: rotation_drive, joint: slider, angle: 0}"}),
              AllOf(HasSubstr("is of type prismatic, which has no single rotation to drive"),
                    HasSubstr("revolute, cylindrical, planar or screw")));
}

TEST(JointCatalogue, CoordinateHasOneDrive) {
  const std::string turn = "joints.t={type: rotation_drive, joint: more, angle: 0}";
  const std::string slide = "joints.s={type: translation_drive, joint: more, translation: 0}";
  EXPECT_EQ(error_with({more("cylindrical", kKeys.at("cylindrical")), turn, slide}), "");
  EXPECT_THAT(error_with({more("screw", kKeys.at("screw")), turn, slide}),
              HasSubstr("joints.s.joint: `more` is already driven by `t`"));
}

// So that a function that cannot be evaluated, or a drive that begins with a jump, is found.
TEST(JointCatalogue, FunctionsOfTimeAreVisitedByTheirKeys) {
  const auto laws = [](const std::string& type, const std::string& keys) {
    std::vector<std::string> visited;
    const ModelDescription model = parse({more(type, keys)});
    model.find_joint("more")->visit_laws(
        [&](const math::TimeFunction& law, const std::string& key, LawKind kind) {
          const char* const kinds[] = {"effort", "rate", "position", "length"};
          visited.push_back(
              fmt::format("{} {} {:.3g}", key, kinds[static_cast<int>(kind)], law.value(1.0)));
        });
    return visited;
  };
  EXPECT_THAT(laws("rotation_drive", kKeys.at("rotation_drive")),
              ElementsAre("angle position 1.57"));
  EXPECT_THAT(laws("translation_drive", kKeys.at("translation_drive")),
              ElementsAre("acceleration position 2"));  // t^3 + 1
  EXPECT_THAT(laws("distance_drive", kKeys.at("distance_drive")), ElementsAre("length length 2"));
  EXPECT_THAT(laws("distance_drive", "between: [box, wheel], to: [1, 0, 0], acceleration: 2"),
              ElementsAre("acceleration position 1"));  // beyond what is drawn
  EXPECT_THAT(laws("point_path", kKeys.at("point_path")),
              ElementsAre("velocity rate 1", "velocity rate 1"));
  EXPECT_THAT(laws("revolute", kKeys.at("revolute") + ", actuator: \"3*t\""),
              ElementsAre("actuator effort 3"));
  EXPECT_THAT(error_with({more("universal", kKeys.at("universal") +
                                                ", second_arm: {actuator: \"1/(t - 0.5)\"}")}),
              HasSubstr("joints.more.actuator"));
}

TEST(JointCatalogue, EachTypeSaysWhatItLacks) {
  const auto without = [](const std::string& type, const std::string& keys) {
    return error_with({more(type, keys)});
  };
  const std::string between = "between: [box, wheel]", at = between + ", at: [0, 0, 0]";
  for (const char* type : {"fixed", "spherical"})
    EXPECT_THAT(without(type, between), HasSubstr("joints.more.at is missing")) << type;
  for (const char* type : {"revolute", "cylindrical", "prismatic", "planar", "universal",
                           "constant_velocity", "point_on_line", "point_on_plane"}) {
    EXPECT_THAT(without(type, between + ", axis: [0, 0, 1]"),
                HasSubstr("joints.more.at is missing"))
        << type;
    EXPECT_THAT(without(type, at), HasSubstr("joints.more.axis is missing")) << type;
  }
  EXPECT_THAT(without("parallel_axes", between), HasSubstr("joints.more.axis is missing"));
  EXPECT_THAT(without("perpendicular_axes", between + ", axis: [0, 0, 1]"),
              HasSubstr("joints.more.second_axis is missing"));
  EXPECT_THAT(without("screw", at + ", axis: [0, 0, 1]"),
              HasSubstr("joints.more.pitch is missing"));
  EXPECT_THAT(without("orientation", "share: false"), HasSubstr("joints.more.between is missing"));
  EXPECT_THAT(without("distance", "length: 1"), HasSubstr("joints.more.between is missing"));
  EXPECT_THAT(without("rolling", between + ", axis: [0, 1, 0]"),
              HasSubstr("joints.more.radius is missing"));
  EXPECT_THAT(without("gear", "joints: [hinge, sleeve]"),
              HasSubstr("joints.more.ratio is missing"));
  EXPECT_THAT(without("rack_and_pinion", "joints: [hinge, slider]"),
              HasSubstr("joints.more.radius is missing"));
  EXPECT_THAT(without("coupler", "constant: 1"), HasSubstr("joints.more.terms is missing"));
  EXPECT_THAT(without("rotation_drive", "angle: 1"), HasSubstr("joints.more.joint is missing"));
  EXPECT_THAT(without("rotation_drive", "joint: hinge"), HasSubstr("joints.more.angle is missing"));
  EXPECT_THAT(without("translation_drive", "joint: slider"),
              HasSubstr("joints.more.translation is missing"));
  EXPECT_THAT(without("distance_drive", between), HasSubstr("joints.more.length is missing"));
  EXPECT_THAT(without("point_path", between), HasSubstr("joints.more.position is missing"));
}

TEST(JointCatalogue, FrictionTakesWhatHasAMeaningInTheType) {
  const auto with = [](const std::string& type, const std::string& friction) {
    return error_with({more(type, kKeys.at(type) + ", friction: {static: 0.2, " + friction + "}")});
  };
  EXPECT_THAT(with("revolute", "preload: 1"), HasSubstr("joints.more.friction.radius is missing"));
  EXPECT_EQ(with("revolute", "radius: 0.1, thrust_radius: 0.2"), "");
  EXPECT_EQ(with("planar", "preload: 1"), "");
  EXPECT_THAT(with("prismatic", "radius: 0.1"), HasSubstr("friction.radius has no effect"));
  EXPECT_THAT(with("screw", "radius: 0.1, thrust_radius: 0.2"),
              HasSubstr("friction.thrust_radius has no effect"));
  EXPECT_THAT(with("spherical", "radius: 0.1, moment_arm: 0.2"),
              HasSubstr("friction.moment_arm has no effect"));
}

TEST(JointCatalogue, ThreadPressesMoreThanItsForce) {
  const ModelDescription model =
      parse({more("screw", kKeys.at("screw") + ", friction: {static: 0.2, radius: 0.1}")});
  EXPECT_NEAR(model.find_joint("more")->thrust(), std::hypot(1.0, 0.1 / (2 * M_PI * 0.1)), 1e-15);
}

// A curve has no place for a point that is drawn beyond its ends or about at the centre of a bend.
TEST(JointCatalogue, APointThatCannotBeBroughtOntoItsCurveIsRefused) {
  const auto refusal = [](const std::string& at, const std::string& points) {
    try {
      build(PETSC_COMM_SELF,
            parse({more("point_on_curve", "between: [box, wheel], at: " + at + ", " + points)}),
            {});
    } catch (const base::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string straight = "points: [[0, 0, 0], [1, 0, 0], [2, 0, 0]]";
  EXPECT_THAT(refusal("[-1, 0, 0]", straight),
              HasSubstr("joints.more: its point is 1 m beyond an end of the curve as modelled"));
  EXPECT_EQ(refusal("[0.5, 0.1, 0]", straight), "");  // a warning
  // From the centre of a circle all its points are as near; of few points a spline has nearest
  // ones.
  std::string circle;
  for (int i = 0; i < 120; ++i)
    circle += fmt::format("{}[{:.12g}, {:.12g}, 0]", i ? ", " : "", std::cos(M_PI / 60.0 * i),
                          std::sin(M_PI / 60.0 * i));
  EXPECT_THAT(refusal("[0, 0, 0]", "points: [" + circle + "], closed: true"),
              HasSubstr("joints.more: as modelled a point is"));
}

}  // namespace
}  // namespace solidyn::model
