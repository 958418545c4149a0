#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include "model/bodies/beams/beam_of_points.h"
#include "model/bodies/catalogue.h"
#include "model/bodies/superelement_entry.h"
#include "rigid_entry_of.h"
#include "solidyn/model/build.h"
#include "solidyn/model/fingerprint.h"
#include "solidyn/model/load.h"
#include "solidyn/model/reduce_body.h"
#include "solidyn/model/summary.h"

namespace solidyn::model {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::filesystem::path kHere = std::filesystem::path(SOLIDYN_SOURCE_DIR) / "tests/unit/model";

const char* const kModel = R"(solidyn: 1
materials:
  steel: {youngs_modulus: 2.1e11, poissons_ratio: 0.3, density: 7850}
bodies:
  box: {type: rigid, mass: 1, inertia: [1, 1, 1], frames: {top: {position: [0, 0, 1]}}}
analyses:
  - dynamics: {duration: 1, step: 1e-3}
)";

/// Of every type what it needs, and a place or two.
const std::map<std::string, std::string> kKeys = {
    {"rigid", "mass: 2, frames: {a: {position: [1, 0, 0]}, b: {}}"},
    {"modal",
     "mesh: rod.msh, mesh_units: mm, material: steel, modes: {free_free: 2}, interfaces: {a: {nodes: {near: [0, 0, 0]}}}, points: {b: [0.1, 0, 0]}"},
    {"superelement",
     "mesh: rod.msh, mesh_units: mm, material: steel, modes: {fixed_interface: 2}, interfaces: {a: {nodes: {near: [0, 0, 0]}}, b: {nodes: {near: [0.3, 0, 0]}}}"},
    {"floating_frame",
     "mesh: rod.msh, mesh_units: mm, material: steel, interfaces: {a: {nodes: {near: [0, 0, 0]}}}, points: {b: [0.1, 0, 0]}"},
    {"corotational",
     "mesh: rod.msh, mesh_units: mm, material: steel, interfaces: {a: {nodes: {near: [0, 0, 0]}}}, points: {b: [0.1, 0, 0]}"},
    {"inertial",
     "mesh: rod.msh, mesh_units: mm, material: steel, interfaces: {a: {nodes: {near: [0, 0, 0]}}}, points: {b: [0.1, 0, 0]}"},
    {"beam",
     "material: steel, section: {type: circle, radius: 0.01}, points: {a: [0, 0, 0], b: [1, 0, 0]}, elements: 2"}};

std::string other(const std::string& type, const std::string& keys) {
  return "bodies.other={type: " + type + ", " + keys + "}";
}

ModelDescription parse(const std::vector<std::string>& overrides = {}) {
  return parse_model(kModel, "model.yaml", kHere, overrides);
}

ModelDescription model_of(const std::string& type) { return parse({other(type, kKeys.at(type))}); }

