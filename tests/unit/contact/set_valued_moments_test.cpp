// Moments of rolling and drilling friction of set-valued contacts of every pair of shapes: their
// velocities, accelerations, directions and wrenches, and what turning does to these.
#include <gtest/gtest.h>

#include "pairs.h"
#include "solidyn/contact/set_valued_contact.h"

namespace solidyn::contact {
namespace {

using bodies::FrameMotion;
using bodies::Kinematics;
using bodies::Matrix12;
using bodies::Vector12;
using Eigen::Vector3d;
using Eigen::VectorXd;
using forces::SetValuedPoint;

constexpr double kArm = 0.25;

forces::SetValuedLaw law_with_moments() {
  forces::SetValuedLaw law;
  law.rolling = 0.02;
  law.drilling = 0.01;
  law.arm = kArm;
  return law;
}

class Moments : public testing::TestWithParam<PairCase> {
 protected:
  Moments()
      : contact_("contact", "floor",
                 bodies::FrameLink({bodies::FrameIndex(0)}, {bodies::FrameIndex(1)}),
                 make_geometry(GetParam().A, GetParam().B), law_with_moments()) {}
  Motions accelerated() {
    Motions m = scattered(GetParam(), generator_);
    std::normal_distribution<double> normal;
    for (FrameMotion* f : {&m.A, &m.B})
      for (int i = 0; i < 6; ++i) f->acceleration[i] = normal(generator_);
    return m;
  }
  int rolling(int place) const { return contact_.n_places() + place; }
  int drilling(int place) const { return 2 * contact_.n_places() + place; }

