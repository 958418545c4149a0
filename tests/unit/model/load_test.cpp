#include "solidyn/model/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include <cmath>

#include "law_values.h"
#include "model/bodies/reduced_entry.h"
#include "model/joints/drives.h"
#include "model/loads/load_entry.h"
#include "model/sensors/sensor_entry.h"
#include "rigid_entry_of.h"
#include "solidyn/bodies/solid_body.h"
#include "solidyn/model/summary.h"

namespace solidyn::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

const std::filesystem::path kFolder =
    std::filesystem::path(SOLIDYN_SOURCE_DIR) / "tests/unit/model";

const ModelDescription& full() {
  static const ModelDescription model = load_model(kFolder / "full.yaml");
  return model;
}

const PlacedJoint& joint(const ModelDescription& model, int i) {
  return dynamic_cast<const PlacedJoint&>(*model.joints[i]);
}

const DriveEntry& drive_of(const ModelDescription& model, int i) {
  return dynamic_cast<const DriveEntry&>(*model.joints[i]);
}

const char* const kPendulum = R"(solidyn: 1
bodies:
  arm: {type: rigid, mass: 2, pose: {position: [0, 0, -1]}}
joints:
  hinge: {type: revolute, between: [ground, arm], at: [0, 0, 0], axis: [0, 1, 0]}
analyses:
  - dynamics: {duration: 1, step: 1e-3}
)";

ModelDescription pendulum(const std::vector<std::string>& overrides = {}) {
  return parse_model(kPendulum, "pendulum.yaml", kFolder, overrides);
}

std::vector<base::Diagnostic> errors_of(const std::vector<std::string>& overrides) {
  try {
    pendulum(overrides);
  } catch (const base::InputError& error) {
    return error.diagnostics();
  }
  return {};
}

TEST(LoadModel, KeepsTheOrderOfTheFile) {
  ASSERT_THAT(full().bodies, SizeIs(4));
  EXPECT_EQ(full().bodies[0]->name, "crank");
  EXPECT_EQ(full().bodies[2]->name, "plate");
  EXPECT_EQ(full().joints[3]->name, "guide");
  EXPECT_EQ(full().sensors[0]->name, "deflection");
  EXPECT_EQ(full().title, "everything the grammar knows");
  EXPECT_EQ(full().find_body("rod"), full().bodies[1].get());
  EXPECT_EQ(full().find_joint("nothing"), nullptr);
  EXPECT_EQ(full().bodies[1]->where.line, 17);
  EXPECT_EQ(full().bodies[1]->where.column, 3);
}

TEST(LoadModel, ConvertsTonneMillimetreDegreeToSi) {
  EXPECT_NEAR(full().gravity.z(), -9.81, 1e-14);
  const MaterialDescription& steel = full().materials.at("steel");
  EXPECT_NEAR(steel.solid.isotropic()->youngs_modulus, 2.1e11, 1e-3);
  EXPECT_NEAR(steel.solid.density(), 7850.0, 1e-9);
  const RigidEntry& crank = rigid(full(), 0);
  EXPECT_NEAR(crank.mass, 0.1, 1e-16);
  EXPECT_NEAR(crank.center_of_mass.x(), 0.075, 1e-16);
  EXPECT_NEAR(crank.inertia(2, 2), 2.5e-3, 1e-17);  // 1 t mm^2 = 1e-3 kg m^2
  EXPECT_NEAR(crank.inertia(0, 1), 1e-4, 1e-17);
  EXPECT_NEAR(crank.velocity.linear.x(), 1.0, 1e-15);
  EXPECT_NEAR(crank.velocity.angular.z(), M_PI, 1e-14);
  ASSERT_THAT(full().warnings, SizeIs(1));
  EXPECT_THAT(full().warnings[0].what, HasSubstr("mean_axis_level is not used"));
}

