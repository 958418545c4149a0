// Scalars of two frames: their values, and that rows, stiffnesses and biases are derivatives of
// them; what frames say of each other; and how a statement about a pair becomes one about the
// carriers.
#include "solidyn/bodies/pair_coordinates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "random_pairs.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/frame_quantity.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::HasSubstr;
using testing_support::moved;
using testing_support::MovingFrames;
using testing_support::random_frames;
using testing_support::random_number;
using testing_support::random_rotation;
using testing_support::random_vector;

constexpr double kStep = 1e-5;

struct NamedCoordinate {
  std::string name;
  Coordinate coordinate;
  bool has_value = true;  // slips have none: their rows are no derivatives
};

class CubeOfDistance final : public UserCoordinate::Formula {
 public:
  CoordinateValue value(const FramePair& f) const override {
    CoordinateValue r = Distance().value(f);
    r.J *= 3.0 * r.value * r.value;
    r.value = r.value * r.value * r.value;
    return r;
  }
  void add_stiffness(const FramePair& f, double lambda, Matrix12& K) const override {
    const CoordinateValue d = Distance().value(f);
    Distance().add_stiffness(f, 3.0 * lambda * d.value * d.value, K);
    K += 6.0 * lambda * d.value * d.J.transpose() * d.J;
  }
};

std::vector<NamedCoordinate> all_coordinates() {
  const Vector3d n = Vector3d(0.3, -0.5, 0.8).normalized(),
                 m = Vector3d(-0.2, 0.9, 0.4).normalized();
  return {{"world_axis", PointAlongWorldAxis(1)},
          {"frame_axis", PointAlongFrameAxis(n)},
          {"distance", Distance()},
          {"dot", AxesDot(n, m)},
          {"angle", RotationAngle()},
          {"arm_1", angle_about_arm(1)},
          {"arm_2", angle_about_arm(2)},
          {"twist_x", twist_angle(0)},
          {"twist_y", twist_angle(1)},
          {"twist_z", twist_angle(2)},
          {"screw", ScrewAdvance(PointAlongFrameAxis(Vector3d::UnitZ()), 0.05, RotationAngle())},
          {"shafts", DotsDifference(AxesDot(Vector3d::UnitX(), Vector3d::UnitY()), 1.0,
                                    AxesDot(Vector3d::UnitY(), Vector3d::UnitX()))},
          {"rolling_height", RollingContact(0.4, 2)},
          {"rolling_slip_x", RollingContact(0.4, 0), false},
          {"rolling_slip_y", RollingContact(0.4, 1), false},
          {"user", UserCoordinate(std::make_shared<CubeOfDistance>())}};
}

class CoordinateContract : public testing::TestWithParam<NamedCoordinate> {
 protected:
  CoordinateContract() : generator_(11), frames_(random_frames(generator_, 0.9)) {}
  const Coordinate& coordinate() const { return GetParam().coordinate; }
  CoordinateValue at(const MovingFrames& frames) const {
    return value_of(coordinate(), frames.pair());
  }

  std::mt19937 generator_;
  MovingFrames frames_;
};

INSTANTIATE_TEST_SUITE_P(All, CoordinateContract, testing::ValuesIn(all_coordinates()),
                         [](const auto& info) { return info.param.name; });

TEST_P(CoordinateContract, RowIsTheDerivativeOfTheValue) {
  if (!GetParam().has_value) GTEST_SKIP() << "a slip is no derivative of a coordinate";
  const Row12 J = at(frames_).J;
  for (int j = 0; j < 12; ++j) {
    const Vector12 step = kStep * Vector12::Unit(j);
    EXPECT_NEAR(J[j],
                (at(moved(frames_, step)).value - at(moved(frames_, -step)).value) / (2.0 * kStep),
                1e-9)
        << j;
  }
}

