#include "solidyn/beams/beam_load.h"

#include <gtest/gtest.h>

#include "random_sections.h"
#include "solidyn/beams/beam_inertia.h"

namespace solidyn::beams {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Axes = BeamLoad::Axes;

constexpr double kLength = 0.8;
constexpr double kStep = 1e-6;
const Vector3d kForce(3.0, -7.0, 5.0), kTorque(-2.0, 1.5, 4.0);

// An element in a state of large strains, and what its load sees.
struct LoadedElement {
  LoadedElement(Axes axes, Torsion torsion)
      : load(kLength, axes, {{0.1, 0.5, 0.3, 2.0}, {0.5, 0.9, -1.0, 0.7}}),
        element(kLength, {900.0, 7.0, 11.0, 17.0, 400.0, 300.0}, torsion, TurnRule::lobatto) {}

  MiddleSection middle(const SectionMotion& p, const SectionMotion& q) {
    const SectionPair pair(p, q);
    EXPECT_TRUE(element.solve(pair.D, quaternion_of(pair.Q)));
    MiddleSection m;
    m.R = p.R * element.middle_turn();
    m.rows = element.middle_turn_rows() * pair.increments();
    m.rows.middleCols<3>(3) += element.middle_turn().transpose();
    return m;
  }
  Vector12 forces(const SectionMotion& p, const SectionMotion& q) {
    return load.forces(p, q, middle(p, q), kForce, kTorque);
  }

  BeamLoad load;
  BeamElement element;
  RandomSections s{kLength, 0.4, 6};
};

class BeamLoads : public testing::TestWithParam<std::tuple<Axes, Torsion>> {
 protected:
  LoadedElement e_{std::get<0>(GetParam()), std::get<1>(GetParam())};
};
INSTANTIATE_TEST_SUITE_P(Kinds, BeamLoads,
                         testing::Combine(testing::Values(Axes::world, Axes::section),
                                          testing::Values(Torsion::constant, Torsion::linear)));

TEST_P(BeamLoads, MiddleSectionHasItsRows) {
  const MiddleSection now = e_.middle(e_.s.p, e_.s.q);
  for (int i = 0; i < 12; ++i) {
    const auto at = [&](double h) {
      const Vector12 d = h * unit12(i);
      return e_.middle(moved(e_.s.p, d.head<6>()), moved(e_.s.q, d.tail<6>())).R;
    };
    const Matrix3d spin = now.R.transpose() * (at(kStep) - at(-kStep)) / (2.0 * kStep);
    EXPECT_LT((spin - math::skew(now.rows.col(i))).norm(), 1e-7) << i;
  }
}

TEST_P(BeamLoads, StiffnessIsDerivativeOfForces) {
  const Matrix12 K = e_.load.stiffness(e_.s.p, e_.s.q, e_.middle(e_.s.p, e_.s.q), kForce, kTorque);
  for (int i = 0; i < 12; ++i) {
    const auto at = [&](double h) {
      const Vector12 d = h * unit12(i);
      return e_.forces(moved(e_.s.p, d.head<6>()), moved(e_.s.q, d.tail<6>()));
    };
    const Vector12 difference = (at(kStep) - at(-kStep)) / (2.0 * kStep);
    EXPECT_LT((difference - K.col(i)).norm(), 1e-7 * K.norm()) << i;
  }
}

// int factor = 0.4 * 1.15 + 0.4 * (-0.15) of the length.
TEST(BeamLoad, DeadForcesAddUpToTheTotal) {
  LoadedElement e(Axes::world, Torsion::linear);
  const Vector12 f = e.forces(e.s.p, e.s.q);
  EXPECT_LT((f.segment<3>(0) + f.segment<3>(6) - 0.4 * kLength * kForce).norm(), 1e-14);
}

// A uniform dead load is gravity of a mass of one per length.
TEST(BeamLoad, UniformDeadLoadActsAsGravityDoes) {
  const RandomSections s(kLength, 0.6, 9);
  const BeamLoad load(kLength, Axes::world, {{}});
  const BeamInertia inertia(kLength, 1.0, Vector3d::Zero());
  RandomSections at_rest = s;
  for (SectionMotion* m : {&at_rest.p, &at_rest.q}) m->v = m->w = m->a = m->dw = Vector3d::Zero();
  const Vector12 weight = -inertia.forces(at_rest.p, at_rest.q, kForce);
  const Vector12 f = load.forces(s.p, s.q, {}, kForce, Vector3d::Zero());
  EXPECT_LT((f - weight).norm(), 1e-14 * weight.norm());
}

// int s/l of p and q, and l^2/20 and l^2/30 of a clamped beam's moments.
TEST(BeamLoad, TriangularLoadOnAStraightElement) {
  RandomSections s(kLength, 0.0, 5);
  s.q.p = s.p.p + kLength * s.p.R.col(0);
  MiddleSection middle;
  middle.R = s.p.R;
  const BeamLoad load(kLength, Axes::section, {{0.0, 1.0, 0.0, 1.0}});
  const Vector12 f = load.forces(s.p, s.q, middle, Vector3d(0, 10, 0), Vector3d(6, 0, 0));
  const Vector3d y = s.p.R.col(1);
  EXPECT_LT((f.segment<3>(0) - 10 * 0.15 * kLength * y).norm(), 1e-14);
  EXPECT_LT((f.segment<3>(6) - 10 * 0.35 * kLength * y).norm(), 1e-14);
  EXPECT_LT((f.segment<3>(3) - Vector3d(kLength, 0, 10 * kLength * kLength / 30)).norm(), 1e-14);
  EXPECT_LT((f.segment<3>(9) - Vector3d(2 * kLength, 0, -10 * kLength * kLength / 20)).norm(),
            1e-14);
}

}  // namespace
}  // namespace solidyn::beams
