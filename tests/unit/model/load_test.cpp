#include "solidyn/model/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include <cmath>

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
  EXPECT_EQ(full().bodies[0].name, "crank");
  EXPECT_EQ(full().bodies[2].name, "plate");
  EXPECT_EQ(full().joints[3].name, "guide");
  EXPECT_EQ(full().sensors[0].name, "deflection");
  EXPECT_EQ(full().title, "everything the grammar knows");
  EXPECT_EQ(full().find_body("rod"), &full().bodies[1]);
  EXPECT_EQ(full().find_joint("nothing"), nullptr);
  EXPECT_EQ(full().bodies[1].where.line, 17);
  EXPECT_EQ(full().bodies[1].where.column, 3);
}

TEST(LoadModel, ConvertsTonneMillimetreDegreeToSi) {
  EXPECT_NEAR(full().gravity.z(), -9.81, 1e-14);
  const MaterialDescription& steel = full().materials.at("steel");
  EXPECT_NEAR(steel.youngs_modulus, 2.1e11, 1e-3);
  EXPECT_NEAR(steel.density, 7850.0, 1e-9);
  const BodyDescription& crank = full().bodies[0];
  EXPECT_NEAR(crank.rigid.mass, 0.1, 1e-16);
  EXPECT_NEAR(crank.rigid.center_of_mass.x(), 0.075, 1e-16);
  EXPECT_NEAR(crank.rigid.inertia(2, 2), 2.5e-3, 1e-17);  // 1 t mm^2 = 1e-3 kg m^2
  EXPECT_NEAR(crank.rigid.inertia(0, 1), 1e-4, 1e-17);
  EXPECT_NEAR(crank.linear_velocity.x(), 1.0, 1e-15);
  EXPECT_NEAR(crank.angular_velocity.z(), M_PI, 1e-14);
  ASSERT_THAT(full().warnings, SizeIs(1));
  EXPECT_THAT(full().warnings[0].what, HasSubstr("mean_axis_level is not used"));
}

TEST(LoadModel, ReadsRotationsInEachWay) {
  // 90 degrees about z turns x into y.
  EXPECT_LT((full().bodies[0].pose.rotation * Vector3d::UnitX() - Vector3d::UnitY()).norm(), 1e-15);
  // Rx(90) Ry(0) Rz(90): x -> y -> z.
  const PoseDescription& pin = full().bodies[0].rigid.frames[0].pose;
  EXPECT_LT((pin.rotation * Vector3d::UnitX() - Vector3d::UnitZ()).norm(), 1e-15);
  // (1, 1, 1, 1)/2 turns by 120 degrees about the space diagonal: x -> y.
  EXPECT_LT((full().bodies[1].pose.rotation * Vector3d::UnitX() - Vector3d::UnitY()).norm(), 1e-15);
  EXPECT_NEAR(Eigen::AngleAxisd(full().bodies[2].pose.rotation).angle(), M_PI / 6.0, 1e-15);
}

TEST(LoadModel, ReadsAModalBody) {
  const FlexibleDescription& rod = full().bodies[1].flexible;
  EXPECT_EQ(full().bodies[1].type, BodyType::modal);
  EXPECT_EQ(rod.mesh, kFolder / "rod.msh");
  EXPECT_EQ(rod.mesh_scale, 1e-3);
  EXPECT_EQ(rod.material, "steel");
  EXPECT_EQ(rod.mass_matrix, fem::MassKind::lumped);
  EXPECT_EQ(rod.hex8, fem::Hex8Formulation::b_bar);
  EXPECT_EQ(rod.reference_conditions, ReferenceConditions::principal_axis);
  EXPECT_EQ(rod.enforced_by, EnforcedBy::multipliers);
  EXPECT_EQ(rod.mean_axis_level, MeanAxisLevel::velocity);
  EXPECT_EQ(rod.free_free_modes, 8);
  EXPECT_EQ(rod.static_correction, reduction::StaticCorrection::none);
  EXPECT_EQ(rod.damping.rayleigh_mass, 2.0);
  EXPECT_EQ(rod.damping.rayleigh_stiffness, 3e-6);
  EXPECT_EQ(rod.damping.modal_ratio, 0.01);
  ASSERT_THAT(rod.points, SizeIs(2));
  EXPECT_NEAR(rod.points[1].x_B.x(), 0.3, 1e-15);
}