TEST_P(CoordinateContract, StiffnessIsTheDerivativeOfTheRow) {
  Matrix12 K = Matrix12::Zero();
  add_stiffness_of(coordinate(), frames_.pair(), 2.5, K);
  for (int j = 0; j < 12; ++j) {
    const Vector12 step = kStep * Vector12::Unit(j);
    const Vector12 difference =
        2.5 * (at(moved(frames_, step)).J - at(moved(frames_, -step)).J).transpose() /
        (2.0 * kStep);
    EXPECT_LT((K.col(j) - difference).norm(), 1e-8) << j;
  }
}

TEST_P(CoordinateContract, StiffnessIsAdded) {
  Matrix12 once = Matrix12::Zero(), twice = Matrix12::Zero();
  add_stiffness_of(coordinate(), frames_.pair(), 1.5, once);
  add_stiffness_of(coordinate(), frames_.pair(), 0.5, twice);
  add_stiffness_of(coordinate(), frames_.pair(), 1.0, twice);
  EXPECT_LT((once - twice).norm(), 1e-14 * (1.0 + once.norm()));
}

TEST_P(CoordinateContract, BiasIsTheRateOfTheRow) {
  const Vector12 twist = frames_.pair().twist();
  const Row12 rate =
      (at(moved(frames_, kStep * twist)).J - at(moved(frames_, -kStep * twist)).J) / (2.0 * kStep);
  EXPECT_NEAR(bias_of(coordinate(), frames_.pair()), rate.dot(twist), 1e-8);
}

// What both frames do together is no motion of one against the other.
TEST_P(CoordinateContract, CommonMotionChangesNothing) {
  if (std::holds_alternative<PointAlongWorldAxis>(coordinate()))
    GTEST_SKIP() << "its axis stays behind";
  const Vector3d v = random_vector(generator_, 3), w = random_vector(generator_, 3);
  Vector12 twist;
  twist << v + w.cross(frames_.A.p), frames_.A.R.transpose() * w, v + w.cross(frames_.B.p),
      frames_.B.R.transpose() * w;
  EXPECT_NEAR(at(frames_).J.dot(twist), 0.0, 1e-13);
}

// ---- values

MovingFrames at_poses(const Vector3d& p_A, const Matrix3d& R_A, const Vector3d& p_B,
                      const Matrix3d& R_B) {
  MovingFrames f;
  f.A.p = p_A, f.A.R = R_A, f.B.p = p_B, f.B.R = R_B;
  return f;
}
Matrix3d turn(double angle, const Vector3d& axis) {
  return math::exp_rotation(angle * axis.normalized());
}

TEST(PairCoordinates, HaveTheValuesOfTheirFormulas) {
  const Matrix3d R_A = turn(M_PI / 2, Vector3d::UnitZ());  // x of A is y of W
  const MovingFrames f = at_poses({1, 0, 0}, R_A, {1, 4, 3}, R_A * turn(0.3, Vector3d::UnitZ()));
  EXPECT_DOUBLE_EQ(PointAlongWorldAxis(2).value(f.pair()).value, 3.0);
  EXPECT_NEAR(PointAlongFrameAxis(Vector3d::UnitX()).value(f.pair()).value, 4.0, 1e-15);
  EXPECT_DOUBLE_EQ(Distance().value(f.pair()).value, 5.0);
  EXPECT_NEAR(AxesDot(Vector3d::UnitX(), Vector3d::UnitX()).value(f.pair()).value, std::cos(0.3),
              1e-15);
  EXPECT_NEAR(RotationAngle().value(f.pair()).value, 0.3, 1e-15);
  EXPECT_NEAR(ScrewAdvance(PointAlongFrameAxis(Vector3d::UnitZ()), 10.0, RotationAngle())
                  .value(f.pair())
                  .value,
              3.0 - 10.0 * 0.3, 1e-14);
}

