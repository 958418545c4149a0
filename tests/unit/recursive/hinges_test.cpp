// Hinges and the rows of their joints say the same.
#include "random_bodies.h"
#include "random_trees.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/joints/hinge_fields.h"
#include "solidyn/system/connect.h"

namespace solidyn {
namespace {

using bodies::FrameMotion;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using joints::Hinge;
using joints::HingeMotion;
using testing_support::random_vector;
using Vector6d = Eigen::Matrix<double, 6, 1>;

using KindAndAxes = std::pair<Hinge::Kind, Hinge::TurnAxes>;

// Free rotations in the axes of either frame.
std::vector<KindAndAxes> hinges() {
  std::vector<KindAndAxes> list;
  for (const Hinge::Kind kind : testing_support::hinge_kinds()) {
    list.emplace_back(kind, Hinge::TurnAxes::B);
    if (testing_support::rows_of(kind).hinge->turns_freely())
      list.emplace_back(kind, Hinge::TurnAxes::A);
  }
  return list;
}

class Hinges : public testing::TestWithParam<KindAndAxes> {
 protected:
  Hinges()
      : generator_(17), rows_(testing_support::rows_of(GetParam().first)), hinge_(*rows_.hinge) {
    hinge_.turn_in(GetParam().second);
  }

  // Frame B on the hinge of a moving frame A, with d(twist)/dt of both as FrameMotion::bias.
  void set_frames(const VectorXd& q, const VectorXd& u, const VectorXd& du) {
    HingeMotion m;
    hinge_.compute(q.data(), u.data(), m);
    A_.p = random_vector(generator_, 3);
    A_.R = testing_support::random_rotation(generator_).toRotationMatrix();
    A_.v = random_vector(generator_, 3);
    A_.w = random_vector(generator_, 3);
    A_.bias = random_vector(generator_, 6);
    const Vector3d r = A_.R * m.p, w = A_.R * A_.w, alpha = A_.R * A_.bias.tail<3>();
    const Vector6d rate = m.H * u, second = m.H * du + m.bias;
    const Vector3d dr = A_.R * rate.head<3>(), dw = A_.R * rate.tail<3>();
    B_.p = A_.p + r;
    B_.R = A_.R * m.R;
    B_.v = A_.v + w.cross(r) + dr;
    const Vector3d w_B = w + dw;
    B_.w = B_.R.transpose() * w_B;
    B_.bias.head<3>() = A_.bias.head<3>() + alpha.cross(r) + w.cross(w.cross(r)) +
                        2.0 * w.cross(dr) + A_.R * second.head<3>();
    B_.bias.tail<3>() = B_.R.transpose() * (alpha + w.cross(dw) + A_.R * second.tail<3>());
  }