TEST(LoadModel, ReadsRotationsInEachWay) {
  // 90 degrees about z turns x into y.
  EXPECT_LT((full().bodies[0]->pose.rotation * Vector3d::UnitX() - Vector3d::UnitY()).norm(),
            1e-15);
  // Rx(90) Ry(0) Rz(90): x -> y -> z.
  const PoseDescription& pin = rigid(full(), 0).frames[0].pose;
  EXPECT_LT((pin.rotation * Vector3d::UnitX() - Vector3d::UnitZ()).norm(), 1e-15);
  // (1, 1, 1, 1)/2 turns by 120 degrees about the space diagonal: x -> y.
  EXPECT_LT((full().bodies[1]->pose.rotation * Vector3d::UnitX() - Vector3d::UnitY()).norm(),
            1e-15);
  EXPECT_NEAR(Eigen::AngleAxisd(full().bodies[2]->pose.rotation).angle(), M_PI / 6.0, 1e-15);
}

TEST(LoadModel, ReadsAModalBody) {
  EXPECT_EQ(full().bodies[1]->type, "modal");
  const ReducedEntry& rod = *full().bodies[1]->reduced();
  EXPECT_EQ(rod.mesh, kFolder / "rod.msh");
  EXPECT_EQ(rod.mesh_units.length, 1e-3);
  EXPECT_EQ(rod.material, "steel");
  EXPECT_EQ(rod.mass, fem::MassKind::lumped);
  EXPECT_EQ(rod.hex8, fem::Hex8Formulation::b_bar);
  EXPECT_TRUE(rod.basis.keep_rigid_modes);
  EXPECT_EQ(rod.basis.free_free, 8);
  EXPECT_EQ(rod.basis.static_correction, reduction::StaticCorrection::none);
  EXPECT_EQ(rod.damping.rayleigh_alpha, 2.0);
  EXPECT_EQ(rod.damping.rayleigh_beta, 3e-6);
  EXPECT_EQ(rod.damping.modal_ratio, 0.01);
  ASSERT_THAT(rod.points, SizeIs(2));
  EXPECT_NEAR(rod.points[1].x_B.x(), 0.3, 1e-15);
}

TEST(LoadModel, ReadsInterfacesInEachWay) {
  const auto& interfaces = full().bodies[1]->flexible()->interfaces;
  ASSERT_THAT(interfaces, SizeIs(4));
  const mesh::InterfaceDefinition& big_end = interfaces[0];
  EXPECT_EQ(big_end.name, "big_end");
  EXPECT_EQ(big_end.attach, mesh::Attachment::virtual_body);
  const auto& near = std::get<mesh::NodesNear>(big_end.nodes);
  EXPECT_LT((near.point - Vector3d(0, 1e-3, 2e-3)).norm(), 1e-17);
  EXPECT_NEAR(near.radius, 3e-3, 1e-17);
  EXPECT_EQ(std::get<mesh::NodesInSet>(interfaces[1].nodes).set, "small_end_face");
  EXPECT_EQ(interfaces[1].attach, mesh::Attachment::rbe2);
  EXPECT_NEAR(std::get<mesh::NodesInBox>(interfaces[2].nodes).high.z(), 3e-3, 1e-17);
  EXPECT_EQ(interfaces[2].attach, mesh::Attachment::three_nodes);
  const auto& tube = std::get<mesh::NodesInCylinder>(interfaces[3].nodes);
  EXPECT_EQ(tube.axis, Vector3d::UnitY());
  EXPECT_NEAR(tube.length, 5e-3, 1e-17);
  EXPECT_EQ(interfaces[3].attach, mesh::Attachment::rbe3);
}

TEST(LoadModel, ReadsAFloatingFrameBodyWithItsDefaults) {
  EXPECT_EQ(full().bodies[2]->type, "floating_frame");
  const FlexibleEntry& plate = *full().bodies[2]->flexible();
  EXPECT_EQ(plate.mass, fem::MassKind::lumped);
  EXPECT_EQ(plate.section(full()).hex8, fem::Hex8Formulation::incompatible_modes);
  EXPECT_EQ(plate.mesh_units.length, 1.0);
}