TEST(LoadModel, ReadsInterfacesInEachWay) {
  using Rule = mesh::NodeSelection::Rule;
  const auto& interfaces = full().bodies[1].flexible.interfaces;
  ASSERT_THAT(interfaces, SizeIs(4));
  const mesh::InterfaceDefinition& big_end = interfaces[0].definition;
  EXPECT_EQ(big_end.name, "big_end");
  EXPECT_EQ(big_end.attach, mesh::Attachment::virtual_body);
  EXPECT_EQ(big_end.nodes.rule, Rule::near);
  EXPECT_LT((big_end.nodes.point - Vector3d(0, 1e-3, 2e-3)).norm(), 1e-17);
  EXPECT_NEAR(big_end.nodes.radius, 3e-3, 1e-17);
  EXPECT_EQ(interfaces[1].definition.nodes.set, "small_end_face");
  EXPECT_EQ(interfaces[1].definition.attach, mesh::Attachment::rbe2);
  EXPECT_EQ(interfaces[2].definition.nodes.rule, Rule::in_box);
  EXPECT_NEAR(interfaces[2].definition.nodes.high.z(), 3e-3, 1e-17);
  EXPECT_EQ(interfaces[2].definition.attach, mesh::Attachment::three_nodes);
  const mesh::NodeSelection& tube = interfaces[3].definition.nodes;
  EXPECT_EQ(tube.rule, Rule::in_cylinder);
  EXPECT_EQ(tube.axis, Vector3d::UnitY());
  EXPECT_NEAR(tube.length, 5e-3, 1e-17);
  EXPECT_EQ(interfaces[3].definition.attach, mesh::Attachment::rbe3);
}

TEST(LoadModel, ReadsAFloatingFrameBodyWithItsDefaults) {
  const FlexibleDescription& plate = full().bodies[2].flexible;
  EXPECT_EQ(full().bodies[2].type, BodyType::floating_frame);
  EXPECT_EQ(plate.mass_matrix, fem::MassKind::lumped);
  EXPECT_EQ(plate.hex8, fem::Hex8Formulation::incompatible_modes);
  EXPECT_EQ(plate.reference_conditions, ReferenceConditions::mean_axis);
  EXPECT_EQ(plate.enforced_by, EnforcedBy::multipliers);
  EXPECT_EQ(plate.mesh_scale, 1.0);
}

TEST(LoadModel, ReadsJoints) {
  using Kind = PlaceDescription::Kind;
  const JointDescription& bearing = full().joints[0];
  EXPECT_EQ(bearing.type, JointType::revolute);
  EXPECT_EQ(bearing.between[0].kind, Kind::ground);
  EXPECT_EQ(bearing.between[1].kind, Kind::body);
  EXPECT_EQ(bearing.between[1].body, "crank");
  EXPECT_LT((*bearing.at - Vector3d(0, 0, 0.01)).norm(), 1e-17);
  EXPECT_EQ(*bearing.axis, Vector3d::UnitZ());
  EXPECT_EQ(*bearing.reference, Vector3d::UnitX());
  const JointDescription& pin = full().joints[2];
  EXPECT_EQ(pin.between[0].kind, Kind::frame);
  EXPECT_EQ(pin.between[0].name, "pin");
  EXPECT_EQ(pin.between[1].kind, Kind::interface);
  EXPECT_FALSE(pin.at.has_value());
  EXPECT_NEAR(full().joints[3].axis->y(), std::sqrt(0.5), 1e-15);
}