  std::mt19937 generator_;
  joints::JointRows rows_;
  Hinge hinge_;
  FrameMotion A_, B_;
};

TEST_P(Hinges, RowsOfTheJointSeeNothingOfItsMotion) {
  for (int i = 0; i < 20; ++i) {
    const VectorXd q = testing_support::random_coordinates(generator_, hinge_);
    const VectorXd u = random_vector(generator_, hinge_.n_speeds());
    set_frames(q, u, random_vector(generator_, hinge_.n_speeds()));
    bodies::FramePair pair{A_, B_, 0.0};
    for (std::size_t row = 0; row < rows_.primitives.size(); ++row) {
      const bodies::Coordinate& coordinate = rows_.primitives[row].coordinate();
      const bodies::CoordinateValue c = value_of(coordinate, pair);
      EXPECT_NEAR(rows_.primitives[row].violation(c, pair, 0.0), 0.0, 1e-14) << rows_.names[row];
      EXPECT_NEAR(c.J.dot(pair.twist()), 0.0, 1e-13) << rows_.names[row];
      bodies::Vector12 rate;
      rate << A_.bias, B_.bias;
      EXPECT_NEAR(c.J.dot(rate) + bias_of(coordinate, pair), 0.0, 1e-12) << rows_.names[row];
    }
  }
}

TEST_P(Hinges, RowsAndSpeedsAreSixTogether) {
  EXPECT_EQ(static_cast<int>(rows_.primitives.size()) + hinge_.n_speeds(), 6);
}

TEST_P(Hinges, ColumnsAreDerivativesOfThePose) {
  constexpr double kStep = 1e-5;
  const VectorXd q = testing_support::random_coordinates(generator_, hinge_);
  const VectorXd u = random_vector(generator_, hinge_.n_speeds());
  const auto at = [&](double t, double accelerated) {
    VectorXd moved = q;
    const VectorXd increment = t * u;
    hinge_.advance(increment.data(), moved.data());
    HingeMotion m;
    const VectorXd speeds = (1.0 + accelerated) * u;
    hinge_.compute(moved.data(), speeds.data(), m);
    return m;
  };
  const HingeMotion m = at(0.0, 0.0), ahead = at(kStep, 0.0), behind = at(-kStep, 0.0);
  const Vector6d twist = m.H * u;
  EXPECT_LT(((ahead.p - behind.p) / (2.0 * kStep) - twist.head<3>()).norm(), 1e-9);
  const Vector3d w = math::unskew((ahead.R - behind.R) * m.R.transpose()) / (2.0 * kStep);
  EXPECT_LT((w - twist.tail<3>()).norm(), 1e-9);
  const Vector6d change = (ahead.H - behind.H) * u / (2.0 * kStep);
  EXPECT_LT((change - m.bias).norm(), 1e-9);
}

TEST_P(Hinges, FieldsAreThoseOfTheirColumnsAndTheirRates) {
  constexpr double kStep = 2e-3;
  const int n = hinge_.n_speeds();
  const VectorXd q = testing_support::random_coordinates(generator_, hinge_),
                 u = random_vector(generator_, n), du = random_vector(generator_, n);
  const auto fields_at = [&](const VectorXd& increment) {
    VectorXd moved = q;
    hinge_.advance(increment.data(), moved.data());
    joints::HingeFields fields;
    joints::compute_fields(hinge_, moved.data(), u.data(), du.data(), fields);
    return fields;
  };
  const joints::HingeFields here = fields_at(VectorXd::Zero(n));
  HingeMotion m;
  hinge_.compute(q.data(), u.data(), m);
  for (int i = 0; i < n; ++i) {
    const Vector3d turn = m.H.col(i).tail<3>();
    Vector6d at_A = m.H.col(i);
    at_A.head<3>() += m.p.cross(turn);
    EXPECT_LT((here.S.col(i) - at_A).norm(), 1e-14);
  }
  const auto along = [&](double t) { return MatrixXd(fields_at(t * u + 0.5 * t * t * du).S); };
  const double h = kStep;
  EXPECT_LT(
      ((along(-2 * h) - along(2 * h) + 8.0 * (along(h) - along(-h))) / (12.0 * h) - here.dS).norm(),
      1e-9);
  EXPECT_LT(((16.0 * (along(h) + along(-h)) - along(2 * h) - along(-2 * h) - 30.0 * along(0.0)) /
                 (12.0 * h * h) -
             here.ddS)
                .norm(),
            1e-7);
  for (int i = 0; i < n; ++i) {
    const auto by = [&](double t) { return MatrixXd(fields_at(t * VectorXd::Unit(n, i)).S); };
    EXPECT_LT(((by(-2 * h) - by(2 * h) + 8.0 * (by(h) - by(-h))) / (12.0 * h) - here.by[i]).norm(),
              1e-9);
  }
}

TEST_P(Hinges, RatesOfCoordinatesAreThoseOfIncrements) {
  constexpr double kStep = 1e-6;
  const VectorXd q = testing_support::random_coordinates(generator_, hinge_);
  const VectorXd u = random_vector(generator_, hinge_.n_speeds());
  VectorXd rates(q.size()), ahead = q, behind = q;
  hinge_.compute_rates(q.data(), u.data(), rates.data());
  const VectorXd increment = kStep * u, back = -increment;
  hinge_.advance(increment.data(), ahead.data());
  hinge_.advance(back.data(), behind.data());
  EXPECT_LT(((ahead - behind) / (2.0 * kStep) - rates).norm(), 1e-9);
}

TEST_P(Hinges, CoordinatesAreFoundInThePose) {
  const VectorXd q = testing_support::random_coordinates(generator_, hinge_),
                 zero = VectorXd::Zero(7);
  HingeMotion m, again;
  hinge_.compute(q.data(), zero.data(), m);
  VectorXd found(q.size());
  hinge_.find_coordinates(m.p, m.R, found.data());
  hinge_.compute(found.data(), zero.data(), again);
  EXPECT_LT((again.p - m.p).norm() + (again.R - m.R).norm(), 1e-13);
  if (hinge_.turns_freely()) return;  // by a quaternion of either sign
  EXPECT_LT((found - q).norm(), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Hinges, testing::ValuesIn(hinges()), [](const auto& info) {
  const bool is_in_A = info.param.second == Hinge::TurnAxes::A;
  return std::to_string(static_cast<int>(info.param.first)) + (is_in_A ? "_in_A" : "");
});

TEST(Hinge, ScrewFindsItsWholeTurns) {
  const Hinge screw = Hinge::screw(0.3);
  HingeMotion m;
  const double q = 20.0, u = 0.0;
  screw.compute(&q, &u, m);
  double found = 0.0;
  screw.find_coordinates(m.p, m.R, &found);
  EXPECT_NEAR(found, 20.0, 1e-12);
}

// Its arms are normal to each other wherever it is, also where its shafts are at a right angle.
TEST(UniversalHinge, HasNoSingularPosition) {
  const Hinge hinge(Hinge::Kind::universal);
  HingeMotion m;
  for (const double second : {0.0, 0.5 * M_PI, 3.0})
    for (const double first : {0.0, 0.5 * M_PI, -2.0}) {
      const double q[] = {first, second}, u[] = {0.3, -0.4};
      hinge.compute(q, u, m);
      EXPECT_LT((m.H.transpose() * m.H - Eigen::Matrix2d::Identity()).norm(), 1e-15);
    }
}

TEST(ConstantVelocityJoint, WarnsOfShaftsThatPointAtEachOther) {
  for (const double degrees : {165.0, 175.0}) {
    system::System system;
    system::InitialMotion pose;
    pose.q_WB = Eigen::AngleAxisd(degrees * M_PI / 180.0, Vector3d::UnitX());
    const auto body = system.add_body(
        bodies::make_rigid_body("shaft", 1.0, Vector3d::Zero(), Matrix3d::Identity()), pose);
    bodies::Frame frame;
    const auto A = system.add_frame(frame);
    frame.body = body;
    const auto joint = system::add_joint(system, "joint bend", joints::JointType::constant_velocity,
                                         {A, system.add_frame(frame)});
    system.finalize();
    const system::State state = system.make_state();
    system.update(state);
    const std::string warning = system.constraint(joint).warning(system.kinematics());
    EXPECT_EQ(warning.find("shafts are at 175 degrees") != std::string::npos, degrees > 170.0);
    EXPECT_EQ(warning.empty(), degrees < 170.0);
  }
}

}  // namespace
}  // namespace solidyn
