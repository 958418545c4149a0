// Bodies whose mesh file is that of another program: materials, masses and rigid elements come
// along. The files are written here, by our own writer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include <fstream>

#include "scratch_folder.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/abaqus_input.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/model/build.h"
#include "solidyn/model/load.h"
#include "solidyn/model/reduce_body.h"

namespace solidyn::model {
namespace {

using Eigen::Vector3d;
using testing::HasSubstr;

constexpr std::int64_t kReference = 90001;
constexpr double kVolume = 60.0 * 20.0 * 10.0;  // mm^3

// In tonne, mm, s: half steel, half aluminium; on the end x_max a reference node with a mass of 10
// g beside it, tied by a rigid element.
imported::SolidModel bar() {
  mesh::BoxOptions box;
  box.type = mesh::ElementType::hex20;
  box.nx = 4, box.ny = 2;
  box.size = {60.0, 20.0, 10.0};
  imported::SolidModel model;
  model.mesh = mesh::make_box(box);
  mesh::ElementBlock& block = model.mesh.blocks[0];
  for (std::int64_t e = 0; e < block.size(); ++e) {
    Vector3d centre = Vector3d::Zero();
    for (int a = 0; a < 8; ++a) centre += model.mesh.x.col(block.connectivity[20 * e + a]) / 8.0;
    block.regions.push_back(centre.x() > 30.0);
  }
  model.materials = {{"Steel", 2.1e5, 0.3, 7.85e-9, {}}, {"Alu", 7e4, 0.33, 2.7e-9, {}}};
  model.regions = {{"left", "C3D20R", 0, imported::Integration::reduced},
                   {"right", "C3D20R", 1, imported::Integration::reduced}};
  model.loose_nodes = {{kReference, {65.0, 10.0, 5.0}}};
  imported::RigidElement rigid;
  rigid.name = "END";
  rigid.reference = kReference;
  for (const std::int32_t node : model.mesh.sets.at("x_max").nodes)
    rigid.nodes.push_back(model.mesh.node_tags[node]);
  rigid.components = "123";
  model.rigid_elements = {rigid};
  model.masses = {{"BALLAST", kReference, 1e-5, Vector3d::Zero(), Eigen::Matrix3d::Zero()}};
  return model;
}

class ForeignBody : public testing::Test {
 protected:
  void write(const imported::SolidModel& model, const std::string& more = "") {
    formats::write_abaqus_input(folder_ / "bar.inp", model);
    std::ofstream(folder_ / "bar.inp", std::ios::app) << more;
  }
  // A free body of the file; `keys` of the body, `rest` of the model.
  ModelDescription model(const std::string& keys = "", const std::string& rest = "") const {
    return parse_model(
        "solidyn: 1\n" + rest +
            "bodies:\n  bar: {type: modal, mesh: bar.inp, mesh_units: tonne-mm-s, modes: "
            "{free_free: 4}" +
            keys + "}\nanalyses:\n  - dynamics: {duration: 0.1, step: 1e-3}\n",
        "model.yaml", folder_.path());
  }
  static reduction::ReducedBody reduced(const ModelDescription& model) {
    return *reduce_body(PETSC_COMM_SELF, model, model.bodies[0], "").body;
  }
  static std::string message_of(const ModelDescription& model) {
    try {
      reduced(model);
    } catch (const base::InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  test::ScratchFolder folder_;
};

TEST_F(ForeignBody, HasTheMassOfItsMaterialsAndPointMasses) {
  write(bar());
  const reduction::InertiaInvariants inertia = reduced(model()).inertia;
  const double steel = 7850.0 * 0.5e-9 * kVolume, alu = 2700.0 * 0.5e-9 * kVolume, ballast = 0.01;
  const double mass = steel + alu + ballast;
  EXPECT_NEAR(inertia.mass, mass, 1e-10 * mass);
  const Vector3d first(0.015 * steel + 0.045 * alu + 0.065 * ballast, 0.01 * mass, 0.005 * mass);
  EXPECT_LT((inertia.first_moment - first).norm(), 1e-9 * first.norm());
}

TEST_F(ForeignBody, RigidElementsAreInterfacesByName) {
  write(bar());
  const reduction::ReducedBody body = reduced(model());
  ASSERT_EQ(body.interfaces.size(), 1u);
  EXPECT_EQ(body.interfaces[0].attach, mesh::Attachment::rbe2);
  EXPECT_LT((body.interfaces[0].x_B - Vector3d(0.065, 0.01, 0.005)).norm(), 1e-12);
}

TEST_F(ForeignBody, JointsHoldItByTheNameOfARigidElement) {
  write(bar());
  const std::string name = reduced(model()).interfaces[0].name;
  const auto built = build(
      PETSC_COMM_SELF,
      model("", "joints:\n  weld: {type: fixed, between: [ground, bar." + name + "]}\n"), {""});
  EXPECT_EQ(built->system.n_constraints(), 6);
}

TEST_F(ForeignBody, MaterialOfTheModelFileWithTheSameNameTakesItsPlace) {
  write(bar());
  const double mass =
      reduced(model("",
                    "materials:\n  steel: {youngs_modulus: 2.1e11, poissons_ratio: 0.3, "
                    "density: 2700}\n"))
          .inertia.mass;
  EXPECT_NEAR(mass, 2700.0 * 1e-9 * kVolume + 0.01, 1e-10 * mass);
}

TEST_F(ForeignBody, MaterialOfTheBodyIsThatOfAllRegions) {
  write(bar());
  const std::string lead =
      "materials:\n  lead: {youngs_modulus: 1.6e10, poissons_ratio: 0.44, density: 11340}\n";
  const double mass = reduced(model(", material: lead", lead)).inertia.mass;
  EXPECT_NEAR(mass, 11340.0 * 1e-9 * kVolume + 0.01, 1e-10 * mass);
}

TEST_F(ForeignBody, IntegrationIsThatOfTheFileUnlessTheModelSays) {
  write(bar());
  const double of_file = reduced(model()).modes[0].frequency;
  EXPECT_DOUBLE_EQ(reduced(model(", hex20: reduced")).modes[0].frequency, of_file);
  EXPECT_GT(reduced(model(", hex20: full")).modes[0].frequency, 1.0001 * of_file);
}

TEST_F(ForeignBody, CardsThatChangeStiffnessAreRefused) {
  write(bar(), "*EQUATION\n2\n1, 1, 1.0, 2, 1, -1.0\n");
  EXPECT_THAT(message_of(model()), HasSubstr("changes stiffness or mass"));
}

TEST_F(ForeignBody, MassThatNothingFixesIsRefused) {
  imported::SolidModel loose = bar();
  loose.rigid_elements.clear();
  write(loose);
  EXPECT_THAT(message_of(model()), HasSubstr("which no solid has and no rigid element fixes"));
}

TEST_F(ForeignBody, LumpedMassMatrixHasNoPlaceForAMassBesideTheNodes) {
  write(bar());
  EXPECT_THAT(message_of(model(", mass_matrix: lumped")), HasSubstr("mass_matrix: consistent"));
}

TEST_F(ForeignBody, MaterialWithoutDensityIsNamed) {
  imported::SolidModel weightless = bar();
  weightless.materials[1].density = 0.0;
  write(weightless);
  EXPECT_THAT(message_of(model()), HasSubstr("Alu"));
}

TEST_F(ForeignBody, CorotationalBodyHasTheMaterialOfEachRegion) {
  imported::SolidModel file = bar();
  file.masses.clear();
  write(file);
  const auto built =
      build(PETSC_COMM_SELF,
            parse_model("solidyn: 1\nbodies:\n  bar: {type: corotational, mesh: bar.inp, "
                        "mesh_units: tonne-mm-s}\nanalyses:\n  - dynamics: {duration: 0.1, step: "
                        "1e-3}\n",
                        "model.yaml", folder_.path()),
            {""});
  EXPECT_NEAR(built->system.total_mass(), (7850.0 + 2700.0) * 0.5e-9 * kVolume, 1e-10);
}

}  // namespace
}  // namespace solidyn::model