TEST(LoadModel, ReadsDrivesWithTheirUnits) {
  const JointDescription& drive = full().joints[1];
  EXPECT_EQ(drive.joint, "main_bearing");
  EXPECT_EQ(drive.law_text, "angle \"360*t\"");
  EXPECT_NEAR(drive.laws[0]->value(0.5), M_PI, 1e-14);
  EXPECT_NEAR(drive.laws[0]->first_derivative(0.5), 2.0 * M_PI, 1e-10);
  const JointDescription& spin = full().joints[5];
  EXPECT_TRUE(spin.joint.empty());
  EXPECT_NEAR(spin.laws[0]->value(1.5), 135.0 * M_PI / 180.0, 1e-14);
}

TEST(LoadModel, ReadsSensors) {
  const SensorDescription& deflection = full().sensors[0];
  EXPECT_EQ(deflection.type, SensorType::relative_displacement);
  EXPECT_THAT(deflection.chord, ElementsAre("small_end", "big_end"));
  EXPECT_EQ(deflection.point, "midpoint");
  EXPECT_EQ(deflection.about, Vector3d::UnitY());
  EXPECT_NEAR(deflection.normalised_by, 0.3, 1e-15);
  const SensorDescription& where = full().sensors[1];
  EXPECT_EQ(where.of.kind, PlaceDescription::Kind::point);
  EXPECT_EQ(where.relative_to->kind, PlaceDescription::Kind::frame);
  EXPECT_THAT(where.components, ElementsAre(Component::x, Component::y, Component::z));
  EXPECT_THAT(full().sensors[2].components, ElementsAre(Component::magnitude));
  EXPECT_THAT(full().sensors[4].components, ElementsAre(Component::force_y));
  EXPECT_THAT(full().sensors[5].components, SizeIs(6));
  EXPECT_EQ(full().sensors[7].energy, analyses::EnergyPart::total);
  EXPECT_EQ(full().sensors[8].body, "rod");
  EXPECT_EQ(full().sensors[9].momentum, analyses::MomentumPart::angular);
  EXPECT_EQ(full().sensors[10].index, 4);
}

TEST(LoadModel, ReadsLoadsAndSupportsWithTheirUnits) {
  ASSERT_THAT(full().loads, SizeIs(4));
  const LoadDescription& push = full().loads[0];
  EXPECT_EQ(push.at.kind, PlaceDescription::Kind::interface);
  EXPECT_TRUE(push.follows_body);
  EXPECT_NEAR(push.force[1].value(0.5), 5.0, 1e-14);  // N
  EXPECT_NEAR(push.force[2].value(0.5), 2.5, 1e-14);
  EXPECT_NEAR(push.torque[0].value(0.0), 1e-3, 1e-17);  // N mm
  const LoadDescription& wind = full().loads[1];
  EXPECT_EQ(wind.type, LoadType::pressure);
  EXPECT_EQ(wind.body, "skin");
  EXPECT_TRUE(wind.follows_body);
  EXPECT_NEAR(wind.pressure.value(3.0), 6e6, 1e-7);  // N/mm^2
  EXPECT_NEAR(full().loads[2].force[0].value(0.0), 1e6, 1e-7);
  EXPECT_NEAR(full().loads[2].nodes.high.z(), 3e-3, 1e-17);
  EXPECT_NEAR(full().loads[3].force[2].value(0.0), 4.0, 1e-15);
  const SupportDescription& wall = full().supports.at(0);
  EXPECT_THAT(wall.fixes, ElementsAre(true, false, true));
  EXPECT_NEAR(wall.displacement[2].value(2.0), 0.01, 1e-16);
  EXPECT_EQ(full().sensors[6].support, "wall");
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
  EXPECT_EQ(model.bodies[0].rigid.inertia, Matrix3d::Zero());
}

TEST(LoadModel, TimeUnitReachesDrivesStepsAndVelocities) {
  const ModelDescription model =
      pendulum({"units={time: ms}", "analyses.dynamics={duration: 100, step: 0.1}",
                "joints.drive={type: rotation_drive, joint: hinge, angle: 0.15*t}",
                "bodies.arm.velocity={linear: [1, 0, 0]}"});
  EXPECT_NEAR(std::get<DynamicsDescription>(model.analyses[0]).options.step, 1e-4, 1e-18);
  EXPECT_NEAR(model.joints[1].laws[0]->first_derivative(0.0), 150.0, 1e-8);
  EXPECT_NEAR(model.bodies[0].linear_velocity.x(), 1000.0, 1e-10);
}