TEST(LoadModel, ReadsJoints) {
  using Kind = PlaceDescription::Kind;
  const PlacedJoint& bearing = joint(full(), 0);
  EXPECT_EQ(bearing.type.word, "revolute");
  EXPECT_EQ(bearing.between[0].kind, Kind::ground);
  EXPECT_EQ(bearing.between[1].kind, Kind::body);
  EXPECT_EQ(bearing.between[1].body, "crank");
  EXPECT_LT((*bearing.at - Vector3d(0, 0, 0.01)).norm(), 1e-17);
  EXPECT_EQ(*bearing.axis, Vector3d::UnitZ());
  EXPECT_EQ(*bearing.reference, Vector3d::UnitX());
  const PlacedJoint& pin = joint(full(), 2);
  EXPECT_EQ(pin.between[0].kind, Kind::frame);
  EXPECT_EQ(pin.between[0].name, "pin");
  EXPECT_EQ(pin.between[1].kind, Kind::interface);
  EXPECT_FALSE(pin.at.has_value());
  EXPECT_NEAR(joint(full(), 3).axis->y(), std::sqrt(0.5), 1e-15);
}

TEST(LoadModel, ReadsDrivesWithTheirUnits) {
  const DriveEntry& drive = drive_of(full(), 1);
  EXPECT_EQ(drive.driven_joint(), "main_bearing");
  EXPECT_EQ(drive.law.text, "angle \"360*t\"");
  EXPECT_NEAR(drive.law.only().value(0.5), M_PI, 1e-14);
  EXPECT_NEAR(drive.law.only().first_derivative(0.5), 2.0 * M_PI, 1e-10);
  const DriveEntry& spin = drive_of(full(), 5);
  EXPECT_TRUE(spin.driven_joint().empty());
  EXPECT_NEAR(spin.law.only().value(1.5), 135.0 * M_PI / 180.0, 1e-14);
}

TEST(LoadModel, ReadsSensors) {
  const auto& sensors = full().sensors;
  ASSERT_THAT(sensors, SizeIs(11));
  EXPECT_EQ(sensors[0]->type, "relative_displacement");
  EXPECT_STREQ(sensors[0]->columns().at(0).quantity->si, "1");  // normalised
  std::vector<std::string> names;
  for (const SensorColumn& column : sensors[1]->columns()) names.push_back(column.name);
  EXPECT_THAT(names, ElementsAre("where.x", "where.y", "where.z"));
  EXPECT_EQ(sensors[2]->recorded().at(0).word, "magnitude");
  EXPECT_EQ(sensors[4]->recorded().at(0).word, "force_y");
  EXPECT_THAT(sensors[5]->columns(), SizeIs(6));
  EXPECT_STREQ(sensors[9]->columns().at(0).quantity->si, "kg m^2/s");
  EXPECT_EQ(full().find_sensor("lambda"), sensors[10].get());
  EXPECT_TRUE(sensors[10]->reads_joint("main_bearing"));
}

TEST(LoadModel, ReadsLoadsAndSupportsWithTheirUnits) {
  ASSERT_THAT(full().loads, SizeIs(4));
  const LoadEntry& push = *full().loads[0];
  EXPECT_EQ(push.places().at(0).kind, PlaceDescription::Kind::interface);
  EXPECT_EQ(push.acts_on(), "on skin.end, follows");
  EXPECT_NEAR(law_value(push, "force", 0.5, 1), 5.0, 1e-14);  // N
  EXPECT_NEAR(law_value(push, "force", 0.5, 2), 2.5, 1e-14);
  EXPECT_NEAR(law_value(push, "torque", 0.0, 0), 1e-3, 1e-17);  // N mm
  EXPECT_FALSE(full().loads[1]->on_solid("rod").has_value());
  const bodies::SolidLoad wind = full().loads[1]->on_solid("skin").value();
  EXPECT_EQ(wind.kind, reduction::LoadDefinition::Kind::pressure);
  EXPECT_EQ(wind.follows, bodies::SolidLoad::Follows::deformed);
  EXPECT_NEAR(wind.pressure.value(3.0), 6e6, 1e-7);  // N/mm^2
  const bodies::SolidLoad shear = full().loads[2]->on_solid("skin").value();
  EXPECT_EQ(shear.kind, reduction::LoadDefinition::Kind::traction);
  EXPECT_NEAR(shear.vector[0].value(0.0), 1e6, 1e-7);
  EXPECT_NEAR(std::get<mesh::NodesInBox>(shear.where).high.z(), 3e-3, 1e-17);
  EXPECT_NEAR(law_value(*full().loads[3], "force", 0.0, 2), 4.0, 1e-15);
  const SupportDescription& wall = full().supports.at(0);
  EXPECT_THAT(wall.fixes, ElementsAre(true, false, true));
  EXPECT_NEAR(wall.displacement[2].value(2.0), 0.01, 1e-16);
}

