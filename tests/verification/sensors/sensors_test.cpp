// Sensors of model files against closed forms, and against each other.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include <Eigen/Dense>
#include <cmath>

#include "model_runs.h"
#include "solidyn/model/build.h"
#include "solidyn/model/load.h"

namespace solidyn {
namespace {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using testing_support::History;
using testing_support::ModelRun;
using testing_support::run_model;
using Settings = std::vector<std::string>;

ModelRun run(const std::string& name, const Settings& settings = {}) {
  return run_model(PETSC_COMM_WORLD, "tests/verification/sensors/" + name, settings);
}

Vector3d vector_at(const History& h, const std::string& name, std::size_t i) {
  return {h.at(name + ".x")[i], h.at(name + ".y")[i], h.at(name + ".z")[i]};
}

Quaterniond quaternion_at(const History& h, const std::string& name, std::size_t i) {
  const Vector3d v = vector_at(h, name, i);
  return {h.at(name + ".w")[i], v.x(), v.y(), v.z()};
}

// Steady precession about z with W and spin S about the axis of the top, leaning by a (Goldstein,
// Classical Mechanics, 5.7):  m g l = W (I_3 (S + W cos a) - I_1 W cos a), moments of inertia about
// the pivot. As Euler angles z-x-z: W t, a, S t.
struct Precession {
  static constexpr double W = 2.0, a = 0.7, m = 2.0, l = 0.3, I_1 = 0.07 + m * l * l, I_3 = 0.1;
  const double w_3 = (m * 9.81 * l / W + I_1 * W * std::cos(a)) / I_3;
  const double S = w_3 - W * std::cos(a);
  Matrix3d R(double t) const {
    return (AngleAxisd(W * t, Vector3d::UnitZ()) * AngleAxisd(a, Vector3d::UnitX()) *
            AngleAxisd(S * t, Vector3d::UnitZ()))
        .toRotationMatrix();
  }
  Vector3d axis(double t) const { return R(t).col(2); }
  Vector3d angular_velocity(double t) const { return W * Vector3d::UnitZ() + S * axis(t); }
  Vector3d angular_acceleration(double t) const { return W * S * Vector3d::UnitZ().cross(axis(t)); }
};

TEST(HeavyTop, TheFileHoldsTheVelocityOfTheClosedForm) {
  const auto d =
      model::load_model(std::string(SOLIDYN_SOURCE_DIR) + "/tests/verification/sensors/top.yaml");
  const auto built = model::build(PETSC_COMM_SELF, d, {});
  const system::State state = built->system.make_state();
  built->system.update(state);
  const bodies::BodyState& top = built->system.kinematics().bodies[built->bodies[0].index];
  EXPECT_LT((top.R_WB * top.w_WB_B() - Precession().angular_velocity(0.0)).norm(), 1e-8);
}

// The largest errors over a run of each sensor.
struct Errors {
  double euler = 0.0, cardan = 0.0, quaternion = 0.0, gyro = 0.0, spin_up = 0.0, felt = 0.0;
};

Errors errors_of(const ModelRun& found) {
  const Precession exact;
  const Vector3d p(0.1, 0.0, 0.5);
  const Matrix3d R_nose = AngleAxisd(0.3, Vector3d::UnitY()).toRotationMatrix();
  const History& h = found.history;
  Errors e;
  const auto keep = [](double& worst, double error) { worst = std::max(worst, error); };
  for (std::size_t i = 0; i < h.at("time").size(); ++i) {
    const double t = h.at("time")[i];
    const Matrix3d R = exact.R(t);
    const double angles[] = {Precession::W * t, Precession::a, exact.S * t};
    for (int n = 0; n < 3; ++n)
      keep(e.euler, std::abs(std::remainder(
                        h.at(fmt::format("euler.angle_{}", n + 1))[i] - angles[n], 2.0 * M_PI)));
    Matrix3d of_cardan = Matrix3d::Identity();
    for (int n = 0; n < 3; ++n)
      of_cardan =
          of_cardan * AngleAxisd(h.at(fmt::format("cardan.angle_{}", n + 1))[i], Vector3d::Unit(n));
    keep(e.cardan, (of_cardan - R).norm());
    keep(e.quaternion, (quaternion_at(h, "q", i).toRotationMatrix() - R).norm());
    keep(e.gyro, (vector_at(h, "gyro", i) - R.transpose() * exact.angular_velocity(t)).norm());
    const Vector3d w = exact.angular_velocity(t), dw = exact.angular_acceleration(t);
    keep(e.spin_up, (vector_at(h, "spin_up", i) - dw).norm());
    const Vector3d felt = dw.cross(R * p) + w.cross(w.cross(R * p));
    keep(e.felt,
         (vector_at(h, "accelerometer", i) - R_nose.transpose() * R.transpose() * felt).norm());
  }
  return e;
}

TEST(HeavyTop, SteadyPrecessionIsTheClosedForm) {
  const Errors coarse = errors_of(run("top.yaml")),
               fine = errors_of(run("top.yaml", {"analyses.dynamics.step=5e-4"}));
  // The integrator's order, of errors that begin with 3 mrad in 16 turns.
  const auto expect_order_two = [](double coarse_error, double fine_error, double limit) {
    EXPECT_LT(coarse_error, limit);
    EXPECT_NEAR(coarse_error / fine_error, 4.0, 0.4);
  };
  const double w = 33.0;  // rad/s, about what the top turns with
  expect_order_two(coarse.euler, fine.euler, 1e-2);
  expect_order_two(coarse.cardan, fine.cardan, 1e-2);
  expect_order_two(coarse.quaternion, fine.quaternion, 1e-2);
  expect_order_two(coarse.gyro, fine.gyro, 1e-2 * w);
  expect_order_two(coarse.spin_up, fine.spin_up, 1e-2 * w * w);
  expect_order_two(coarse.felt, fine.felt, 1e-2 * w * w);
}

TEST(HeavyTop, TheQuaternionStartsPositiveAndNeverJumps) {
  const ModelRun found = run("top.yaml");
  const History& h = found.history;
  EXPECT_GT(h.at("q.w")[0], 0.0);
  int n_changes = 0;
  const Quaterniond nose(AngleAxisd(0.3, Vector3d::UnitY()));
  for (std::size_t i = 1; i < h.at("time").size(); ++i) {
    const Quaterniond before = quaternion_at(h, "q", i - 1), now = quaternion_at(h, "q", i);
    // Half the angle of a step of 1 ms at 33 rad/s.
    ASSERT_LT((now.coeffs() - before.coeffs()).norm(), 0.02);
    n_changes += before.w() * now.w() < 0.0;
    ASSERT_LT((quaternion_at(h, "nose_q", i).coeffs() - nose.coeffs()).norm(), 1e-14);
  }
  EXPECT_GT(n_changes, 4);
}

class Machine : public testing::Test {
 protected:
  static void SetUpTestSuite() { run_ = new ModelRun(run("machine.yaml")); }
  static void TearDownTestSuite() { delete run_; }
  const std::vector<double>& column(const std::string& name) const {
    return run_->history.at(name);
  }
  Vector3d vector(const std::string& name, std::size_t i) const {
    return vector_at(run_->history, name, i);
  }
  // check(i) for every row.
  template <class Check>
  void for_rows(const Check& check) const {
    const std::size_t n = column("time").size();
    ASSERT_GT(n, 100u);
    for (std::size_t i = 0; i < n && !HasFailure(); ++i) check(i);
  }
  static ModelRun* run_;
};
ModelRun* Machine::run_ = nullptr;

// Stiffness 0.9 N/mm, damping 20 N ms/mm, free length 400 mm, from the bar to the arm.
TEST_F(Machine, SpringDamperIsWhatItsEndsSay) {
  for_rows([&](std::size_t i) {
    const Vector3d d = vector("tip", i) - vector("bar_end", i);
    const double length = d.norm(), extension = length - 0.4;
    const double rate = vector("tip_from_bar", i).dot(vector("tip_in_bar", i)) / length;
    const double tension = 900.0 * extension + 20.0 * rate;
    EXPECT_NEAR(column("strut.length")[i], length, 1e-14);
    EXPECT_NEAR(column("strut.extension")[i], extension, 1e-14);
    EXPECT_NEAR(column("strut.rate")[i], rate, 1e-13);
    EXPECT_NEAR(column("strut.force")[i], tension, 1e-10);
    EXPECT_NEAR(column("strut_on_arm")[i], -tension * d.x() / length, 1e-10);
    EXPECT_NEAR(column("strut_on_bar")[i], tension * d.x() / length, 1e-10);
    EXPECT_NEAR(column("strut_torque_on_bar")[i], 0.0, 1e-10);
    EXPECT_NEAR(column("strut_energy")[i], 450.0 * extension * extension, 1e-10);
    EXPECT_NEAR(column("strut_power")[i], -20.0 * rate * rate, 1e-10);
  });
}

// 50 N mm/deg and 20 N mm ms/deg, free at 5 degrees.
TEST_F(Machine, TorsionalSpringDamperIsWhatTheJointSays) {
  const double k = 0.05 * 180.0 / M_PI, d = 20e-6 * 180.0 / M_PI, free = M_PI / 36.0;
  for_rows([&](std::size_t i) {
    const double angle = column("bearing_turn")[i], rate = column("bearing_rate")[i];
    EXPECT_NEAR(column("coil.angle")[i], angle, 1e-14);
    EXPECT_NEAR(column("coil.extension")[i], angle - free, 1e-14);
    EXPECT_NEAR(column("coil.rate")[i], rate, 1e-12);
    EXPECT_NEAR(column("coil.torque")[i], k * (angle - free) + d * rate, 1e-12);
    EXPECT_NEAR(column("coil_torque")[i], -column("coil.torque")[i], 1e-12);
  });
}

// Of the bushing's displacement and rotation: its energy, which depends on nothing else.
TEST_F(Machine, BushingsEnergyIsThatOfItsDisplacementAndRotation) {
  const double per_degree = 1e-3 * 180.0 / M_PI;
  const Vector3d K(3e3, 4e3, 5e3), K_turn = Vector3d(200, 300, 400) * per_degree;
  double largest = 0.0;
  for_rows([&](std::size_t i) {
    const Vector3d u(column("mount.displacement_x")[i], column("mount.displacement_y")[i],
                     column("mount.displacement_z")[i]),
        theta(column("mount.rotation_x")[i], column("mount.rotation_y")[i],
              column("mount.rotation_z")[i]);
    EXPECT_NEAR(column("mount_energy")[i],
                0.5 * (u.dot(K.cwiseProduct(u)) + theta.dot(K_turn.cwiseProduct(theta))), 1e-12);
    EXPECT_NEAR(theta.norm(), vector("block_turn", i).norm(), 1e-12);
    largest = std::max(largest, theta.norm());
  });
  EXPECT_GT(largest, 1e-3);
}

// 10 N ms/mm = 10 N s/m. As drawn nothing is displaced, and the frames' axes are the world's.
TEST_F(Machine, BushingStartsWithItsDampingAlone) {
  const Vector3d mount(0.05, 0.1, 0.2), centre(0.1, 0.2, 0.4);
  const Vector3d v = vector("block_speed", 0) + vector("block_spin", 0).cross(mount - centre) -
                     vector("arm_spin", 0).cross(mount);
  EXPECT_GT(std::abs(v.y()), 0.01);
  EXPECT_NEAR(column("mount_on_block")[0], -10.0 * v.y(), 1e-12);
}

TEST_F(Machine, ExpressionAndDragForcesAreThoseOfTheirFormulas) {
  for_rows([&](std::size_t i) {
    const double t = 1e3 * column("time")[i];
    EXPECT_NEAR(column("push.force_x")[i], 2.0 + column("bar_end.y")[i], 1e-12);
    EXPECT_NEAR(column("push.force_y")[i], 1.0, 1e-12);
    EXPECT_NEAR(column("push.force_z")[i], 0.1 * t, 1e-12);
    EXPECT_NEAR(column("push.torque_x")[i], 0.03, 1e-12);
    const Vector3d v = vector("block_speed", i), w = vector("block_spin", i);
    EXPECT_NEAR(column("air.force_y")[i], -2.0 * v.y(), 1e-12);
    const double c_r = 500e-6 * 180.0 / M_PI;
    EXPECT_NEAR(column("air.torque_z")[i], -c_r * w.z(), 1e-12);
    EXPECT_NEAR(column("air_power")[i], -2.0 * v.squaredNorm() - c_r * w.squaredNorm(), 1e-11);
  });
}

// Spring 200 N mm/deg free at -20 deg, damper 300 N mm ms/deg, stops of 5000 N mm/deg beyond 2 deg
// with 0.2 ms/deg of damping.
TEST_F(Machine, ForcesWithinJointsAreThoseOfTheirLaws) {
  const double deg = M_PI / 180.0;
  bool is_stopped = false, is_free = false;
  for_rows([&](std::size_t i) {
    const double angle = column("angle")[i] / deg, rate = column("angle_rate")[i] / deg * 1e-3;
    EXPECT_NEAR(column("hinge_spring")[i], -1e-3 * (200.0 * (angle + 20.0) + 300.0 * rate), 1e-11);
    const double depth = std::max(0.0, angle - 2.0);
    EXPECT_NEAR(column("hinge_limits")[i], -1e-3 * std::max(0.0, 5e3 * depth * (1.0 + 0.2 * rate)),
                1e-11);
    (depth > 0.0 ? is_stopped : is_free) = true;
    EXPECT_NEAR(column("hinge_all")[i],
                column("hinge_spring")[i] + column("hinge_limits")[i] + column("hinge_friction")[i],
                1e-12);
    // Of a pin of 12 mm with mu = 0.3, which is pressed by what acts across it, rounded off over a
    // thousandth of the weight of 11.8 kg.
    const Vector3d F(column("hinge.force_x")[i], column("hinge.force_y")[i],
                     column("hinge.force_z")[i]);
    const Vector3d z = Vector3d(0.0, 0.1, 1.0).normalized();
    const double across = (F - z * z.dot(F)).norm(), slip = 0.012 * column("angle_rate")[i];
    const double pressed = across * across / std::hypot(across, 0.0118 * 9.81);
    EXPECT_NEAR(column("hinge_friction")[i], -0.012 * 0.3 * pressed * slip / std::hypot(slip, 1e-3),
                1e-10);
    EXPECT_NEAR(column("guide_force")[i], -800.0 * column("slide")[i], 1e-11);
    EXPECT_NEAR(column("guide_torque")[i], -0.03 / deg * column("guide_turn")[i], 1e-12);
  });
  EXPECT_TRUE(is_stopped && is_free);
}

TEST_F(Machine, DrivesGiveTheirReactionTimesTheirRate) {
  for_rows([&](std::size_t i) {
    const double t = column("time")[i];
    EXPECT_NEAR(column("motor.torque")[i], column("motor_reaction")[i], 1e-12);
    // The laws' own rates, which velocities meet to the order of the step: 0.5 deg/ms + 20 deg *
    // 0.05/ms cos(0.05 t/ms), 5 mm * 0.05/ms cos.
    const double spin = M_PI / 180.0 * (500.0 + 1e3 * std::cos(50.0 * t));
    const double turning = column("motor.torque")[i] * spin;
    EXPECT_NEAR(column("motor.power")[i], turning, 3e-5 * (1.0 + std::abs(turning)));
    EXPECT_NEAR(column("hoist.force")[i], column("hoist_reaction")[i], 1e-12);
    EXPECT_NEAR(column("hoist.power")[i], column("hoist.force")[i] * 0.25 * std::cos(50.0 * t),
                1e-4);
    const Vector3d pull(column("pulled_reaction.force_x")[i], column("pulled_reaction.force_y")[i],
                        column("pulled_reaction.force_z")[i]);
    EXPECT_NEAR(column("pulled")[i], pull.dot(Vector3d(0.1, -0.2, 0.05)), 1e-6);
  });
}

// mm, t, ms and degrees: a formula that is a column alone gives the column back, whatever it
// measures.
TEST_F(Machine, FormulasSeeEveryColumnInTheFilesUnits) {
  const std::map<std::string, std::string> words = {{"1", "number"},
                                                    {"m", "length"},
                                                    {"rad", "angle"},
                                                    {"m/s", "velocity"},
                                                    {"rad/s", "angular_velocity"},
                                                    {"m/s^2", "acceleration"},
                                                    {"rad/s^2", "angular_acceleration"},
                                                    {"N", "force"},
                                                    {"N m", "torque"},
                                                    {"J", "energy"},
                                                    {"W", "power"},
                                                    {"kg m/s", "momentum"},
                                                    {"kg m^2/s", "angular_momentum"}};
  const std::string path =
      std::string(SOLIDYN_SOURCE_DIR) + "/tests/verification/sensors/machine.yaml";
  const auto built = model::build(PETSC_COMM_WORLD, model::load_model(path), {});
  std::set<std::string> seen;
  std::vector<std::string> names;
  Settings settings = {"analyses.dynamics.duration=1"};
  for (const analyses::Sensor& sensor : built->sensors)
    for (const auto& column : sensor.columns) {
      seen.insert(column.unit);
      settings.push_back(
          fmt::format("sensors.copy_{}={{type: expression, value: \"{}\", measures: {}}}",
                      names.size(), column.name, words.at(column.unit)));
      names.push_back(column.name);
    }
  EXPECT_EQ(seen.size(), words.size());
  const ModelRun copied = run("machine.yaml", settings);
  for (std::size_t n = 0; n < names.size(); ++n) {
    const auto& original = copied.history.at(names[n]);
    const auto& copy = copied.history.at(fmt::format("copy_{}", n));
    for (std::size_t i = 0; i < original.size(); ++i)
      ASSERT_NEAR(copy[i], original[i], 1e-14 * std::abs(original[i])) << names[n];
  }
}

TEST_F(Machine, FormulaOfLengthsInMillimetresIsRecordedInMetres) {
  for_rows([&](std::size_t i) {
    EXPECT_NEAR(column("mean")[i], 0.5 * (column("tip.x")[i] + column("bar_end.x")[i]), 1e-15);
  });
}

}  // namespace
}  // namespace solidyn