  SetValuedContact contact_;
  std::mt19937 generator_{5};
};
INSTANTIATE_TEST_SUITE_P(Shapes, Moments, testing::ValuesIn(pair_cases()),
                         [](const auto& info) { return info.param.name; });

Kinematics frames_of(const Motions& m) {
  Kinematics k;
  k.frames.push_back(m.A);
  k.frames.push_back(m.B);
  return k;
}

// After a variation of the frames, [dp (W), dtheta (own axes)] each.
Motions moved(const Motions& m, const Vector12& by) {
  Motions result = m;
  const Vector3d turns[] = {by.segment<3>(3), by.tail<3>()};
  result.A.p += by.head<3>();
  result.A.R = m.A.R * math::exp_rotation(turns[0]);
  result.B.p += by.segment<3>(6);
  result.B.R = m.B.R * math::exp_rotation(turns[1]);
  return result;
}

Motions after(const Motions& m, double dt) {
  Motions result = moved(m, dt * m.pair().twist());
  for (auto [f, of] : {std::pair{&result.A, &m.A}, std::pair{&result.B, &m.B}}) {
    f->v += dt * of->acceleration.head<3>();
    f->w += dt * of->acceleration.tail<3>();
  }
  return result;
}

TEST_P(Moments, BelongToTheirPoints) {
  ASSERT_EQ(contact_.n_points(), 3 * contact_.n_places());
  for (int i = 0; i < contact_.n_places(); ++i) {
    EXPECT_EQ(contact_.contact_of(i), -1);
    EXPECT_EQ(contact_.contact_of(rolling(i)), i);
    EXPECT_EQ(contact_.contact_of(drilling(i)), i);
    EXPECT_EQ(contact_.number(drilling(i)), i);
    EXPECT_EQ(contact_.law_of(rolling(i)).kind, forces::SetValuedLaw::Kind::moment);
    EXPECT_NEAR(contact_.law_of(rolling(i)).static_coefficient, 0.02 / kArm, 1e-15);
    EXPECT_NEAR(contact_.law_of(drilling(i)).dynamic_coefficient, 0.01 / kArm, 1e-15);
  }
}

// At the arm, the relative angular velocity: n of it drills, what is across n rolls.
TEST_P(Moments, HaveTheVelocitiesOfTurning) {
  const Motions m = accelerated();
  const Kinematics now = frames_of(m);
  const Vector3d spin = m.B.R * m.B.w - m.A.R * m.A.w;
  for (int i = 0; i < contact_.n_places(); ++i) {
    const Vector3d sum = contact_.axes(now, rolling(i)) * contact_.velocity(now, rolling(i)) +
                         contact_.axes(now, drilling(i)) * contact_.velocity(now, drilling(i));
    EXPECT_LT((sum - kArm * spin).norm(), 1e-13 * (1.0 + spin.norm()));
    EXPECT_EQ(contact_.velocity(now, rolling(i))[0], 0.0);
    EXPECT_EQ(contact_.velocity(now, drilling(i))[0], 0.0);
    const Vector3d n = contact_.axes(now, i).col(0);
    EXPECT_NEAR(contact_.velocity(now, drilling(i))[1], kArm * n.dot(spin), 1e-13);
    EXPECT_NEAR(contact_.axes(now, drilling(i)).determinant(), 1.0, 1e-13);
  }
}

TEST_P(Moments, HaveAccelerationsThatAreDerivativesOfVelocities) {
  const double h = 1e-6;
  for (int sample = 0; sample < 4; ++sample) {
    const Motions m = accelerated();
    const Kinematics now = frames_of(m), ahead = frames_of(after(m, h)),
                     behind = frames_of(after(m, -h));
    for (int i = 0; i < contact_.n_places(); ++i) {
      const int roll = rolling(i), drill = drilling(i);
      const double drills =
          (contact_.velocity(ahead, drill)[1] - contact_.velocity(behind, drill)[1]) / (2.0 * h);
      EXPECT_NEAR(contact_.acceleration(now, drill)[1], drills, 1e-6 * (1.0 + std::abs(drills)));
      // Across the normal, as a vector: axes there may turn.
      const auto across = [&](const Kinematics& k) {
        return Vector3d(contact_.axes(k, roll).rightCols<2>() *
                        contact_.velocity(k, roll).tail<2>());
      };
      const Vector3d rolls = (across(ahead) - across(behind)) / (2.0 * h);
      const Eigen::Vector2d along = contact_.axes(now, roll).rightCols<2>().transpose() * rolls;
      EXPECT_LT((contact_.acceleration(now, roll).tail<2>() - along).norm(),
                1e-6 * (1.0 + rolls.norm()));
    }
  }
}

VectorXd memory_with(const SetValuedContact& contact, const std::vector<Vector3d>& forces) {
  VectorXd memory = VectorXd::Zero(contact.n_memory());
  for (int i = 0; i < contact.n_points(); ++i) {
    SetValuedPoint point;
    point.force = forces[i];
    point.write(memory.segment<SetValuedPoint::kSize>(i * SetValuedPoint::kSize));
  }
  return memory;
}

TEST_P(Moments, DoTheWorkOfTurning) {
  const Motions m = accelerated();
  const Kinematics now = frames_of(m);
  std::vector<Vector3d> forces;
  double power = 0.0;
  for (int i = 0; i < contact_.n_points(); ++i) {
    forces.emplace_back(contact_.axes(now, i) *
                        Vector3d(i < contact_.n_places() ? 1.0 : 0.0, 0.5, i));
    if (i >= 2 * contact_.n_places()) forces.back() = contact_.axes(now, i).col(1) * (1.0 + i);
    power += forces.back().dot(contact_.axes(now, i) * contact_.velocity(now, i));
  }
  contact_.recall(memory_with(contact_, forces));
  EXPECT_NEAR(contact_.wrench(m.pair(), 0.0).dot(m.pair().twist()), power,
              1e-12 * (1.0 + std::abs(power)));
  const Vector3d moment = contact_.state(m.pair()).moment;
  Vector3d sum = Vector3d::Zero();
  for (int i = contact_.n_places(); i < contact_.n_points(); ++i) sum += kArm * forces[i];
  EXPECT_LT((moment - sum).norm(), 1e-13 * (1.0 + sum.norm()));
}

// Of kept forces: moments across the normal stay so, those along it turn with it.
TEST_P(Moments, TurnWithTheBodiesAsTheirTangentSays) {
  const Motions m = accelerated();
  const Kinematics now = frames_of(m);
  std::vector<Vector3d> forces(contact_.n_points(), Vector3d::Zero());
  for (int i = 0; i < contact_.n_places(); ++i) {
    forces[rolling(i)] = contact_.axes(now, i).col(1) - 0.4 * contact_.axes(now, i).col(2);
    forces[drilling(i)] = 0.7 * contact_.axes(now, i).col(0);
  }
  contact_.recall(memory_with(contact_, forces));
  Matrix12 by_position = Matrix12::Zero(), by_twist = Matrix12::Zero();
  contact_.add_derivatives(m.pair(), 0.0, by_position, by_twist);
  EXPECT_TRUE(by_twist.isZero(0.0));
  EXPECT_GT(by_position.norm(), 0.01);
  const double h = 1e-6;
  for (int j = 0; j < 12; ++j) {
    Vector12 wrenches[2];
    for (const int side : {0, 1}) {
      const Motions at = moved(m, (side == 0 ? h : -h) * Vector12::Unit(j));
      wrenches[side] = contact_.wrench(at.pair(), 0.0);
    }
    EXPECT_LT(((wrenches[0] - wrenches[1]) / (2.0 * h) - by_position.col(j)).norm(), 1e-6) << j;
  }
}

TEST(MomentNames, SayWhichPointAndWhichMoment) {
  const bodies::FrameLink link({bodies::FrameIndex(0)}, {bodies::FrameIndex(1)});
  const SetValuedContact ball("c", "floor", link, make_geometry(Plane{}, Sphere{0.1}),
                              law_with_moments());
  EXPECT_EQ(ball.name_of(0), "floor");
  EXPECT_EQ(ball.name_of(1), "floor, rolling");
  EXPECT_EQ(ball.name_of(2), "floor, drilling");
  forces::SetValuedLaw law = law_with_moments();
  law.rolling = 0.0;
  const SetValuedContact box("c", "floor", link,
                             make_geometry(Plane{}, Box{Vector3d(1.0, 1.0, 1.0)}), law);
  EXPECT_EQ(box.n_points(), 2 * box.n_places());
  EXPECT_EQ(box.name_of(1), "floor, point 2");
  EXPECT_EQ(box.name_of(box.n_places() + 1), "floor, point 2, drilling");
}

}  // namespace
}  // namespace solidyn::contact
