// Tables in files of many columns, over sensors, and with ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include <filesystem>
#include <fstream>

#include "law_values.h"
#include "model/forces/expression.h"
#include "model/joints/joint_entry.h"
#include "model/loads/load_entry.h"
#include "solidyn/model/load.h"

namespace solidyn::model {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const char* const kCrank = R"(solidyn: 1
units: {length: mm, angle: deg, force: N}
bodies:
  crank: {type: rigid, mass: 1, inertia: [1, 1, 1]}
joints:
  bearing:
    type: revolute
    between: [ground, crank]
    at: [0, 0, 0]
    axis: [0, 0, 1]
    actuator: {table: [[0, 0], [180, 2000], [360, 0]], of: turn, ends: periodic, interpolation: linear}
forces:
  gas:
    type: expression
    at: crank
    force: [{table: [[0, 0], [90, 9]], of: turn}, 0, "2*turn"]
sensors:
  turn: {type: joint_angle, joint: bearing}
  p: {type: position, of: crank}
  e: {type: energy}
loads:
  push: {type: force, at: crank, torque: [0, 0, {table: [[0, 0], [1, 5]]}], force: [0, 0, 0]}
analyses:
  - dynamics: {duration: 1, step: 1e-3}
)";

class TempFolder : public testing::Test {
 protected:
  TempFolder() : folder_(std::filesystem::temp_directory_path() / "solidyn_tables_test") {
    std::filesystem::create_directories(folder_);
  }
  ~TempFolder() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }
  ModelDescription parse(const std::vector<std::string>& overrides = {}) const {
    return parse_model(kCrank, "crank.yaml", folder_, overrides);
  }
  std::string error_with(const std::vector<std::string>& overrides) const {
    try {
      parse(overrides);
    } catch (const base::InputError& error) {
      return error.what();
    }
    return "";
  }
  double torque_at(const std::string& table, double t) const {
    return law_value(*parse({"loads.push.torque=[0, 0, " + table + "]"}).loads[0], "torque", t, 2);
  }

  std::filesystem::path folder_;
};
using Tables = TempFolder;

TEST_F(Tables, OverASensorAreOfForcesAndActuators) {
  const ModelDescription model = parse();
  const auto& actuator = *model.joints[0]->forces.along.at(JointFreedom::rotation).actuator;
  EXPECT_EQ(actuator.over.sensor, "turn");
  EXPECT_NEAR(actuator.curve.value(M_PI / 2.0), 1.0, 1e-12);  // N mm by deg, in SI
  EXPECT_NEAR(actuator.curve.value(6.5 * M_PI), 1.0, 1e-12);
  const auto& gas = dynamic_cast<const ExpressionEntry&>(*model.forces[0]);
  const double at[] = {0.0, 30.0};  // as formulas have them: degrees
  EXPECT_NEAR(gas.components[0]->value(at), 3.0, 1e-12);
  EXPECT_NEAR(gas.components[2]->value(at), 60.0, 1e-12);
  ASSERT_EQ(gas.variables.size(), 1u);
}

TEST_F(Tables, OverASensorAreRefusedWhereOnlyTimeCounts) {
  const std::string of_turn = "{table: [[0, 0], [90, 9]], of: turn}";
  EXPECT_THAT(
      error_with({"joints.d={type: rotation_drive, joint: bearing, angle: " + of_turn + "}"}),
      HasSubstr("joints.d.angle.of is given, but only forces and actuators can depend on"));
  EXPECT_THAT(
      error_with({"joints.d={type: rotation_drive, joint: bearing, angle: " + of_turn + "}"}),
      HasSubstr("by a `coupler`"));
  EXPECT_THAT(error_with({"loads.push.force=[" + of_turn + ", 0, 0]"}),
              HasSubstr("type: expression"));
  EXPECT_THAT(error_with({"joints.bearing.actuator={table: [[0, 0], [90, 9]], of: turm}"}),
              HasSubstr("did you mean `turn`?"));
  EXPECT_THAT(error_with({"joints.bearing.actuator={table: [[0, 0], [90, 9]], of: e}"}),
              HasSubstr("`e` is a sensor of type energy, on which a force cannot depend"));
}

TEST_F(Tables, OfOneTurnOverAnAngleThatCountsTurnsAreWarnedAbout) {
  EXPECT_THAT(parse().warnings, IsEmpty());
  const auto warnings =
      parse({"joints.bearing.actuator={table: [[0, 1], [180, 3], [360, 1]], of: turn}"}).warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0].remedy, HasSubstr("ends: periodic"));
}

