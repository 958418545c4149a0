#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include <cmath>

#include "model/sensors/catalogue.h"
#include "solidyn/analyses/dynamics.h"
#include "solidyn/model/build.h"
#include "solidyn/model/load.h"

namespace solidyn::model {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Sensors of each type that bodies without a mesh can have.
const char* const kModel = R"(solidyn: 1
units: {length: mm, angle: deg}
bodies:
  crank:
    type: rigid
    mass: 1
    inertia: [10, 10, 10]
    frames: {tip: {position: [300, 0, 0]}}
  slider: {type: rigid, mass: 2, inertia: [10, 10, 10]}
  rod:
    type: beam
    points: {left: [0, 500, 0], right: [400, 500, 0]}
    elements: 2
    section: {type: circle, radius: 5}
    material: steel
materials:
  steel: {youngs_modulus: 2e5, poissons_ratio: 0.3, density: 7.8e-6}
joints:
  bearing: {type: revolute, between: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1], damper: {damping: 1}}
  drive: {type: rotation_drive, joint: bearing, angle: "90*t"}
  guide: {type: prismatic, between: [ground, slider], at: [0, 0, 0], axis: [1, 0, 0]}
  clamp: {type: fixed, between: [ground, rod.left]}
forces:
  strut: {type: spring_damper, between: [ground, slider], at_first: [0, 100, 0], stiffness: 2}
  air: {type: drag, at: slider, viscous: 0.5}
contacts:
  floor: {between: [ground, slider], first: {shape: plane, at: [0, 0, -9], axis: [0, 0, 1]}, second: {shape: sphere, radius: 5}, law: {type: hertz, stiffness: 1e9}}
sensors:
  deflection: {type: relative_displacement, point: crank.tip, chord: [ground, rod.right], about: [0, 0, 1], normalised_by: 100}
  p: {type: position, of: crank.tip}
  far: {type: position, of: crank.tip, component: magnitude}
  v: {type: velocity, of: crank.tip, axes_of: crank, component: y}
  a: {type: acceleration, of: crank.tip}
  turned: {type: orientation, of: crank}
  attitude: {type: orientation, of: crank, as: quaternion}
  cardan: {type: orientation, of: crank, as: xyz, component: angle_3}
  w: {type: angular_velocity, of: crank}
  dw: {type: angular_acceleration, of: crank}
  angle: {type: joint_angle, joint: bearing, turns: wrapped}
  rate: {type: joint_angle, joint: bearing, quantity: velocity}
  slide: {type: joint_translation, joint: guide}
  bearing_force: {type: reaction, joint: bearing, side: first}
  all_energy: {type: energy}
  kinetic: {type: energy, kind: kinetic, body: crank}
  momentum: {type: momentum}
  spin: {type: momentum, kind: angular, component: z}
  own_spin: {type: momentum, kind: centroidal, component: z}
  centre: {type: centre_of_mass}
  centre_of_slider: {type: centre_of_mass, bodies: [slider], component: magnitude}
  drift: {type: centre_of_mass, kind: velocity, bodies: [crank, rod], component: y}
  lambda: {type: multiplier, joint: bearing, index: 4}
  touch: {type: contact, contact: floor}
  weight: {type: contact, contact: floor, component: force_z}
  strut_state: {type: force, force: strut}
  drag_state: {type: force, force: air}
  friction: {type: joint_force, joint: bearing}
  motor: {type: drive, joint: drive}
  power: {type: drive, joint: drive, component: power}
  bending: {type: section_force, body: rod, fraction: 0.25}
  bent: {type: section_strain, body: rod, point: left, component: curvature_z}
  twice: {type: expression, value: "2*p.x", measures: length}
  four_times: {type: expression, value: "2*twice"}
analyses:
  - dynamics: {duration: 1, step: 1e-3}
)";

ModelDescription parse(const std::vector<std::string>& overrides = {}) {
  return parse_model(kModel, "model.yaml", ".", overrides);
}

