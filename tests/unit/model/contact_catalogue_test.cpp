#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solidyn/model/load.h"

namespace solidyn::model {
namespace {

using contact::Side;
using testing::HasSubstr;

const char* const kTouching = R"(solidyn: 1
units: {length: mm, force: N}
bodies:
  ball: {type: rigid, mass: 1, inertia: [1, 1, 1]}
contacts:
  floor:
    between: [ground, ball]
    first: {shape: plane, axis: [0, 0, 2]}
    second: {shape: sphere, radius: 10, at: [0, 0, 20]}
    law: {type: hertz, stiffness: 5}
analyses:
  - dynamics: {duration: 1, step: 1e-3}
)";

ContactDescription touching(const std::vector<std::string>& overrides = {}) {
  return parse_model(kTouching, "model.yaml", ".", overrides).contacts.at(0);
}

contact::Shape second_shape(const std::string& shape) {
  return touching({"contacts.floor.second=" + shape}).shapes[1].shape;
}

contact::NormalLaw law(const std::string& law) {
  return touching({"contacts.floor.law=" + law}).law;
}

std::string complaint_with(const std::string& override_text) {
  try {
    touching({override_text});
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ContactCatalogue, EachShapeIsReadWithItsKeys) {
  const auto sphere = std::get<contact::Sphere>(second_shape("{shape: sphere, radius: 10}"));
  EXPECT_DOUBLE_EQ(sphere.radius, 0.01);
  EXPECT_EQ(sphere.side, Side::outer);
  const auto capsule = std::get<contact::Capsule>(
      second_shape("{shape: capsule, radius: 10, length: 30, axis: [1, 0, 0]}"));
  EXPECT_DOUBLE_EQ(capsule.radius, 0.01);
  EXPECT_DOUBLE_EQ(capsule.length, 0.03);
  const auto cylinder = std::get<contact::Cylinder>(
      second_shape("{shape: cylinder, radius: 10, length: 30, axis: [1, 0, 0]}"));
  EXPECT_DOUBLE_EQ(cylinder.length, 0.03);
  EXPECT_EQ(cylinder.side, Side::outer);
  const auto box = std::get<contact::Box>(second_shape("{shape: box, size: [10, 20, 30]}"));
  EXPECT_DOUBLE_EQ(box.size.z(), 0.03);
  const ContactShapeDescription floor = touching().shapes[0];
  EXPECT_TRUE(std::holds_alternative<contact::Plane>(floor.shape));
  EXPECT_EQ(floor.axis, Eigen::Vector3d::UnitZ());
  const auto socket = std::get<contact::Sphere>(
      touching({"contacts.floor.first={shape: hollow_sphere, radius: 40}"}).shapes[0].shape);
  EXPECT_EQ(socket.side, Side::inner);
}

TEST(ContactCatalogue, EachLawIsReadWithItsKeys) {
  const contact::NormalLaw hertz = law("{type: hertz, stiffness: 5}");
  EXPECT_EQ(hertz.exponent, 1.5);
  EXPECT_DOUBLE_EQ(hertz.stiffness, 5.0 / std::pow(1e-3, 1.5));  // N/m^1.5
  EXPECT_EQ(hertz.dissipation, 0.0);
  EXPECT_EQ(hertz.slow_speed, 1e-3);
  const contact::NormalLaw kelvin_voigt =
      law("{type: kelvin_voigt, stiffness: 5, damping: 3, damping_depth: 2}");
  EXPECT_EQ(kelvin_voigt.exponent, 1.0);
  EXPECT_DOUBLE_EQ(kelvin_voigt.damping, 3e3);
  EXPECT_DOUBLE_EQ(kelvin_voigt.damping_depth, 2e-3);
  using contact::Dissipation;
  for (const auto& [word, type] :
       {std::pair("lankarani_nikravesh", Dissipation::lankarani_nikravesh),
        std::pair("hunt_crossley", Dissipation::hunt_crossley),
        std::pair("flores", Dissipation::flores),
        std::pair("exact_restitution", Dissipation::exact_restitution)})
    EXPECT_EQ(law(std::string("{type: ") + word + ", stiffness: 5, restitution: 0.7}").dissipation,
              contact::dissipation(type, 0.7))
        << word;
}

TEST(ContactCatalogue, JointsWithClearanceAreShapes) {
  const std::string common =
      ", between: [ground, ball], at: [0, 0, 5], radius: 10, clearance: 1, law: {type: hertz, stiffness: 5}";
  const auto joint = [&](const std::string& type) {
    return touching({"contacts={joint: {type: " + type + common + "}}"});
  };
  const ContactDescription spherical = joint("spherical");
  EXPECT_DOUBLE_EQ(std::get<contact::Sphere>(spherical.shapes[0].shape).radius, 0.011);
  EXPECT_EQ(spherical.what, "spherical with clearance");
  const ContactDescription cylindrical = joint("cylindrical, axis: [1, 0, 0], length: 20");
  EXPECT_DOUBLE_EQ(std::get<contact::Cylinder>(cylindrical.shapes[1].shape).length, 0.04);
  EXPECT_FALSE(cylindrical.axial_clearance.has_value());
  const ContactDescription revolute = joint("revolute, axis: [1, 0, 0], length: 20");
  EXPECT_DOUBLE_EQ(revolute.axial_clearance.value(), 1e-3);
  EXPECT_DOUBLE_EQ(revolute.shapes[1].at->z(), 5e-3);
  EXPECT_DOUBLE_EQ(
      joint("revolute, axis: [1, 0, 0], length: 20, axial_clearance: 3").axial_clearance.value(),
      3e-3);
}

TEST(ContactCatalogue, FrictionOfSlidingIsThatOfStandstillByDefault) {
  const contact::Friction friction = touching({"contacts.floor.friction={static: 0.3}"}).friction;
  EXPECT_EQ(friction.static_coefficient, 0.3);
  EXPECT_EQ(friction.dynamic_coefficient, 0.3);
  EXPECT_EQ(friction.transition_speed, 1e-3);
}

// Their single constants are zero, and so would be the stiffness.
TEST(ContactCatalogue, HertzRefusesMaterialsWithDirections) {
  try {
    touching(
        {"materials.wood={youngs_moduli: [1e4, 2e3, 1e3], poissons_ratios: [0.3, 0.3, 0.3], shear_moduli: [500, 500, 500], density: 4e-7}",
         "contacts.floor.law={type: hertz, materials: [wood, wood]}"});
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("`wood` is orthotropic or anisotropic"));
  }
}

TEST(ContactCatalogue, UnknownWordIsRefusedAndNoneTakesItsPlace) {
  EXPECT_THAT(complaint_with("contacts.floor.type=planar"),
              HasSubstr("contacts.floor.type: unknown type `planar`"));
  EXPECT_THAT(complaint_with("contacts.floor.second.shape=cone"),
              HasSubstr("contacts.floor.second.shape: unknown shape `cone`"));
  EXPECT_THAT(complaint_with("contacts.floor.law.type=linear"),
              HasSubstr("contacts.floor.law.type: unknown type `linear`"));
}

TEST(ContactCatalogue, EachTypeSaysWhatItLacks) {
  for (const auto& [what, lack] :
       {std::pair("second={shape: sphere}", "second.radius is missing"),
        std::pair("second={shape: capsule, radius: 1, axis: [1, 0, 0]}",
                  "second.length is missing"),
        std::pair("second={shape: cylinder, radius: 1, length: 1}", "second.axis is missing"),
        std::pair("second={shape: box}", "second.size is missing"),
        std::pair("first={shape: plane}", "first.axis is missing"),
        std::pair("second={shape: nodes}", "second.nodes is missing"),
        std::pair("law={type: flores, stiffness: 1}", "law.restitution is missing"),
        std::pair("law={type: kelvin_voigt, stiffness: 1, damping: 1}",
                  "law.damping_depth is missing"),
        std::pair("friction={dynamic: 1, stribeck_speed: 1}", "friction.static is missing"),
        std::pair("type=spherical", "clearance is missing")})
    EXPECT_THAT(complaint_with(std::string("contacts.floor.") + what),
                HasSubstr(std::string("contacts.floor.") + lack));
}

}  // namespace
}  // namespace solidyn::model