// Rx(a) Ry(b): both angles exactly, however large the other one is.
TEST(PairCoordinates, AnglesAboutArmsAreThoseOfACross) {
  for (const double a : {-2.8, -0.4, 1.2, 3.0})
    for (const double b : {-3.0, 0.7, 2.1}) {
      const MovingFrames f = at_poses(Vector3d::Zero(), Matrix3d::Identity(), Vector3d::Zero(),
                                      turn(a, Vector3d::UnitX()) * turn(b, Vector3d::UnitY()));
      EXPECT_NEAR(angle_about_arm(1).wrapped(f.pair()), a, 1e-14);
      EXPECT_NEAR(angle_about_arm(2).wrapped(f.pair()), b, 1e-14);
    }
}

TEST(PairCoordinates, TwistIsFreeOfTiltAndTheNegativeSeenFromTheOtherFrame) {
  for (int axis = 0; axis < 3; ++axis) {
    Vector3d tilt(0.8, -1.1, 0.5);
    tilt[axis] = 0.0;
    const Matrix3d R = math::exp_rotation(tilt) * turn(0.6, Vector3d::Unit(axis));
    const MovingFrames f = at_poses(Vector3d::Zero(), Matrix3d::Identity(), Vector3d::Zero(), R);
    const MovingFrames g = at_poses(Vector3d::Zero(), R, Vector3d::Zero(), Matrix3d::Identity());
    EXPECT_NEAR(twist_angle(axis).wrapped(f.pair()), 0.6, 1e-14) << axis;
    EXPECT_NEAR(twist_angle(axis).wrapped(g.pair()), -0.6, 1e-14) << axis;
  }
}

TEST(PairCoordinates, AnglesAreThoseNearestToTheTrackedOne) {
  const FrameMotion A;
  FrameMotion B;
  B.R = turn(0.25, Vector3d::UnitZ());
  for (const int turns : {-3, 0, 1, 1000}) {
    const double tracked = 0.2 + 2.0 * M_PI * turns;
    EXPECT_NEAR(RotationAngle().value({A, B, tracked}).value, 0.25 + 2.0 * M_PI * turns, 1e-12);
  }
  B.R = turn(M_PI + 0.1, Vector3d::UnitZ());
  EXPECT_NEAR(RotationAngle().value({A, B, M_PI}).value, M_PI + 0.1, 1e-13);  // not -pi + 0.1
  EXPECT_NEAR(RotationAngle().wrapped({A, B, M_PI}), -M_PI + 0.1, 1e-13);
}

TEST(PairCoordinates, WithoutAValueAreFailures) {
  const FrameMotion A;
  FrameMotion B;
  EXPECT_THROW(
      {
        try {
          Distance().value({A, B});
        } catch (const base::ComputationError& error) {
          EXPECT_THAT(error.what(), HasSubstr("two points whose distance is measured coincide"));
          throw;
        }
      },
      base::ComputationError);
  B.R = turn(M_PI / 2, Vector3d::UnitY());  // its x axis along A's z
  EXPECT_THROW(
      {
        try {
          RotationAngle().value({A, B});
        } catch (const base::ComputationError& error) {
          EXPECT_THAT(error.what(), HasSubstr("a rotation about an axis is undefined"));
          throw;
        }
      },
      base::ComputationError);
}

TEST(PairCoordinates, AnglesAreKnownAsAngles) {
  for (const NamedCoordinate& c : all_coordinates()) {
    const bool turns =
        c.name == "angle" || c.name.rfind("arm", 0) == 0 || c.name.rfind("twist", 0) == 0;
    EXPECT_EQ(is_angle(c.coordinate), turns) << c.name;
  }
  EXPECT_TRUE(twist_angle(0) == twist_angle(0));
  EXPECT_FALSE(twist_angle(0) == twist_angle(1));
}

