#include "model/bodies/materials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solidyn/model/load.h"

namespace solidyn::model {
namespace {

using Eigen::Vector3d;
using testing::HasSubstr;

const char* const kModel = R"(solidyn: 1
units: {length: mm, force: N}
bodies:
  box: {type: rigid, mass: 1}
analyses:
  - dynamics: {duration: 1, step: 1e-3}
)";

const std::string kSpruce =
    "{youngs_moduli: [11000, 800, 500], poissons_ratios: [0.4, 0.45, 0.5], shear_moduli: [700, 600, 40], density: 4.4e-7";

ModelDescription parse(const std::string& material) {
  return parse_model(kModel, "model.yaml", ".", {"materials={m: " + material + "}"});
}

materials::Material material(const std::string& text) {
  return parse(text).materials.at("m").solid;
}

std::string error_with(const std::string& text) {
  try {
    parse(text);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ModelMaterials, IsotropicOneIsThatOfTheElements) {
  const materials::Material steel = material(
      "{youngs_modulus: 210000, poissons_ratio: 0.3, density: 7.85e-6, thermal_expansion: 1.2e-5}");
  ASSERT_TRUE(steel.isotropic());
  EXPECT_NEAR(steel.isotropic()->youngs_modulus, 2.1e11, 1e-3);
  EXPECT_EQ(steel.isotropic()->poissons_ratio, 0.3);
  EXPECT_NEAR(steel.density(), 7850.0, 1e-9);
  materials::Material expands;
  expands.set_expansion(1.2e-5);
  EXPECT_EQ(steel.expansion, expands.expansion);
}

TEST(ModelMaterials, OrthotropicOneHasNoIsotropicConstantsBeside) {
  const materials::Material spruce = material(kSpruce + "}");
  EXPECT_FALSE(spruce.isotropic());
  const auto* constants = std::get_if<materials::OrthotropicElastic>(&spruce.elastic);
  ASSERT_TRUE(constants);
  EXPECT_LT((constants->shear_moduli - Vector3d(7e8, 6e8, 4e7)).norm(), 1e-6);
  EXPECT_NEAR(spruce.density(), 440.0, 1e-10);
}

TEST(ModelMaterials, AxesCountOnlyWhereTheyAreGiven) {
  const MaterialDescription without = parse(kSpruce + "}").materials.at("m");
  EXPECT_FALSE(without.has_axes);
  EXPECT_TRUE(without.solid.axes.R.isIdentity(0.0));
  const MaterialDescription turned =
      parse(kSpruce + ", axes: {axis: [0, 0, 1], angle: 0.5}}").materials.at("m");
  EXPECT_TRUE(turned.has_axes);
  EXPECT_NEAR(turned.solid.axes.R(1, 0), std::sin(0.5), 1e-15);
}

TEST(ModelMaterials, SayWhatTheyLackAndWhatIsTooMuch) {
  EXPECT_THAT(error_with("{poissons_ratio: 0.3, density: 1e-6}"),
              HasSubstr("materials.m.youngs_modulus is missing"));
  EXPECT_THAT(error_with("{youngs_moduli: [1, 1, 1], poissons_ratios: [0, 0, 0], density: 1e-6}"),
              HasSubstr("given without `shear_moduli`"));
  EXPECT_THAT(error_with(kSpruce + ", poissons_ratio: 0.3}"),
              HasSubstr("materials.m has both `poissons_ratio` and `youngs_moduli`"));
  EXPECT_THAT(error_with(kSpruce + ", thermal_expansion: 1e-5, thermal_expansions: [1, 2, 3]}"),
              HasSubstr("has both `thermal_expansion` and `thermal_expansions`"));
  EXPECT_THAT(error_with("{youngs_modulus: 1000, poissons_ratio: 0.5, density: 1e-6}"),
              HasSubstr("materials.m.poissons_ratio is 0.5"));
}

}  // namespace
}  // namespace solidyn::model