TEST(LoadModel, ReadsAnalysesSolverAndOutput) {
  ASSERT_THAT(full().analyses, SizeIs(3));
  EXPECT_EQ(std::get<ModesDescription>(full().analyses[0]).count, 5);
  const auto& alpha = std::get<DynamicsDescription>(full().analyses[1]).options;
  EXPECT_EQ(alpha.integrator, analyses::IntegratorKind::generalized_alpha);
  EXPECT_EQ(alpha.rho_infinity, 0.7);
  EXPECT_EQ(alpha.adaptive->maximum_step, 1e-2);
  EXPECT_EQ(alpha.tolerance, 1e-9);
  EXPECT_EQ(alpha.max_iterations, 12);
  const auto& bdf = std::get<DynamicsDescription>(full().analyses[2]).options;
  EXPECT_EQ(bdf.integrator, analyses::IntegratorKind::bdf);
  EXPECT_EQ(bdf.baumgarte_alpha, 40.0);
  EXPECT_EQ(bdf.baumgarte_beta, 50.0);
  EXPECT_EQ(bdf.relative_tolerance, 1e-5);
  EXPECT_EQ(full().solver.preset, solvers::Preset::direct);
  EXPECT_EQ(full().solver.petsc_options, "-ksp_monitor -log_view");
  EXPECT_EQ(full().output.history_every, 0);
  EXPECT_EQ(full().output.history_interval, 1e-3);
  EXPECT_EQ(full().output.checkpoint_interval, 30.0);
  EXPECT_EQ(full().output.checkpoint_every, 500);
}

TEST(LoadModel, FillsInDefaults) {
  const ModelDescription model = pendulum();
  const auto& dynamics = std::get<DynamicsDescription>(model.analyses[0]).options;
  EXPECT_EQ(dynamics.rho_infinity, 0.8);
  EXPECT_EQ(dynamics.tolerance, 1e-10);
  EXPECT_EQ(dynamics.max_iterations, 20);
  EXPECT_FALSE(dynamics.adaptive.has_value());
  EXPECT_EQ(model.output.history_every, 1);
  EXPECT_EQ(model.output.checkpoint_interval, 60.0);
  EXPECT_EQ(model.solver.preset, solvers::Preset::automatic);
  EXPECT_EQ(model.gravity, Vector3d::Zero());
  EXPECT_EQ(rigid(model, 0).inertia, Matrix3d::Zero());
}

TEST(LoadModel, TimeUnitReachesDrivesStepsAndVelocities) {
  const ModelDescription model =
      pendulum({"units={time: ms}", "analyses.dynamics={duration: 100, step: 0.1}",
                "joints.drive={type: rotation_drive, joint: hinge, angle: 0.15*t}",
                "bodies.arm.velocity={linear: [1, 0, 0]}"});
  EXPECT_NEAR(std::get<DynamicsDescription>(model.analyses[0]).options.step, 1e-4, 1e-18);
  EXPECT_NEAR(drive_of(model, 1).law.only().first_derivative(0.0), 150.0, 1e-8);
  EXPECT_NEAR(model.bodies[0]->velocity.linear.x(), 1000.0, 1e-10);
}