// A wheel that rolls along x without slip: forward speed r w, and its lowest point at rest.
TEST(RollingContacts, RollsAtRadiusTimesSpin) {
  const double r = 0.4, spin = 2.0;
  MovingFrames f = at_poses(Vector3d::Zero(), Matrix3d::Identity(), {3.0, 1.0, r},
                            turn(-M_PI / 2, Vector3d::UnitX()));  // z of the disc along y
  f.B.w = Vector3d(0.0, 0.0, spin);
  f.B.v = Vector3d(r * spin, 0.0, 0.0);
  const Vector12 twist = f.pair().twist();
  EXPECT_NEAR(RollingContact(r, 2).value(f.pair()).value, 0.0, 1e-15);
  for (const int axis : {0, 1, 2})
    EXPECT_NEAR(RollingContact(r, axis).value(f.pair()).J.dot(twist), 0.0, 1e-14) << axis;
  f.B.v.setZero();  // spins on the spot: its lowest point goes backwards
  EXPECT_NEAR(RollingContact(r, 0).value(f.pair()).J.dot(f.pair().twist()), -r * spin, 1e-14);
}

TEST(RollingContacts, HeightIsThatOfTheLowestPointOfALeaningDisc) {
  const double r = 0.4, lean = 0.5;
  const MovingFrames f = at_poses(Vector3d::Zero(), Matrix3d::Identity(), {0.0, 0.0, 1.0},
                                  turn(M_PI / 2 - lean, Vector3d::UnitX()));
  EXPECT_NEAR(RollingContact(r, 2).value(f.pair()).value, 1.0 - r * std::cos(lean), 1e-15);
}

// ---- what one frame says of another

/// A motion with constant acceleration and angular acceleration at t = 0, near it.
FrameMotion at_time(const FrameMotion& start, double t) {
  FrameMotion f = start;
  const Vector3d a = start.acceleration.head<3>(), dw = start.acceleration.tail<3>();
  f.p += t * start.v + 0.5 * t * t * a;
  f.R *= math::exp_rotation(t * start.w + 0.5 * t * t * dw);
  f.v += t * a;
  f.w += t * dw;  // to first order
  return f;
}

class FrameQuantities : public testing::Test {
 protected:
  FrameQuantities() : generator_(5), frames_(random_frames(generator_, 1.0)) {
    frames_.A.acceleration = random_vector(generator_, 6);
    frames_.B.acceleration = random_vector(generator_, 6);
  }
  Vector3d relative(FrameQuantity quantity, double t) const {
    return relative_quantity(quantity, at_time(frames_.B, t), at_time(frames_.A, t));
  }
  Vector3d rate(FrameQuantity quantity) const {
    return (relative(quantity, kStep) - relative(quantity, -kStep)) / (2.0 * kStep);
  }

  std::mt19937 generator_;
  MovingFrames frames_;
};

TEST_F(FrameQuantities, RelativeVelocityAndAccelerationAreDerivatives) {
  EXPECT_LT((relative(FrameQuantity::velocity, 0.0) - rate(FrameQuantity::position)).norm(), 1e-9);
  EXPECT_LT((relative(FrameQuantity::acceleration, 0.0) - rate(FrameQuantity::velocity)).norm(),
            1e-9);
  EXPECT_LT(
      (relative(FrameQuantity::angular_acceleration, 0.0) - rate(FrameQuantity::angular_velocity))
          .norm(),
      1e-9);
}

// R_AB' = [w] R_AB with w in A's axes.
TEST_F(FrameQuantities, RelativeAngularVelocityIsThatOfTheRelativeRotation) {
  const auto R_AB = [&](double t) -> Matrix3d {
    return at_time(frames_.A, t).R.transpose() * at_time(frames_.B, t).R;
  };
  const Matrix3d rate = (R_AB(kStep) - R_AB(-kStep)) / (2.0 * kStep) * R_AB(0.0).transpose();
  EXPECT_LT((rate - math::skew(relative(FrameQuantity::angular_velocity, 0.0))).norm(), 1e-9);
  EXPECT_LT((math::exp_rotation(relative(FrameQuantity::orientation, 0.0)) - R_AB(0.0)).norm(),
            1e-13);
}

