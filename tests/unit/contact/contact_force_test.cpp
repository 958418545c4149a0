// Contact of every pair of shapes: its tangent is the derivative of its wrench, action is reaction,
// it only takes energy, and it notices steps that are too long.
#include "solidyn/contact/contact_force.h"

#include <gtest/gtest.h>

#include "pairs.h"

namespace solidyn::contact {
namespace {

using bodies::FramePair;
using bodies::Matrix12;
using bodies::Vector12;
using Eigen::Vector3d;
using Eigen::VectorXd;

ContactForce make_contact(const PairCase& c) {
  NormalLaw law;
  law.stiffness = 100.0;
  law.dissipation = 0.1;
  law.damping = 2.0;
  law.damping_depth = 0.3;
  law.slow_speed = 1.0;
  return {"contact",
          bodies::FrameLink({bodies::FrameIndex(0)}, {bodies::FrameIndex(1)}),
          make_geometry(c.A, c.B),
          law,
          Friction{0.7, 0.5, 0.8, 0.4},
          0.3};
}

class Contact : public testing::TestWithParam<PairCase> {
 protected:
  Contact() : force_(make_contact(GetParam())) {}
  ContactForce force_;
  std::mt19937 generator_{3};
};
INSTANTIATE_TEST_SUITE_P(Shapes, Contact, testing::ValuesIn(pair_cases()),
                         [](const auto& info) { return info.param.name; });

Motions faster(const Motions& m, int i, double h) {
  Motions result = m;
  bodies::FrameMotion& f = i < 6 ? result.A : result.B;
  (i % 6 < 3 ? f.v : f.w)[i % 3] += h;
  return result;
}

TEST_P(Contact, DerivativesAreThoseOfTheWrench) {
  const double h = 1e-6;
  for (int sample = 0; sample < 4; ++sample) {
    const Motions m = scattered(GetParam(), generator_);
    Matrix12 by_position = Matrix12::Zero(), by_twist = Matrix12::Zero(), dp, dv;
    force_.add_derivatives(m.pair(), 0.0, by_position, by_twist);
    for (int i = 0; i < 12; ++i) {
      dp.col(i) = (force_.wrench(varied(m, i, h).pair(), 0.0) -
                   force_.wrench(varied(m, i, -h).pair(), 0.0)) /
                  (2 * h);
      dv.col(i) = (force_.wrench(faster(m, i, h).pair(), 0.0) -
                   force_.wrench(faster(m, i, -h).pair(), 0.0)) /
                  (2 * h);
    }
    EXPECT_GT(by_position.norm(), 0.1);
    EXPECT_GT(by_twist.norm(), 0.01);
    EXPECT_LT((by_position - dp).norm(), 1e-7 * by_position.norm());
    EXPECT_LT((by_twist - dv).norm(), 1e-7 * by_position.norm());
  }
}

TEST_P(Contact, ActionIsReaction) {
  const Motions m = scattered(GetParam(), generator_);
  const Vector12 w = force_.wrench(m.pair(), 0.0);
  const Vector3d F_A = w.segment<3>(0), F_B = w.segment<3>(6);
  const Vector3d moment =
      m.A.p.cross(F_A) + m.A.R * w.segment<3>(3) + m.B.p.cross(F_B) + m.B.R * w.segment<3>(9);
  EXPECT_GT(F_A.norm(), 0.01);
  EXPECT_LT((F_A + F_B).norm(), 1e-12);
  EXPECT_LT(moment.norm(), 1e-12);
}

TEST_P(Contact, PowerIsTheWorkOfItsForceAndTheRateOfItsEnergyAndNeverPositive) {
  for (int sample = 0; sample < 10; ++sample) {
    const Motions m = scattered(GetParam(), generator_);
    const double h = 1e-6;
    Motions after = m, before = m;
    for (int i = 0; i < 12; ++i) {
      after = varied(after, i, h * m.pair().twist()[i]);
      before = varied(before, i, -h * m.pair().twist()[i]);
    }
    const double rate =
        (force_.energy(after.pair(), 0.0) - force_.energy(before.pair(), 0.0)) / (2 * h);
    const double power = force_.power(m.pair(), 0.0);
    EXPECT_NEAR(power, force_.wrench(m.pair(), 0.0).dot(m.pair().twist()) + rate, 1e-6);
    EXPECT_LE(power, 0.0);
  }
}

// A ball of 1 m over a plane: what it remembers, and to what it objects.
class BallOverPlane : public testing::Test {
 protected:
  BallOverPlane()
      : force_(make_contact({"", Plane{}, Sphere{1.0}, Vector3d::Zero(), Vector3d::Zero()})) {
    kinematics_.frames.resize(2);
  }
  void move_to(double gap, double rate) {
    kinematics_.frames[bodies::FrameIndex(1)].p.z() = 1.0 + gap;
    kinematics_.frames[bodies::FrameIndex(1)].v.z() = rate;
  }
  void accept(double gap, double rate, double t) {
    move_to(gap, rate);
    force_.remember(kinematics_, t, memory_);
    force_.recall(memory_);
  }
  std::string rejection(double gap, double rate, double t) {
    move_to(gap, rate);
    return force_.rejection(kinematics_, t);
  }
  ContactForce force_;
  bodies::Kinematics kinematics_;
  VectorXd memory_ = VectorXd::Zero(8);
};

TEST_F(BallOverPlane, IsDampedByTheSpeedOfItsImpact) {
  move_to(-0.1, -3.0);
  const double before = force_.state(force_.pair(kinematics_)).normal_force;
  accept(0.01, -5.0, 0.0);
  move_to(-0.1, -3.0);
  const double after = force_.state(force_.pair(kinematics_)).normal_force;
  const double elastic = 100.0 * std::pow(0.1, 1.5), step = 1.0 / 9.0 * (3.0 - 2.0 / 3.0);
  EXPECT_NEAR(before, elastic * (1.0 + 0.1 * 3.0 / 1.0) + 2.0 * step * 3.0, 1e-12);
  EXPECT_NEAR(after, elastic * (1.0 + 0.1 * 3.0 / 5.0) + 2.0 * step * 3.0, 1e-12);
  accept(-0.1, -3.0, 0.1);  // keeps the speed with which the surfaces met
  EXPECT_EQ(force_.state(force_.pair(kinematics_)).normal_force, after);
}

TEST_F(BallOverPlane, ObjectsToStepsThatDoNotResolveAnImpact) {
  EXPECT_EQ(rejection(-0.1, 5.0, 0.1), "");  // nothing to compare with
  accept(0.01, -5.0, 0.0);
  EXPECT_EQ(rejection(-0.00994, -4.97, 0.004), "");
  EXPECT_NE(rejection(-0.006, -3.0, 0.004), "");
  EXPECT_NE(rejection(-0.01, 3.0, 0.004), "");
  EXPECT_EQ(rejection(0.005, -5.0, 0.001), "");
  EXPECT_NE(rejection(0.005, 5.0, 0.01), "");  // in and out within the step
  accept(-0.1, 0.0, 0.0);
  EXPECT_EQ(rejection(-0.094, 1.2, 0.01), "");
  EXPECT_NE(rejection(-0.09, 1.6, 0.01), "");
  EXPECT_NE(rejection(0.01, 1.6, 0.01), "");
  accept(0.1, 0.5, 1.0);
  EXPECT_EQ(rejection(1.0, 2.0, 1.5), "");
}

// A step that leaves the plane: the force at its start lasts over all of it where it is long.
TEST_F(BallOverPlane, ObjectsToStepsThatAddOrLoseEnergy) {
  accept(0.01, -5.0, 0.0);
  accept(-0.02, 4.9, 0.1);
  EXPECT_EQ(rejection(0.001, 4.93, 0.1 + 0.021 / 4.915), "");
  EXPECT_NE(rejection(0.05, 4.99, 0.1 + 0.07 / 4.945).find("gains or loses"), std::string::npos);
  accept(0.02, -4.99, 1.0);
  EXPECT_NE(rejection(-0.02, -4.9, 1.0 + 0.04 / 4.945).find("gains or loses"), std::string::npos);
}

// A point in a box that comes nearer to another face.
TEST(PointInBox, ObjectsToBeingPushedToAnotherSide) {
  ContactForce contact =
      make_contact({"", Box{Vector3d::Ones()}, Sphere{0.0}, Vector3d::Zero(), Vector3d::Zero()});
  bodies::Kinematics kinematics;
  kinematics.frames.resize(2);
  kinematics.frames[bodies::FrameIndex(1)].p = Vector3d(0.2, 0.1, 0.3);
  VectorXd memory = VectorXd::Zero(8);
  contact.remember(kinematics, 0.0, memory);
  contact.recall(memory);
  kinematics.frames[bodies::FrameIndex(1)].p = Vector3d(0.22, 0.1, 0.25);
  EXPECT_EQ(contact.rejection(kinematics, 0.1), "");
  kinematics.frames[bodies::FrameIndex(1)].p = Vector3d(0.28, 0.1, 0.25);
  EXPECT_NE(contact.rejection(kinematics, 0.1).find("changed its normal direction"),
            std::string::npos);
}

TEST_F(BallOverPlane, SaysWhatItDoes) {
  move_to(-0.04, 0.0);
  kinematics_.frames[bodies::FrameIndex(1)].v.x() = 0.3;
  const ContactState s = force_.state(force_.pair(kinematics_));
  EXPECT_NEAR(s.gap, -0.04, 1e-15);
  EXPECT_NEAR(s.normal_force, 100.0 * 0.008, 1e-12);
  EXPECT_NEAR(s.slip_speed, 0.3, 1e-15);
  const double mu = (0.5 + 0.2 * std::exp(-0.09 / 0.64)) * 0.3 / 0.5;
  EXPECT_NEAR(s.friction.x(), -mu * s.normal_force, 1e-12);
  EXPECT_NEAR(s.force.z(), s.normal_force, 1e-12);
  move_to(0.5, 0.0);
  const ContactState open = force_.state(force_.pair(kinematics_));
  EXPECT_EQ(open.force, Vector3d::Zero());
  EXPECT_EQ(open.gap, 0.5);
  EXPECT_EQ(open.slip_speed, 0.0);
}

}  // namespace
}  // namespace solidyn::contact
