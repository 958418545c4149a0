// Set-valued contact of every pair of shapes: accelerations of its points are the derivatives of
// their velocities, its forces do the work of those velocities, and what it keeps of a point
// survives being written.
#include "solidyn/contact/set_valued_contact.h"

#include <gtest/gtest.h>

#include "pairs.h"

namespace solidyn::contact {
namespace {

using bodies::Kinematics;
using bodies::Vector12;
using Eigen::Vector3d;
using Eigen::VectorXd;
using forces::SetValuedPoint;

class SetValued : public testing::TestWithParam<PairCase> {
 protected:
  SetValued()
      : contact_("contact", "", bodies::FrameLink({bodies::FrameIndex(0)}, {bodies::FrameIndex(1)}),
                 make_geometry(GetParam().A, GetParam().B), forces::SetValuedLaw{},
                 Vector3d(0.3, -0.2, 0.5)) {}
  SetValuedContact contact_;
  std::mt19937 generator_{5};
};
INSTANTIATE_TEST_SUITE_P(Shapes, SetValued, testing::ValuesIn(pair_cases()),
                         [](const auto& info) { return info.param.name; });

Kinematics kinematics_of(const Motions& m) {
  Kinematics k;
  k.frames.push_back(m.A);
  k.frames.push_back(m.B);
  return k;
}

// Both frames after a time dt, with their accelerations.
Motions later(const Motions& m, double dt) {
  Motions result = m;
  for (auto [f, of] : {std::pair{&result.A, &m.A}, std::pair{&result.B, &m.B}}) {
    f->p += dt * of->v;
    f->R = of->R * Eigen::AngleAxisd(dt * of->w.norm(), of->w.normalized()).toRotationMatrix();
    f->v += dt * of->acceleration.head<3>();
    f->w += dt * of->acceleration.tail<3>();
  }
  return result;
}

Motions accelerated(const PairCase& c, std::mt19937& generator) {
  Motions m = scattered(c, generator);
  std::normal_distribution<double> normal;
  for (bodies::FrameMotion* f : {&m.A, &m.B})
    for (int i = 0; i < 6; ++i) f->acceleration[i] = normal(generator);
  return m;
}

TEST_P(SetValued, AccelerationsAreDerivativesOfVelocities) {
  const double h = 1e-6;
  for (int sample = 0; sample < 4; ++sample) {
    const Motions m = accelerated(GetParam(), generator_);
    const Kinematics now = kinematics_of(m), ahead = kinematics_of(later(m, h)),
                     behind = kinematics_of(later(m, -h));
    for (int i = 0; i < contact_.n_points(); ++i) {
      const Vector3d a = contact_.acceleration(now, i);
      const double rate =
          (contact_.velocity(ahead, i)[0] - contact_.velocity(behind, i)[0]) / (2.0 * h);
      EXPECT_NEAR(a[0], rate, 1e-6 * (1.0 + std::abs(rate)));
      // Along the tangent plane, as a vector: axes within it may turn.
      const auto across = [&](const Kinematics& k) {
        return Vector3d(contact_.axes(k, i).rightCols<2>() * contact_.velocity(k, i).tail<2>());
      };
      const Vector3d slip = (across(ahead) - across(behind)) / (2.0 * h);
      const Eigen::Vector2d along = contact_.axes(now, i).rightCols<2>().transpose() * slip;
      EXPECT_LT((a.tail<2>() - along).norm(), 1e-6 * (1.0 + slip.norm()));
    }
  }
}

// Of frames at rest against the moving surface, power is that of the surface alone.
TEST_P(SetValued, ForcesDoTheWorkOfTheRelativeVelocities) {
  const Motions m = scattered(GetParam(), generator_);
  const Kinematics now = kinematics_of(m);
  VectorXd memory = VectorXd::Zero(contact_.n_memory());
  double power = 0.0;
  const Vector3d surface = m.A.R * Vector3d(0.3, -0.2, 0.5);
  for (int i = 0; i < contact_.n_points(); ++i) {
    SetValuedPoint point;
    point.force = Vector3d(1.0 + i, -0.5, 0.25 * i);
    point.write(memory.segment<SetValuedPoint::kSize>(i * SetValuedPoint::kSize));
    const Vector3d n = contact_.axes(now, i).col(0);
    const Vector3d across = surface - n * n.dot(surface);  // a surface moves within itself
    power += point.force.dot(contact_.axes(now, i) * contact_.velocity(now, i) + across);
  }
  contact_.recall(memory);
  EXPECT_NEAR(contact_.wrench(m.pair(), 0.0).dot(m.pair().twist()), power,
              1e-12 * (1.0 + std::abs(power)));
}

TEST(SetValuedPointMemory, ReadsWhatWasWritten) {
  SetValuedPoint point;
  point.phase = SetValuedPoint::Phase::closed;
  point.sticks = true;
  point.force = Vector3d(1.0, 2.0, 3.0);
  point.impulse = Vector3d(-1.0, 0.5, 7.0);
  point.crowding = 4.0;
  VectorXd memory = VectorXd::Zero(SetValuedPoint::kSize);
  point.write(memory);
  const SetValuedPoint read = SetValuedPoint::read(memory);
  EXPECT_EQ(read.phase, point.phase);
  EXPECT_TRUE(read.sticks);
  EXPECT_EQ(read.force, point.force);
  EXPECT_EQ(read.impulse, point.impulse);
  EXPECT_EQ(read.crowding, 4.0);
  EXPECT_EQ(SetValuedPoint::read(VectorXd::Zero(SetValuedPoint::kSize)).phase,
            SetValuedPoint::Phase::open);
}

TEST(SetValuedLaw, FallsFromStaticToDynamicAtOnceOrOverTheStribeckSpeed) {
  forces::SetValuedLaw law;
  law.static_coefficient = 0.4;
  law.dynamic_coefficient = 0.2;
  EXPECT_EQ(law.sliding_coefficient(0.0), 0.2);
  law.stribeck_speed = 0.1;
  EXPECT_EQ(law.sliding_coefficient(0.0), 0.4);
  EXPECT_NEAR(law.sliding_coefficient(0.1), 0.2 + 0.2 * std::exp(-1.0), 1e-15);
  EXPECT_NEAR(law.sliding_coefficient(10.0), 0.2, 1e-15);
}

// What is kept in these axes from one iteration to the next must mean the same in the next one.
TEST(AxesOfContact, TurnByNoMoreThanTheNormalDoes) {
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  const auto axes = [](const Vector3d& n) {
    const SetValuedContact contact(
        "contact", "", bodies::FrameLink({bodies::FrameIndex(0)}, {bodies::FrameIndex(1)}),
        make_geometry(Sphere{0.1}, Sphere{0.1}), forces::SetValuedLaw{}, Vector3d::Zero());
    Motions m;
    m.B.p = n;
    return contact.axes(kinematics_of(m), 0);
  };
  std::vector<Vector3d> normals;
  for (int i = 0; i < 3; ++i)
    for (const double sign : {1.0, -1.0}) normals.emplace_back(sign * Vector3d::Unit(i));
  for (int i = 0; i < 100; ++i)
    normals.push_back(
        Vector3d(normal(generator), normal(generator), normal(generator)).normalized());
  for (const Vector3d& n : normals) {
    const Eigen::Matrix3d first = axes(n);
    EXPECT_LT((first.transpose() * first - Eigen::Matrix3d::Identity()).norm(), 1e-13);
    EXPECT_GT(first.determinant(), 0.0);
    EXPECT_LT((first.col(0) - n).norm(), 1e-13);
    const double turn = 1e-9;
    for (int k = 0; k < 10; ++k) {
      const Vector3d other(normal(generator), normal(generator), normal(generator));
      EXPECT_LT((axes((n + turn * other).normalized()) - first).norm(), 100.0 * turn);
    }
  }
}

}  // namespace
}  // namespace solidyn::contact
