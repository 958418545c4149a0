// Bodies whose mesh file is that of another program: materials, masses and rigid elements come
// along. The files are written here, by our own writer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foreign_bar.h"
#include "solidyn/base/log.h"
#include "solidyn/system/scales.h"

namespace solidyn::model {
namespace {

using Eigen::Vector3d;
using test::kBarVolume;
using test::make_foreign_bar;
using testing::Contains;
using testing::HasSubstr;

class ImportedBody : public testing::Test {
 protected:
  void write(const imported::SolidModel& bar, const std::string& more = "") {
    files_.write(bar, more);
  }
  ModelDescription model(const std::string& keys = "", const std::string& rest = "") const {
    return files_.modal(keys, rest);
  }
  reduction::ReducedBody reduced(const ModelDescription& model) const {
    return files_.reduced(model);
  }
  std::string message_of(const ModelDescription& model) const { return files_.message_of(model); }
  test::ForeignBarFiles files_;
};

TEST_F(ImportedBody, HasTheMassOfItsMaterialsAndPointMasses) {
  write(make_foreign_bar());
  const reduction::InertiaInvariants inertia = reduced(model()).inertia;
  const double steel = 7850.0 * 0.5e-9 * kBarVolume, alu = 2700.0 * 0.5e-9 * kBarVolume,
               ballast = 0.01;
  const double mass = steel + alu + ballast;
  EXPECT_NEAR(inertia.mass, mass, 1e-10 * mass);
  const Vector3d first(0.015 * steel + 0.045 * alu + 0.065 * ballast, 0.01 * mass, 0.005 * mass);
  EXPECT_LT((inertia.first_moment - first).norm(), 1e-9 * first.norm());
}

TEST_F(ImportedBody, RigidElementsAreInterfacesByName) {
  write(make_foreign_bar());
  const reduction::ReducedBody body = reduced(model());
  ASSERT_EQ(body.interfaces.size(), 1u);
  EXPECT_EQ(body.interfaces[0].attach, mesh::Attachment::rbe2);
  EXPECT_LT((body.interfaces[0].x_B - Vector3d(0.065, 0.01, 0.005)).norm(), 1e-12);
}

TEST_F(ImportedBody, JointsHoldItByTheNameOfARigidElement) {
  write(make_foreign_bar());
  const std::string name = reduced(model()).interfaces[0].name;
  const auto built = build(
      PETSC_COMM_SELF,
      model("", "joints:\n  weld: {type: fixed, between: [ground, bar." + name + "]}\n"), {""});
  EXPECT_EQ(built->system.layout().n_constraints(), 6);
}

TEST_F(ImportedBody, MaterialOfTheModelFileWithTheSameNameTakesItsPlace) {
  write(make_foreign_bar());
  const double mass =
      reduced(
          model(
              "",
              "materials:\n  steel: {youngs_modulus: 2.1e11, poissons_ratio: 0.3, density: 2700}\n"))
          .inertia.mass;
  EXPECT_NEAR(mass, 2700.0 * 1e-9 * kBarVolume + 0.01, 1e-10 * mass);
}

TEST_F(ImportedBody, MaterialOfTheBodyIsThatOfAllRegions) {
  write(make_foreign_bar());
  const std::string lead =
      "materials:\n  lead: {youngs_modulus: 1.6e10, poissons_ratio: 0.44, density: 11340}\n";
  const double mass = reduced(model(", material: lead", lead)).inertia.mass;
  EXPECT_NEAR(mass, 11340.0 * 1e-9 * kBarVolume + 0.01, 1e-10 * mass);
}

TEST_F(ImportedBody, IntegrationIsThatOfTheFileUnlessTheModelSays) {
  write(make_foreign_bar());
  const double of_file = reduced(model()).modes[0].frequency;
  EXPECT_DOUBLE_EQ(reduced(model(", hex20: reduced")).modes[0].frequency, of_file);
  EXPECT_GT(reduced(model(", hex20: full")).modes[0].frequency, 1.0001 * of_file);
}

TEST_F(ImportedBody, CardsThatChangeStiffnessAreRefused) {
  write(make_foreign_bar(), "*EQUATION\n2\n1, 1, 1.0, 2, 1, -1.0\n");
  EXPECT_THAT(message_of(model()), HasSubstr("changes stiffness or mass"));
}

TEST_F(ImportedBody, MaterialWithTheStiffnessOfAnotherUnitIsDoubted) {
  imported::SolidModel doubtful = make_foreign_bar();
  doubtful.materials[1].density = 2700.0;  // kg/m^3 in a file in tonne, mm, s
  write(doubtful);
  base::clear_logged_warnings();
  reduced(model());
  const std::vector<std::string>& log = base::logged_warnings();
  EXPECT_THAT(log, Contains(HasSubstr("the wave speed in a bar of material Alu is")));
  EXPECT_THAT(log, Contains(HasSubstr("bodies.bar: a body of 1.62e+10 kg")));
}

TEST_F(ImportedBody, MaterialWithoutDensityIsNamed) {
  imported::SolidModel weightless = make_foreign_bar();
  weightless.materials[1].density = 0.0;
  write(weightless);
  EXPECT_THAT(message_of(model()), HasSubstr("Alu"));
}

TEST_F(ImportedBody, CorotationalBodyHasTheMaterialOfEachRegion) {
  imported::SolidModel file = make_foreign_bar();
  file.masses.clear();
  write(file);
  const auto built =
      build(PETSC_COMM_SELF,
            files_.of_body("{type: corotational, mesh: bar.inp, mesh_units: tonne-mm-s}"), {""});
  EXPECT_NEAR(total_mass(built->system), (7850.0 + 2700.0) * 0.5e-9 * kBarVolume, 1e-10);
}

}  // namespace
}  // namespace solidyn::model