// history.csv says that it is in SI, which the model is not.
TEST_F(Tables, ChooseAColumnByItsName) {
  write("history.csv", "# units: s,N m,N,rad\ntime,tau1,f,phi\n0,0,7,1\n1,2,8,2\n2,8,9,3\n");
  const std::string file = "{file: history.csv, interpolation: linear, ";
  EXPECT_NEAR(torque_at(file + "column: tau1}", 1.5), 5.0, 1e-12);
  EXPECT_THAT(error_with({"loads.push.torque=[0, 0, {file: history.csv}]"}),
              HasSubstr("available are time, tau1, f and phi"));
  EXPECT_THAT(error_with({"loads.push.torque=[0, 0, {file: history.csv, column: tau}]"}),
              HasSubstr("did you mean `tau1`?"));
  EXPECT_THAT(error_with({"loads.push.torque=[0, 0, {file: history.csv, column: f}]"}),
              HasSubstr("column `f` of `history.csv` is in N, expected N m"));
  const ModelDescription model =
      parse({"joints.bearing.actuator={file: history.csv, column: tau1, against: phi, of: turn}"});
  const auto& actuator = *model.joints[0]->forces.along.at(JointFreedom::rotation).actuator;
  EXPECT_NEAR(actuator.curve.value(2.0), 2.0, 1e-12);
}

TEST_F(Tables, OfOtherProgramsAreInTheModelsUnits) {
  write("gas.txt", "\"crank angle\";pressure;force\n0;1;0\n90;2;900\n180;3;0\n");
  const ModelDescription model = parse(
      {"joints.bearing.actuator={file: gas.txt, column: force, interpolation: linear, of: turn}"});
  const auto& actuator = *model.joints[0]->forces.along.at(JointFreedom::rotation).actuator;
  EXPECT_NEAR(actuator.curve.value(M_PI / 2.0), 0.9, 1e-12);  // N mm
  write("ragged.csv", "a,b,c\n0,1,2\n1,2\n");
  EXPECT_THAT(error_with({"loads.push.torque=[0, 0, {file: ragged.csv, column: b}]"}),
              HasSubstr("line 3 of"));
  write("two.csv", "0,1\n1,2\n");
  EXPECT_NEAR(torque_at("{file: two.csv}", 0.5), 1.5e-3, 1e-12);
  EXPECT_THAT(error_with({"loads.push.torque=[0, 0, {file: two.csv, column: b}]"}),
              HasSubstr("the first line must give the names of the columns"));
}

TEST_F(Tables, HaveEnds) {
  const std::string points = "{table: [[0, 0], [1, 1], [2, 8], [3, 27], [4, 64]], ";
  EXPECT_NEAR(torque_at(points + "ends: not_a_knot}", 3.5), 42.875e-3, 1e-12);
  EXPECT_NEAR(torque_at(points + "ends: clamped, end_slopes: [0, 48]}", 3.5), 42.875e-3, 1e-12);
  EXPECT_GT(std::abs(torque_at(points + "ends: natural}", 3.5) - 42.875e-3), 1e-3);
  EXPECT_THAT(error_with({"loads.push.torque=[0, 0, " + points + "end_slopes: [0, 48]}]"}),
              HasSubstr("without `ends`"));
  EXPECT_THAT(error_with({"loads.push.torque=[0, 0, " + points +
                          "ends: not_a_knot, interpolation: linear}]"}),
              HasSubstr("ends apply to cubic splines only"));
}

// A name that formulas have is refused where a formula says it, and only there.
TEST_F(Tables, SensorsMayBeCalledAsFormulasHaveIt) {
  EXPECT_THAT(error_with({}), IsEmpty());
  EXPECT_THAT(
      error_with({"forces.gas.force=[0, 0, \"2*e\"]"}),
      HasSubstr("`e` in `2*e` means a constant in formulas, but is also the name of a sensor"));
  EXPECT_THAT(error_with({"forces.gas.force=[0, 0, \"2e-3*turn\"]"}), IsEmpty());
  EXPECT_THAT(error_with({"sensors.t={type: position, of: crank, component: z}",
                          "forces.gas.force=[0, 0, \"sin(t)\"]"}),
              HasSubstr("`t` in `sin(t)` means the time"));
}

}  // namespace
}  // namespace solidyn::model