TEST_F(FrameQuantities, SeenFromAFrameAtRestAreThoseOfTheWorldInItsAxes) {
  FrameMotion rest;
  rest.p = random_vector(generator_, 3);
  rest.R = random_rotation(generator_).toRotationMatrix();
  for (const auto quantity :
       {FrameQuantity::velocity, FrameQuantity::acceleration, FrameQuantity::angular_velocity,
        FrameQuantity::angular_acceleration}) {
    const Vector3d in_world = quantity_of(quantity, frames_.B);
    EXPECT_LT((rest.R * relative_quantity(quantity, frames_.B, rest) - in_world).norm(), 1e-13);
    EXPECT_LT((quantity_seen(quantity, frames_.B, &rest, nullptr) - in_world).norm(), 1e-13);
    EXPECT_LT(
        (quantity_seen(quantity, frames_.B, nullptr, &rest) - rest.R.transpose() * in_world).norm(),
        1e-13);
  }
  EXPECT_EQ(quantity_seen(FrameQuantity::position, frames_.B, nullptr, nullptr), frames_.B.p);
}

// Chosen axes turn the components of what one frame sees, and nothing else.
TEST_F(FrameQuantities, OtherAxesTurnTheComponentsAlone) {
  FrameMotion axes;
  axes.R = random_rotation(generator_).toRotationMatrix();
  axes.w = random_vector(generator_, 3);
  const Vector3d own = relative_quantity(FrameQuantity::velocity, frames_.B, frames_.A);
  const Vector3d seen = quantity_seen(FrameQuantity::velocity, frames_.B, &frames_.A, &axes);
  EXPECT_LT((axes.R * seen - frames_.A.R * own).norm(), 1e-13);
  EXPECT_EQ(quantity_seen(FrameQuantity::velocity, frames_.B, &frames_.A, &frames_.A), own);
}

TEST(ChordDeflection, IsPositiveToTheLeftOfTheChordAboutItsAxis) {
  FrameMotion A, B, point;
  A.p = {1, 1, 0};
  B.p = {4, 5, 0};  // along (0.6, 0.8); to the left (-0.8, 0.6)
  point.p =
      A.p + 2.0 * Vector3d(0.6, 0.8, 0.0) + 0.3 * Vector3d(-0.8, 0.6, 0.0) + Vector3d(0, 0, 7);
  EXPECT_NEAR(chord_deflection(point, A, B, Vector3d::UnitZ()), 0.3, 1e-15);
  EXPECT_NEAR(chord_deflection(point, A, B, -Vector3d::UnitZ()), -0.3, 1e-15);
  EXPECT_NEAR(chord_deflection(point, B, A, Vector3d::UnitZ()), -0.3, 1e-15);
}

// A direction of round-off would be recorded as if it were one.
TEST(ChordDeflection, IsUndefinedAlongItsAxis) {
  FrameMotion A, B, point;
  A.p = {0.1, 0.2, 0.3};
  point.p = {1, 1, 1};
  B.p = A.p;
  EXPECT_THROW(chord_deflection(point, A, B, Vector3d::UnitZ()), base::ComputationError);
  const Vector3d about = Vector3d(0.3, 0.5, -0.7).normalized();
  B.p = A.p + 0.7 * about;
  EXPECT_THROW(chord_deflection(point, A, B, about), base::ComputationError);
  B.p.x() += 1e-6;
  EXPECT_NO_THROW(chord_deflection(point, A, B, about));
}

// ---- from the pair to the carriers

/// Two frames of which nothing is known but their Jacobians.
struct Carriers {
  Kinematics k;
  std::mt19937 generator{3};
  FrameIndex add(int n) {
    FrameMotion motion;
    motion.J = MatrixXd::Zero(6, n);
    for (int j = 0; j < n; ++j) motion.J.col(j) = random_vector(generator, 6);
    k.frame_definitions.emplace_back();
    return k.frames.push_back(motion);
  }
};

MatrixXd whole_jacobian(const FrameLink& link, const Kinematics& k) {
  MatrixXd J(12, link.n_columns());
  for (int i = 0; i < 12; ++i) {
    VectorXd row = VectorXd::Constant(link.n_columns(), 1e9);  // overwritten
    auto as_row = row.transpose();
    link.set_row(k, Row12::Unit(i), as_row);
    J.row(i) = row.transpose();
  }
  return J;
}