std::string error_with(const std::string& override_text) {
  try {
    parse({override_text});
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

/// Values at the start, by column.
std::map<std::string, double> values_at_the_start() {
  const ModelDescription model = parse();
  const auto built = build(PETSC_COMM_SELF, model, {});
  analyses::Dynamics dynamics(
      built->system,
      dynamics_options(std::get<DynamicsDescription>(model.analyses[0]), model.solver));
  dynamics.start();
  dynamics.observe();
  std::map<std::string, double> result;
  for (const analyses::Sensor& sensor : built->sensors) {
    std::vector<double> values(sensor.columns.size());
    sensor.read({built->system, dynamics.state()}, values.data());
    for (std::size_t i = 0; i < values.size(); ++i) result[sensor.columns[i].name] = values[i];
  }
  return result;
}

TEST(SensorCatalogue, EntriesNameTheColumnsThatTheBuiltSensorsHave) {
  const ModelDescription model = parse();
  const auto built = build(PETSC_COMM_SELF, model, {});
  ASSERT_EQ(built->sensors.size(), model.sensors.size());
  for (std::size_t i = 0; i < model.sensors.size(); ++i) {
    SCOPED_TRACE(model.sensors[i]->name);
    const std::vector<SensorColumn> columns = model.sensors[i]->columns();
    ASSERT_EQ(columns.size(), built->sensors[i].columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c) {
      EXPECT_EQ(columns[c].name, built->sensors[i].columns[c].name);
      EXPECT_EQ(columns[c].quantity ? columns[c].quantity->si : "N or N m",
                built->sensors[i].columns[c].unit);
    }
  }
}

TEST(SensorCatalogue, SensorsRecordWhatTheirKeysSay) {
  const auto values = values_at_the_start();
  EXPECT_NEAR(values.at("deflection"), -3.0 * 5.0 / std::hypot(4.0, 5.0), 1e-12);
  EXPECT_NEAR(values.at("far"), 0.3, 1e-14);
  EXPECT_NEAR(values.at("v"), 0.3 * M_PI / 2.0, 1e-12);
  EXPECT_NEAR(values.at("a.x"), -0.3 * std::pow(M_PI / 2.0, 2), 1e-10);
  EXPECT_NEAR(values.at("attitude.w"), 1.0, 1e-14);
  EXPECT_NEAR(values.at("w.z"), M_PI / 2.0, 1e-12);
  EXPECT_NEAR(values.at("rate"), M_PI / 2.0, 1e-12);
  EXPECT_NEAR(values.at("kinetic"), 0.5 * 1e-5 * std::pow(M_PI / 2.0, 2), 1e-16);
  EXPECT_NEAR(values.at("spin"), 1e-5 * M_PI / 2.0, 1e-15);
  // About the centre of crank, slider and rod, which is where the rod draws it.
  const double rod = M_PI * 25e-6 * 0.4 * 7800.0;
  EXPECT_NEAR(values.at("centre.x"), 0.2 * rod / (3.0 + rod), 1e-12);
  EXPECT_NEAR(values.at("centre.y"), 0.5 * rod / (3.0 + rod), 1e-12);
  EXPECT_NEAR(values.at("own_spin"),
              values.at("spin") - values.at("centre.x") * values.at("momentum.y") +
                  values.at("centre.y") * values.at("momentum.x"),
              1e-15);
  EXPECT_NEAR(values.at("centre_of_slider"), 0.0, 1e-15);
  EXPECT_NEAR(values.at("drift"), 0.0, 1e-12);
  EXPECT_NEAR(values.at("touch.gap"), 4e-3, 1e-14);
  EXPECT_NEAR(values.at("strut_state.length"), 0.1, 1e-14);
  EXPECT_NEAR(values.at("friction"), -9e-5, 1e-15);  // 1 kg mm^2/s^2 by deg/s, at 90 deg/s
  EXPECT_NEAR(values.at("motor.power"), values.at("power"), 1e-14);
  EXPECT_NEAR(values.at("twice"), 0.6, 1e-14);
  EXPECT_NEAR(values.at("four_times"), 1.2e3, 1e-10);  // of mm
}

TEST(SensorCatalogue, UnknownTypeIsRefusedAndNoneTakesItsPlace) {
  EXPECT_EQ(find_sensor_type("place"), nullptr);
  EXPECT_THAT(error_with("sensors.p.type=place"),
              HasSubstr("sensors.p.type: unknown type `place`"));
}

TEST(SensorCatalogue, ForcesDependOnWhatPositionsAndVelocitiesTell) {
  const ModelDescription model = parse();
  const auto built = build(PETSC_COMM_SELF, model, {});
  PlaceFinder places(built->system);
  int n_measurable = 0;
  for (const auto& sensor : model.sensors) {
    SCOPED_TRACE(sensor->name);
    EXPECT_EQ(sensor->is_measurable(), find_sensor_type(sensor->type)->is_measurable);
    if (!sensor->force_rejection(sensor->name)) ++n_measurable;
    if (!sensor->is_measurable()) EXPECT_ANY_THROW(sensor->measure(0, {model, places, *built}));
  }
  EXPECT_EQ(n_measurable, 9);
  EXPECT_THAT(model.find_sensor("a")->force_rejection("a.x")->what,
              HasSubstr("`a.x` is a sensor of type acceleration"));
  EXPECT_THAT(model.find_sensor("a")->force_rejection("a.x")->remedy,
              AllOf(HasSubstr("joint_angle"), Not(HasSubstr("acceleration"))));
  EXPECT_THAT(model.find_sensor("attitude")->force_rejection("attitude.w")->what,
              HasSubstr("to a quaternion"));
  EXPECT_THAT(model.find_sensor("angle")->force_rejection("angle")->what,
              HasSubstr("jumps by a full turn"));
}

TEST(SensorCatalogue, EachTypeSaysWhatItLacks) {
  const std::pair<const char*, const char*> lacks[] = {
      {"type: relative_displacement", "point is missing"},
      {"type: relative_displacement, point: crank.tip", "chord is missing"},
      {"type: position", "of is missing"},
      {"type: velocity", "of is missing"},
      {"type: acceleration", "of is missing"},
      {"type: orientation", "of is missing"},
      {"type: orientation, of: crank, component: w", "`as: rotation_vector` does not have"},
      {"type: angular_velocity", "of is missing"},
      {"type: angular_acceleration", "of is missing"},
      {"type: joint_angle", "joint is missing"},
      {"type: joint_angle, joint: guide", "of type prismatic, which has no angle"},
      {"type: joint_translation", "joint is missing"},
      {"type: joint_translation, joint: bearing", "of type revolute, which has no translation"},
      {"type: joint_translation, joint: guide, along: x", "does not move in this direction"},
      {"type: reaction", "joint is missing"},
      {"type: support_force", "support is missing"},
      {"type: support_force, support: wall", "there is no support `wall`"},
      {"type: multiplier", "joint is missing"},
      {"type: multiplier, joint: bearing, index: 5", "a revolute has 5 multipliers"},
      {"type: stress", "body is missing"},
      {"type: stress, body: crank, place: edge", "`crank` is rigid"},
      {"type: contact", "contact is missing"},
      {"type: force", "force is missing"},
      {"type: force, force: air, component: length", "which a drag does not have"},
      {"type: joint_force", "joint is missing"},
      {"type: joint_force, joint: guide", "`guide` has no spring, limits or friction"},
      {"type: drive", "joint is missing"},
      {"type: drive, joint: guide", "of type prismatic, which is not a drive"},
      {"type: drive, joint: drive, component: force", "which a rotation_drive does not have"},
      {"type: section_force", "body is missing"},
      {"type: section_force, body: rod", "needs either a `point` of the beam or a `fraction`"},
      {"type: section_strain, body: crank, fraction: 0.5", "has no cross-sections"},
      {"type: expression", "value is missing"},
      {"type: expression, value: more + 1", "circular formula: more -> more"}};
  for (const auto& [keys, message] : lacks)
    EXPECT_THAT(error_with(std::string("sensors.more={") + keys + "}"), HasSubstr(message)) << keys;
}

// Each needs nothing but its name.
TEST(SensorCatalogue, EnergyAndMomentumNeedNoKey) {
  EXPECT_THAT(error_with("sensors.more={type: centre_of_mass}"), IsEmpty());
  EXPECT_THAT(error_with("sensors.more={type: energy}"), IsEmpty());
  EXPECT_THAT(error_with("sensors.more={type: momentum}"), IsEmpty());
}

}  // namespace
}  // namespace solidyn::model