std::string error_with(const std::vector<std::string>& overrides) {
  try {
    parse(overrides);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

std::vector<std::string> types_with(bool BodyTraits::*trait) {
  std::vector<std::string> types;
  for (const BodyType& type : body_catalogue())
    if (model_of(type.word).find_body("other")->traits().*trait) types.push_back(type.word);
  return types;
}

TEST(BodyCatalogue, EveryTypeSaysItsPlacesAndWhatItIs) {
  for (const BodyType& type : body_catalogue()) {
    SCOPED_TRACE(type.word);
    const ModelDescription model = model_of(type.word);
    const BodyEntry& body = *model.find_body("other");
    EXPECT_EQ(body.type, type.word);
    std::vector<std::string> places;
    for (const PlaceDescription& place : body.places()) places.push_back(place.text());
    EXPECT_THAT(places, ElementsAre("other.a", "other.b"));
    EXPECT_FALSE(body.has_open_places());
    EXPECT_THAT(summary(model), HasSubstr(fmt::format("  other            {:<15} {}\n", type.word,
                                                      body.in_words())));
    EXPECT_THAT(model.warnings, IsEmpty());
  }
}

TEST(BodyCatalogue, TraitsAreThoseOfTheTypes) {
  EXPECT_THAT(types_with(&BodyTraits::carries_frames), ElementsAre("rigid"));
  EXPECT_THAT(types_with(&BodyTraits::keeps_all_nodes),
              ElementsAre("floating_frame", "corotational", "inertial"));
  EXPECT_THAT(types_with(&BodyTraits::has_absolute_nodes), ElementsAre("corotational", "inertial"));
  EXPECT_THAT(types_with(&BodyTraits::takes_loads_on_mesh),
              ElementsAre("modal", "floating_frame", "corotational", "inertial"));
  EXPECT_THAT(types_with(&BodyTraits::has_passive_points), ElementsAre("superelement"));
}

TEST(BodyCatalogue, EachTypeAnswersForSupportsAndModes) {
  std::vector<std::string> held, with_modes;
  for (const BodyType& type : body_catalogue()) {
    const ModelDescription model = model_of(type.word);
    const BodyEntry& body = *model.find_body("other");
    if (!body.refuses_supports()) held.push_back(type.word);
    if (!body.refuses_own_modes()) with_modes.push_back(type.word);
  }
  EXPECT_THAT(held, ElementsAre("modal", "superelement", "corotational", "inertial"));
  EXPECT_THAT(with_modes, ElementsAre("modal", "floating_frame", "corotational", "inertial"));
  const ModelDescription model = model_of("superelement");
  EXPECT_EQ(&find_reducible_body(model, "other"), model.find_body("other"));
  EXPECT_THROW(find_reducible_body(model, "box"), base::InputError);
  EXPECT_THROW(find_reducible_body(model, "ox"), base::InputError);
}

TEST(BodyCatalogue, UnknownTypeIsRefusedAndNoneTakesItsPlace) {
  EXPECT_EQ(find_body_type("flexible"), nullptr);
  EXPECT_EQ(find_body_type(""), nullptr);
  // What names the body is not wrong for that.
  const std::string error = error_with(
      {"bodies.box.type=stiff", "joints.j={type: fixed, between: [ground, box], at: [0, 0, 0]}",
       "loads.push={type: force, at: box.nowhere, force: [1, 0, 0]}",
       "loads.wind={type: pressure, body: box, faces: {in_set: top}, pressure: 1}",
       "supports.s={body: box, nodes: {in_set: top}, fix: [x]}",
       "sensors.p={type: stress, body: box, place: a}",
       "bodies.box.pose={rotation: {quaternion: [2, 0, 0, 0]}}"});
  EXPECT_THAT(error, AllOf(HasSubstr("bodies.box.type: unknown type `stiff`"),
                           HasSubstr("bodies.box.pose.rotation.quaternion has the norm 2"),
                           Not(HasSubstr("no body `box`")), Not(HasSubstr("joints.")),
                           Not(HasSubstr("loads.")), Not(HasSubstr("supports.")),
                           Not(HasSubstr("sensors."))));
}

TEST(BodyCatalogue, EachTypeSaysWhatItLacks) {
  EXPECT_THAT(error_with({other("rigid", "inertia: [1, 1, 1]")}),
              HasSubstr("bodies.other.mass is missing (type rigid needs it)"));
  EXPECT_THAT(error_with({other("modal", "mesh: rod.msh, material: steel")}),
              HasSubstr("bodies.other.modes is missing"));
  EXPECT_THAT(
      error_with({other("superelement", "mesh: rod.msh, material: steel, modes: {free_free: 2}")}),
      HasSubstr("bodies.other is a superelement with 0 interfaces"));
  for (const char* type : {"modal", "superelement", "floating_frame", "corotational", "inertial"}) {
    EXPECT_THAT(error_with({other(type, "material: steel")}),
                HasSubstr(fmt::format("bodies.other.mesh is missing (type {} needs it)", type)));
    EXPECT_THAT(error_with({other(type, "mesh: rod.msh, modes: {free_free: 2}")}),
                HasSubstr("bodies.other.material is missing"));
  }
  EXPECT_THAT(error_with({other(
                  "beam", "section: {type: circle, radius: 0.01}, elements: 2, material: steel")}),
              HasSubstr("bodies.other.points is missing"));
  EXPECT_THAT(
      error_with({other(
          "beam",
          "section: {type: circle, radius: 0.01}, elements: 2, points: {a: [0, 0, 0], b: [1, 0, 0]}")}),
      HasSubstr("bodies.other.material is missing"));
}

TEST(BodyCatalogue, MassOfAMeshIsLumpedOrConsistentByTheType) {
  std::vector<std::string> consistent;
  for (const BodyType& type : body_catalogue()) {
    const ModelDescription model = model_of(type.word);
    const FlexibleEntry* body = model.find_body("other")->flexible();
    if (body && body->mass == fem::MassKind::consistent) consistent.push_back(type.word);
  }
  EXPECT_THAT(consistent, ElementsAre("modal", "superelement"));
}

// Its interfaces are places, its origin is none.
TEST(BodyCatalogue, ARigidBodyIsGivenByItsMassOrByItsMesh) {
  const ModelDescription model = parse({other(
      "rigid",
      "mesh: rod.msh, mesh_units: mm, material: steel, interfaces: {a: {nodes: {near: [0, 0, 0]}}}")});
  const BodyEntry& body = *model.find_body("other");
  EXPECT_EQ(body.type, "rigid");
  ASSERT_TRUE(body.reduced());
  EXPECT_TRUE(body.reduced()->is_rigid());
  EXPECT_EQ(body.reduced()->mass, fem::MassKind::consistent);
  EXPECT_FALSE(body.traits().carries_frames);
  EXPECT_THAT(body.place_names(PlaceDescription::Kind::interface), ElementsAre("a"));
  const ModelDescription both = parse({"bodies.box.mesh=rod.msh"});
  EXPECT_EQ(rigid(both, 0).mass, 1.0);
  ASSERT_EQ(both.warnings.size(), 1u);
  EXPECT_THAT(both.warnings[0].what, HasSubstr("bodies.box.mesh is not used"));
}

TEST(BodyCatalogue, ConditionsOfAModalBodySayWhetherItKeepsItsRigidModes) {
  const auto keeps = [](const std::string& keys) {
    return parse({other("modal", kKeys.at("modal") + ", " + keys)})
        .find_body("other")
        ->reduced()
        ->basis.keep_rigid_modes;
  };
  EXPECT_FALSE(keeps("hex20: full"));
  EXPECT_TRUE(keeps("reference_conditions: principal_axis"));
  EXPECT_TRUE(keeps("enforced_by: multipliers"));
  EXPECT_THAT(
      error_with({other(
          "modal", kKeys.at("modal") +
                       ", reference_conditions: principal_axis, enforced_by: orthogonal_modes")}),
      HasSubstr("orthogonal modes satisfy the mean axis, not the principal axis"));
}

TEST(BodyCatalogue, ConstraintModesTakeThePlaceOfStaticCorrection) {
  const auto correction = [](const std::string& modes) {
    return parse({other("superelement", kKeys.at("superelement")), "bodies.other.modes=" + modes})
        .find_body("other")
        ->reduced()
        ->basis.static_correction;
  };
  using reduction::StaticCorrection;
  EXPECT_EQ(correction("{fixed_interface: 2}"), StaticCorrection::at_interfaces);
  EXPECT_EQ(correction("{constraint_modes: at_interfaces}"), StaticCorrection::none);
  EXPECT_EQ(correction("{constraint_modes: at_interfaces, static_correction: at_interfaces}"),
            StaticCorrection::at_interfaces);
}

// So that a function that cannot be evaluated is found before a run.
TEST(BodyCatalogue, StrainsOfABeamAreVisitedByTheirKeys) {
  const ModelDescription model = parse({other(
      "beam",
      kKeys.at("beam") +
          ", prestrain: {stretch: \"1e-3*t\"}, driven_strains: {curvature_z: \"2*t\"}, fixed_strains: [twist], prestress: {bending_y: 3}")});
  std::map<std::string, double> at_one;
  model.find_body("other")->visit_laws([&](const BodyLaw& law) {
    at_one[law.path] = law.law.value(1.0);
    EXPECT_EQ(law.is_stretch, law.path == "bodies.other.prestrain.stretch");
    EXPECT_EQ(law.is_driven, !law.is_stretch);
  });
  EXPECT_EQ(at_one, (std::map<std::string, double>{{"bodies.other.prestrain.stretch", 1e-3},
                                                   {"bodies.other.driven_strains.curvature_z", 2.0},
                                                   {"bodies.other.driven_strains.twist", 0.0}}));
  EXPECT_EQ(model.find_body("other")->beam()->given.prestress, Eigen::Vector4d(0, 0, 3, 0));
  EXPECT_THAT(error_with({other("beam", kKeys.at("beam") + ", prestrain: {twist: \"1/(t-0.5)\"}")}),
              HasSubstr("bodies.other.prestrain.twist"));
}

TEST(BodyCatalogue, SectionsOfABeamAreShapesOrStiffnesses) {
  const auto section = [](const std::string& text) {
    return *parse({other("beam", kKeys.at("beam")), "bodies.other.section=" + text})
                .find_body("other")
                ->beam()
                ->section;
  };
  const SectionDescription tube =
      section("{type: tube, radius: 0.02, wall: 0.001, offset: [0, 0.5]}");
  EXPECT_EQ(std::get<beams::Tube>(*tube.shape()).wall, 0.001);
  EXPECT_EQ(section("{type: circle, radius: 0.02, offset: [1, 0.5]}").offset,
            Eigen::Vector3d(0, 1, 0.5));
  const SectionDescription general =
      section("{type: general, area: 1, I_y: 2, I_z: 3, torsion_constant: 4}");
  EXPECT_EQ(std::get<beams::Section>(*general.shape()).shear_y, 5.0 / 6);
  EXPECT_THAT(
      error_with(
          {other("beam", kKeys.at("beam")),
           "bodies.other.section={type: stiffness, EA: 1, GJ: 2, EI_y: 3, EI_z: 4, GA_y: 5, GA_z: 6, mass_per_length: 7, mass_moments: [2, 1, 1]}"}),
      HasSubstr("bodies.other.material: a section of type stiffness does not use a material"));
}

// What must not change under a restart.
TEST(BodyCatalogue, FilesAndUsedFramesAreInTheFingerprint) {
  const auto entries = physics_of(PETSC_COMM_SELF, model_of("modal"));
  EXPECT_THAT(entries.at("bodies.other.mesh"), HasSubstr("a file with checksum"));
  EXPECT_EQ(entries.count("bodies.box.frames.top.position"), 0u);
  const auto joined =
      physics_of(PETSC_COMM_SELF,
                 parse({"joints.j={type: fixed, between: [ground, box.top], at: [0, 0, 0]}"}));
  EXPECT_EQ(joined.count("bodies.box.frames.top.position"), 1u);
}

}  // namespace
}  // namespace solidyn::model