TEST(FrameLink, ColumnsAreThoseOfBothCarriersOfOneOrOfTheOther) {
  Carriers carriers;
  const FrameIndex ground = carriers.add(0), rigid = carriers.add(6), other = carriers.add(6),
                   flexible = carriers.add(9), same = carriers.add(9);
  const BodyIndex a(0), b(1), c(2);
  const auto jacobian = [&](FrameIndex f) -> const auto& { return carriers.k.frames[f].J; };
  {
    const FrameLink link({rigid, a, 6}, {other, b, 6});
    MatrixXd J = MatrixXd::Zero(12, 12);
    J.topLeftCorner(6, 6) = jacobian(rigid), J.bottomRightCorner(6, 6) = jacobian(other);
    EXPECT_LT((whole_jacobian(link, carriers.k) - J).norm(), 1e-15);
    EXPECT_THAT(link.bodies(), testing::ElementsAre(a, b));
  }
  {
    const FrameLink link({flexible, c, 9}, {rigid, a, 6});
    MatrixXd J = MatrixXd::Zero(12, 15);
    J.topLeftCorner(6, 9) = jacobian(flexible), J.bottomRightCorner(6, 6) = jacobian(rigid);
    EXPECT_LT((whole_jacobian(link, carriers.k) - J).norm(), 1e-15);
    EXPECT_EQ(link.n_velocities(c), 9);
    EXPECT_EQ(link.n_velocities(a), 6);
  }
  {
    const FrameLink link({ground, kGround, 0}, {flexible, c, 9});
    MatrixXd J = MatrixXd::Zero(12, 9);
    J.bottomRows(6) = jacobian(flexible);
    EXPECT_LT((whole_jacobian(link, carriers.k) - J).norm(), 1e-15);
    EXPECT_THAT(link.bodies(), testing::ElementsAre(c));
  }
  {
    const FrameLink link({flexible, c, 9}, {same, c, 9});
    MatrixXd J(12, 9);
    J << jacobian(flexible), jacobian(same);
    EXPECT_LT((whole_jacobian(link, carriers.k) - J).norm(), 1e-15);
    EXPECT_TRUE(link.is_within_one_body());
    EXPECT_THAT(link.bodies(), testing::ElementsAre(c));
  }
  EXPECT_THAT(FrameLink({ground, kGround, 0}, {ground, kGround, 0}).bodies(), testing::IsEmpty());
}

TEST(FrameLink, ForcesAndMatricesGoThroughTheSameRows) {
  Carriers carriers;
  const FrameIndex ground = carriers.add(0), rigid = carriers.add(6), other = carriers.add(6),
                   flexible = carriers.add(8), same = carriers.add(8);
  const BodyIndex a(0), b(1), c(2);
  const FrameLink links[] = {{{rigid, a, 6}, {other, b, 6}},
                             {{flexible, c, 8}, {rigid, a, 6}},
                             {{rigid, a, 6}, {ground, kGround, 0}},
                             {{ground, kGround, 0}, {flexible, c, 8}},
                             {{flexible, c, 8}, {same, c, 8}}};
  for (const FrameLink& link : links) {
    const MatrixXd J = whole_jacobian(link, carriers.k);
    const Vector12 wrench = random_vector(carriers.generator, 12);
    Matrix12 S;
    for (int j = 0; j < 12; ++j) S.col(j) = random_vector(carriers.generator, 12);  // not symmetric
    VectorXd r = VectorXd::Ones(link.n_columns());
    link.add_force(carriers.k, wrench, r);
    EXPECT_LT((r - VectorXd::Ones(link.n_columns()) - J.transpose() * wrench).norm(), 1e-13);
    MatrixXd K = MatrixXd::Ones(link.n_columns(), link.n_columns());
    link.add_matrix(carriers.k, S, K);
    EXPECT_LT((K - MatrixXd::Ones(K.rows(), K.cols()) - J.transpose() * S * J).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace solidyn::bodies
