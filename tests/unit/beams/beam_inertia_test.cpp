#include "solidyn/beams/beam_inertia.h"

#include <gtest/gtest.h>

#include "random_sections.h"

namespace solidyn::beams {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kLength = 0.7;
constexpr double kStep = 1e-6;
const Vector3d kDiscs(0.9, 0.4, 0.5);  // kg m
const Vector3d kGravity(0.8, -9.0, 2.0);

class BeamInertiaOfRandomSections : public testing::TestWithParam<unsigned> {
 protected:
  RandomSections s_{kLength, 0.7, GetParam()};
  BeamInertia inertia_{kLength, 2.3, kDiscs};

  Vector12 rates() const {
    Vector12 v;
    v << s_.p.v, s_.p.w, s_.q.v, s_.q.w;
    return v;
  }
  // The state a time h later, of constant accelerations; exact to O(h^2).
  RandomSections later(double h) const {
    RandomSections s = s_;
    for (SectionMotion* m : {&s.p, &s.q}) {
      m->p += h * m->v + 0.5 * h * h * m->a;
      m->R = m->R * math::exp_rotation(h * m->w + 0.5 * h * h * m->dw);
      m->v += h * m->a;
      m->w += h * m->dw;
    }
    return s;
  }
};
INSTANTIATE_TEST_SUITE_P(Seeds, BeamInertiaOfRandomSections, testing::Values(1u, 2u, 3u));

TEST_P(BeamInertiaOfRandomSections, MassMatrixGivesKineticEnergy) {
  Matrix12 M;
  inertia_.compute_mass(s_.p, s_.q, M);
  EXPECT_LT((M - M.transpose()).norm(), 1e-14);
  EXPECT_NEAR(0.5 * rates().dot(M * rates()), inertia_.kinetic_energy(s_.p, s_.q), 1e-13);
}

// d/dt dT/dv - dT/dq, with w x dT/dw for rates in turning axes (Poincare).
TEST_P(BeamInertiaOfRandomSections, ForcesFollowFromLagrangesEquations) {
  const auto momenta = [&](const RandomSections& s) {
    Matrix12 M;
    inertia_.compute_mass(s.p, s.q, M);
    Vector12 v;
    v << s.p.v, s.p.w, s.q.v, s.q.w;
    return Vector12(M * v);
  };
  const Vector12 now = momenta(s_);
  Vector12 expected = (momenta(later(kStep)) - momenta(later(-kStep))) / (2.0 * kStep);
  expected.segment<3>(3) += s_.p.w.cross(now.segment<3>(3));
  expected.segment<3>(9) += s_.q.w.cross(now.segment<3>(9));
  for (int i = 0; i < 12; ++i) {
    const Vector12 step = kStep * unit12(i);
    const auto energy = [&](const Vector12& d) {
      return inertia_.kinetic_energy(moved(s_.p, d.head<6>()), moved(s_.q, d.tail<6>()));
    };
    expected[i] -= (energy(step) - energy(-step)) / (2.0 * kStep);
  }
  const Vector12 r = inertia_.forces(s_.p, s_.q, Vector3d::Zero());
  EXPECT_LT((r - expected).norm(), 1e-8 * r.norm());
}

TEST_P(BeamInertiaOfRandomSections, ForcesChangeMomentum) {
  const RandomSections after = later(kStep), before = later(-kStep);
  const Vector12 r = inertia_.forces(s_.p, s_.q, Vector3d::Zero());
  const Vector3d linear =
      (inertia_.momentum(after.p, after.q) - inertia_.momentum(before.p, before.q)) / (2 * kStep);
  EXPECT_LT((linear - r.segment<3>(0) - r.segment<3>(6)).norm(), 1e-8);
  const Vector3d angular = (inertia_.angular_momentum(after.p, after.q) -
                            inertia_.angular_momentum(before.p, before.q)) /
                           (2 * kStep);
  const Vector3d moment = s_.p.R * r.segment<3>(3) + s_.q.R * r.segment<3>(9) +
                          s_.p.p.cross(r.segment<3>(0)) + s_.q.p.cross(r.segment<3>(6));
  EXPECT_LT((angular - moment).norm(), 1e-8);
}

TEST_P(BeamInertiaOfRandomSections, TangentIsDerivativeOfForces) {
  BeamInertia::Tangent tangent;
  inertia_.compute_tangent(s_.p, s_.q, kGravity, tangent);
  const auto change = [&](auto&& apply) {
    const auto at = [&](double h) {
      RandomSections s = s_;
      apply(s, h);
      return inertia_.forces(s.p, s.q, kGravity);
    };
    return Vector12((at(kStep) - at(-kStep)) / (2.0 * kStep));
  };
  for (int i = 0; i < 12; ++i) {
    const int k = i % 3;
    const bool is_turn = i % 6 > 2;
    const auto section = [&](RandomSections& s) -> SectionMotion& { return i < 6 ? s.p : s.q; };
    const Vector12 by_a = change(
        [&](RandomSections& s, double h) { (is_turn ? section(s).dw : section(s).a)[k] += h; });
    const Vector12 by_v = change(
        [&](RandomSections& s, double h) { (is_turn ? section(s).w : section(s).v)[k] += h; });
    const Vector12 by_q = change([&](RandomSections& s, double h) {
      section(s) = moved(section(s), h * Vector6::Unit(i % 6));
    });
    EXPECT_LT((by_a - tangent.M.col(i)).norm(), 1e-8) << i;
    EXPECT_LT((by_v - tangent.D.col(i)).norm(), 1e-7) << i;
    EXPECT_LT((by_q - tangent.K.col(i)).norm(), 1e-7) << i;
  }
}

TEST_P(BeamInertiaOfRandomSections, GravityActsOnTheCentreOfMass) {
  const Vector12 r =
      inertia_.forces(s_.p, s_.q, kGravity) - inertia_.forces(s_.p, s_.q, Vector3d::Zero());
  for (int i = 0; i < 12; ++i) {
    const auto potential = [&](double h) {
      const Vector12 d = h * unit12(i);
      return -kGravity.dot(
          inertia_.first_moment(moved(s_.p, d.head<6>()), moved(s_.q, d.tail<6>())));
    };
    EXPECT_NEAR(r[i], (potential(kStep) - potential(-kStep)) / (2.0 * kStep), 1e-8) << i;
  }
}

TEST(BeamInertia, SpinningStraightBeamHasTheInertiaOfARod) {
  const BeamInertia inertia(kLength, 2.3, kDiscs);
  RandomSections s(kLength, 0.0, 7);
  s.q.p = s.p.p + kLength * s.p.R.col(0);
  s.p.w = s.q.w = Vector3d(0.4, 1.3, -0.7);
  s.p.v = Vector3d(0.2, -0.5, 0.1);
  s.q.v = s.p.v + s.p.R * s.p.w.cross(kLength * Vector3d::UnitX());
  const double mass = 2.3 * kLength, across = mass * kLength * kLength / 12.0;
  const Vector3d J = Vector3d(0.0, across, across) + kLength * kDiscs;
  const Vector3d centre = 0.5 * (s.p.v + s.q.v);
  EXPECT_NEAR(inertia.kinetic_energy(s.p, s.q),
              0.5 * (mass * centre.squaredNorm() + s.p.w.dot(J.cwiseProduct(s.p.w))), 1e-13);
}

}  // namespace
}  // namespace solidyn::beams