TEST(LoadModel, WarnsOfTonneMillimetreValuesTakenForSi) {
  const ModelDescription model = pendulum(
      {"materials={steel: {youngs_modulus: 210000, poissons_ratio: 0.3, density: 7.85e-9}}"});
  ASSERT_THAT(model.warnings, SizeIs(1));
  EXPECT_THAT(model.warnings[0].what, HasSubstr("look like tonne, mm, s"));
}

TEST(LoadModel, WarnsOfAModulusInMegapascalTakenForPascal) {
  const auto warnings_of = [](const std::string& modulus, const std::string& density) {
    return pendulum({"materials={m: {youngs_modulus: " + modulus +
                     ", poissons_ratio: 0.3, density: " + density + "}}"})
        .warnings;
  };
  const auto aluminium = warnings_of("70000", "2700");
  ASSERT_THAT(aluminium, SizeIs(1));
  EXPECT_THAT(aluminium[0].what, HasSubstr("materials.m.youngs_modulus is 70000 Pa: waves run at"));
  EXPECT_THAT(aluminium[0].remedy, HasSubstr("write  7e+10"));
  EXPECT_THAT(warnings_of("210000", "7850"), SizeIs(1));
  EXPECT_THAT(warnings_of("3000", "1200"), SizeIs(1));  // a plastic
  EXPECT_THAT(warnings_of("70e9", "2700"), SizeIs(0));
  EXPECT_THAT(warnings_of("2e6", "1100"), SizeIs(0));  // a rubber
}

TEST(LoadModel, WarnsOfInertiaThatNoBodyHas) {
  const ModelDescription model = pendulum({"bodies.arm.inertia=[0, 0, 1]"});
  ASSERT_THAT(model.warnings, SizeIs(1));
  EXPECT_THAT(model.warnings[0].what, HasSubstr("above the sum of the other two"));
  EXPECT_TRUE(pendulum({"bodies.arm.inertia=[0, 1, 1]"}).warnings.empty());
}

TEST(LoadModel, OneWordChangesTheFormulationOfABody) {
  const ModelDescription model =
      load_model(kFolder / "full.yaml",
                 {"bodies.rod.type=floating_frame", "bodies.rod.reference_conditions=mean_axis",
                  "bodies.rod.damping={rayleigh: {stiffness: 1e-6}}"});
  EXPECT_EQ(model.find_body("rod")->type, BodyType::floating_frame);
  EXPECT_THAT(model.find_body("rod")->flexible.interfaces, SizeIs(4));
  ASSERT_FALSE(model.warnings.empty());
  EXPECT_THAT(model.warnings.back().what,
              HasSubstr("modes has no meaning for type floating_frame"));
}

TEST(Overrides, ReplaceAndCreateValues) {
  const ModelDescription model =
      pendulum({"bodies.arm.mass=3", "bodies.arm.pose.position.2=-4", "gravity=[0, 0, -9.81]",
                "analyses.0.dynamics.rho_infinity=0.5", "output.history_every=7",
                "bodies.ball={type: rigid, mass: 5}"});
  EXPECT_EQ(model.bodies[0].rigid.mass, 3.0);
  EXPECT_EQ(model.bodies[0].pose.position.z(), -4.0);
  EXPECT_EQ(model.gravity.z(), -9.81);
  EXPECT_EQ(std::get<DynamicsDescription>(model.analyses[0]).options.rho_infinity, 0.5);
  EXPECT_EQ(model.output.history_every, 7);
  EXPECT_EQ(model.find_body("ball")->rigid.mass, 5.0);
}

TEST(Overrides, LaterOnesWin) {
  EXPECT_EQ(pendulum({"bodies.arm.mass=3", "bodies.arm.mass=4"}).bodies[0].rigid.mass, 4.0);
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