TEST(LoadModel, WarnsOfTonneMillimetreValuesTakenForSi) {
  const ModelDescription model = pendulum(
      {"materials={steel: {youngs_modulus: 210000, poissons_ratio: 0.3, density: 7.85e-9}}"});
  ASSERT_THAT(model.warnings, SizeIs(1));
  EXPECT_THAT(model.warnings[0].what, HasSubstr("look like values in tonne, mm, s"));
}

TEST(LoadModel, WarnsOfAModulusInMegapascalTakenForPascal) {
  const auto warnings_of = [](const std::string& modulus, const std::string& density) {
    return pendulum({"materials={m: {youngs_modulus: " + modulus +
                     ", poissons_ratio: 0.3, density: " + density + "}}"})
        .warnings;
  };
  const auto aluminium = warnings_of("70000", "2700");
  ASSERT_THAT(aluminium, SizeIs(1));
  EXPECT_THAT(
      aluminium[0].what,
      HasSubstr("materials.m.youngs_modulus is 70000 Pa: the wave speed in this material is"));
  EXPECT_THAT(aluminium[0].remedy, HasSubstr("write  7e+10"));
  EXPECT_THAT(warnings_of("210000", "7850"), SizeIs(1));
  EXPECT_THAT(warnings_of("3000", "1200"), SizeIs(1));  // a plastic
  EXPECT_THAT(warnings_of("70e9", "2700"), SizeIs(0));
  EXPECT_THAT(warnings_of("2e6", "1100"), SizeIs(0));  // a rubber
}

const char* const kSpruce =
    "materials={spruce: {youngs_moduli: [11e9, 0.8e9, 0.5e9], poissons_ratios: [0.4, 0.45, 0.5], shear_moduli: [0.7e9, 0.6e9, 0.04e9], density: 440, thermal_expansions: [4e-6, 3e-5, 4e-5], axes: {axis: [0, 0, 1], angle: 0.5}}}";

TEST(LoadModel, ReadsAnOrthotropicMaterial) {
  const MaterialDescription spruce = pendulum({kSpruce}).materials.at("spruce");
  const auto* constants = std::get_if<materials::OrthotropicElastic>(&spruce.solid.elastic);
  ASSERT_TRUE(constants);
  EXPECT_EQ(constants->youngs_moduli, Vector3d(11e9, 0.8e9, 0.5e9));
  EXPECT_EQ(constants->poissons_ratios, Vector3d(0.4, 0.45, 0.5));
  EXPECT_EQ(constants->shear_moduli, Vector3d(0.7e9, 0.6e9, 0.04e9));
  EXPECT_EQ(constants->density, 440.0);
  EXPECT_EQ(spruce.solid.expansion.head<3>(), Vector3d(4e-6, 3e-5, 4e-5));
  EXPECT_NEAR(spruce.solid.axes.R(1, 0), std::sin(0.5), 1e-15);
}

TEST(LoadModel, RefusesOrthotropicConstantsThatAreNoMaterial) {
  const auto bad = errors_of({kSpruce, "materials.spruce.poissons_ratios=[4, 0.45, 0.5]"});
  ASSERT_THAT(bad, SizeIs(1));
  EXPECT_THAT(bad[0].what, HasSubstr("materials.spruce.poissons_ratios[0] is 4"));
  const auto both = errors_of({kSpruce, "materials.spruce.youngs_modulus=1e9"});
  ASSERT_FALSE(both.empty());
  EXPECT_THAT(both[0].what, HasSubstr("has both `youngs_modulus` and `youngs_moduli`"));
  EXPECT_FALSE(errors_of({"materials={m: {youngs_moduli: [1, 1, 1], density: 1}}"}).empty());
}

TEST(LoadModel, WarnsOfInertiaThatNoBodyHas) {
  const ModelDescription model = pendulum({"bodies.arm.inertia=[0, 0, 1]"});
  ASSERT_THAT(model.warnings, SizeIs(1));
  EXPECT_THAT(model.warnings[0].what, HasSubstr("exceeds the sum of the other two"));
  EXPECT_TRUE(pendulum({"bodies.arm.inertia=[0, 1, 1]"}).warnings.empty());
}

TEST(LoadModel, OneWordChangesTheFormulationOfABody) {
  const ModelDescription model =
      load_model(kFolder / "full.yaml",
                 {"bodies.rod.type=floating_frame", "bodies.rod.reference_conditions=mean_axis",
                  "bodies.rod.damping={rayleigh: {stiffness: 1e-6}}"});
  EXPECT_EQ(model.find_body("rod")->type, "floating_frame");
  EXPECT_THAT(model.find_body("rod")->places(), SizeIs(6));
  ASSERT_FALSE(model.warnings.empty());
  EXPECT_THAT(model.warnings.back().what, HasSubstr("modes does not apply to type floating_frame"));
}

TEST(Overrides, ReplaceAndCreateValues) {
  const ModelDescription model =
      pendulum({"bodies.arm.mass=3", "bodies.arm.pose.position.2=-4", "gravity=[0, 0, -9.81]",
                "analyses.0.dynamics.rho_infinity=0.5", "output.history_every=7",
                "bodies.ball={type: rigid, mass: 5}"});
  EXPECT_EQ(rigid(model, 0).mass, 3.0);
  EXPECT_EQ(model.bodies[0]->pose.position.z(), -4.0);
  EXPECT_EQ(model.gravity.z(), -9.81);
  EXPECT_EQ(std::get<DynamicsDescription>(model.analyses[0]).options.rho_infinity, 0.5);
  EXPECT_EQ(model.output.history_every, 7);
  EXPECT_EQ(rigid(model, 1).mass, 5.0);
}

TEST(Overrides, LaterOnesWin) {
  EXPECT_EQ(rigid(pendulum({"bodies.arm.mass=3", "bodies.arm.mass=4"}), 0).mass, 4.0);
}

TEST(Overrides, UnknownPathIsAnErrorThatNamesTheNearest) {
  const auto errors = errors_of({"bodies.amr.mass=3"});
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_EQ(errors[0].where.file, "--set bodies.amr.mass");
  EXPECT_THAT(errors[0].what, HasSubstr("the model has no `bodies.amr`"));
  EXPECT_THAT(errors[0].remedy, HasSubstr("did you mean `bodies.arm`?"));
}

TEST(Overrides, FaultsOfEveryKindArePointedAt) {
  const auto errors =
      errors_of({"bodies.arm.mas=3", "analyses.2.dynamics.step=1", "analyses.modes.count=1",
                 "title", "=3", "gravity=[1, 2", "joints.hinge.axis.7=1"});
  ASSERT_THAT(errors, SizeIs(7));
  for (const base::Diagnostic& error : errors) EXPECT_THAT(error.where.file, HasSubstr("--set"));
  EXPECT_THAT(errors[0].remedy, HasSubstr("`bodies.arm.mass`"));
  EXPECT_THAT(errors[1].remedy, HasSubstr("analyses.0"));
}

TEST(Overrides, WrongValueIsReportedAtTheOption) {
  const auto errors = errors_of({"joints.hinge.axis=[0, 0, 0]"});
  ASSERT_THAT(errors, SizeIs(1));
  EXPECT_EQ(errors[0].where.file, "--set joints.hinge.axis");
  EXPECT_THAT(errors[0].what, HasSubstr("joints.hinge.axis is [0, 0, 0]"));
}

TEST(LoadModel, CollectiveVersionGivesTheSame) {
  const ModelDescription model = load_model(PETSC_COMM_WORLD, kFolder / "full.yaml");
  EXPECT_EQ(model.bodies.size(), full().bodies.size());
  EXPECT_EQ(summary(model), summary(full()));
  EXPECT_THROW(load_model(PETSC_COMM_WORLD, kFolder / "none.yaml"), base::InputError);
}

TEST(Summary, NamesEverything) {
  const std::string text = summary(full());
  for (const char* word : {"crank", "rod.msh", "main_bearing", "crank.pin - rod.big_end",
                           "\"360*t\"", "deflection", "wind", "xz", "bdf", "5 of rod"})
    EXPECT_THAT(text, HasSubstr(word));
}

}  // namespace
}  // namespace solidyn::model
