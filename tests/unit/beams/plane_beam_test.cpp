// In a plane of its axes an element is what it is in space.
#include "solidyn/beams/plane_beam.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "random_sections.h"
#include "solidyn/beams/beam_inertia.h"

namespace solidyn::beams {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kLength = 0.8, kDamping = 0.02;
const Rigidity kRigidity{900.0, 7.0, 11.0, 17.0, 400.0, 300.0};
const Vector3d kInertia(0.05, 0.02, 0.03);
const Vector2d kGravity(2.0, -9.0);
constexpr double kMass = 3.0;

// Both descriptions of an element whose sections' axis `normal` (1: y, 2: z) is the world's z.
class PlaneBeams : public testing::TestWithParam<int> {
 protected:
  PlaneBeams()
      : element_(kLength, kRigidity, Torsion::linear, TurnRule::magnus),
        inertia_(kLength, kMass, kInertia),
        plane_(data()) {
    const Strains unstressed = in_space({0.01, 0.2, -0.1});
    constexpr double kSquare = kLength * kLength;
    BeamCurve curve(kLength, kRigidity.EI_z / (kSquare * kRigidity.GA_y),
                    kRigidity.EI_y / (kSquare * kRigidity.GA_z), TurnRule::magnus);
    curve.evaluate(unstressed);
    EXPECT_TRUE(element_.set_unstressed(curve.end(), curve.end_turn()));
    D_unstressed_ = curve.end();
    Q_unstressed_ = curve.end_turn();
    set_unstressed(plane_);
    move(random(1));
  }
  static PlaneBeamData data() {
    const bool is_z = GetParam() == 2;
    return {kLength,
            kRigidity.EA,
            is_z ? kRigidity.EI_z : kRigidity.EI_y,
            is_z ? kRigidity.GA_y : kRigidity.GA_z,
            kMass,
            kInertia[GetParam()],
            kDamping};
  }
  // In the axes of the element's start: z is against V where y is the normal.
  void set_unstressed(PlaneBeam& plane) const {
    const int normal = GetParam();
    const double turn = 2.0 * std::atan2(Q_unstressed_[1 + normal], Q_unstressed_[0]);
    const Vector2d D(D_unstressed_.x(), normal == 2 ? D_unstressed_.y() : -D_unstressed_.z());
    ASSERT_TRUE(plane.set_unstressed(D, {std::cos(turn), std::sin(turn)}));
  }
  static Strains in_space(const Vector3d& s) {
    Strains strains = Strains::Zero();
    strains[0] = s[0];
    strains[1 + GetParam()] = s[1];
    strains[4 + GetParam()] = s[2];
    return strains;
  }
  using Sections = std::array<PlaneSection, 2>;
  static PlaneSection section(const Vector2d& p, double angle, const Eigen::VectorXd& rates) {
    return {p,
            {std::cos(angle), std::sin(angle)},
            rates.segment<2>(0),
            rates.segment<2>(2),
            rates[4],
            rates[5]};
  }
  static Sections random(unsigned seed) {
    const Eigen::VectorXd x = random_vector(20, 1.0, seed);
    const double turn = 2.0 * x[0], bend = 0.6 * x[1];
    const Vector2d p = x.segment<2>(2);
    const Vector2d along(std::cos(turn + 0.5 * bend), std::sin(turn + 0.5 * bend));
    const Vector2d q = p + 1.03 * kLength * along + 0.05 * x.segment<2>(4);
    return {section(p, turn, 2.0 * x.segment<6>(6)),
            section(q, turn + bend, 2.0 * x.segment<6>(12))};
  }
  // U and V are the world's x and y.
  static SectionMotion in_space(const PlaneSection& s) {
    SectionMotion m;
    m.p << s.p, 0.0;
    m.v << s.v, 0.0;
    m.a << s.a, 0.0;
    const Vector3d x(s.x.x(), s.x.y(), 0.0), normal = Vector3d::UnitZ();
    m.R.col(0) = x;
    m.R.col(GetParam()) = normal;
    if (GetParam() == 2)
      m.R.col(1) = normal.cross(x);
    else
      m.R.col(2) = x.cross(normal);
    m.w = s.w * Vector3d::Unit(GetParam());
    m.dw = s.dw * Vector3d::Unit(GetParam());
    return m;
  }
  void move(const Sections& s) {
    sections_ = s;
    ASSERT_TRUE(plane_.follow(s[0], s[1]));
    p_ = in_space(s[0]);
    q_ = in_space(s[1]);
    pair_ = SectionPair(p_, q_);
    ASSERT_TRUE(element_.solve(pair_.D, quaternion_of(pair_.Q)));
    const Strains rates = element_.rows() * pair_.rates(p_, q_);
    const Strains stress = kDamping * element_.stiffness() * rates;
    dissipation_ = stress.dot(rates);
    gradient_ = element_.gradient() + element_.rows().transpose() * stress;
  }
  std::array<int, 6> places() const {
    const int turn = 3 + GetParam();
    return {0, 1, turn, 6, 7, 6 + turn};
  }
  static Sections moved(Sections s, const PlaneBeam::Vector6& d, double position, double rate,
                        double acceleration) {
    for (int i = 0; i < 2; ++i) {
      const Vector2d shift = d.segment<2>(3 * i);
      const double turn = d[3 * i + 2];
      PlaneSection& m = s[i];
      m.p += position * shift;
      m.x = Eigen::Rotation2Dd(position * turn) * m.x;
      m.v += rate * shift;
      m.w += rate * turn;
      m.a += acceleration * shift;
      m.dw += acceleration * turn;
    }
    return s;
  }

  Vector3d D_unstressed_;
  Eigen::Vector4d Q_unstressed_;
  BeamElement element_;
  BeamInertia inertia_;
  PlaneBeam plane_;
  Sections sections_;
  SectionMotion p_, q_;
  SectionPair pair_;
  Vector6 gradient_;
  double dissipation_ = 0.0;
};
INSTANTIATE_TEST_SUITE_P(Normal, PlaneBeams, testing::Values(1, 2));

TEST_P(PlaneBeams, HasTheForcesAndEnergiesOfTheElementInSpace) {
  for (unsigned seed = 1; seed < 20; ++seed) {
    move(random(seed));
    EXPECT_LT((in_space(plane_.strains()) - element_.strains()).norm(), 1e-12) << seed;
    EXPECT_NEAR(plane_.strain_energy(), element_.energy(), 1e-11 * element_.energy());
    EXPECT_NEAR(plane_.dissipation(), dissipation_, 1e-8 * dissipation_);
    const double kinetic = inertia_.kinetic_energy(p_, q_);
    EXPECT_NEAR(plane_.kinetic_energy(), kinetic, 1e-12 * kinetic);
    const Vector12 f = pair_.forces(gradient_) +
                       inertia_.forces(p_, q_, Vector3d(kGravity.x(), kGravity.y(), 0.0));
    const PlaneBeam::Vector6 in_plane = plane_.forces(kGravity);
    const std::array<int, 6> at = places();
    Vector12 expanded = Vector12::Zero();
    for (int i = 0; i < 6; ++i) expanded[at[i]] = in_plane[i];
    EXPECT_LT((expanded - f).norm(), 1e-10 * f.norm()) << seed;
  }
}

// But for damping, whose stiffness leaves out how the rows of the strains change; that too is the
// one in space.
TEST_P(PlaneBeams, TangentIsTheOneInSpace) {
  const Vector3d gravity(kGravity.x(), kGravity.y(), 0.0);
  for (unsigned seed = 1; seed < 10; ++seed) {
    move(random(seed));
    BeamInertia::Tangent of_inertia;
    inertia_.compute_tangent(p_, q_, gravity, of_inertia);
    const Matrix6 C =
        kDamping * element_.rows().transpose() * element_.stiffness() * element_.rows();
    const Matrix12 K = of_inertia.K + pair_.stiffness(gradient_, element_.second_derivative()) +
                       pair_.on_sections(C * pair_.rate_stiffness(p_, q_));
    const Matrix12 D = of_inertia.D + pair_.on_sections(pair_.by_sections(C));
    for (const Vector3d& c :
         {Vector3d(1, 0, 0), Vector3d(0, 1, 0), Vector3d(0, 0, 1), Vector3d(3.0, -2.0, 0.7)}) {
      PlaneBeam::Matrix6 J;
      plane_.compute_tangent(kGravity, c[0], c[1], c[2], J);
      const Matrix12 whole = c[0] * of_inertia.M + c[1] * D + c[2] * K;
      const std::array<int, 6> at = places();
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
          EXPECT_NEAR(J(i, j), whole(at[i], at[j]), 1e-9 * whole.norm()) << seed << " " << c;
      // Motions across the plane have no entries with those in it.
      for (int row = 0; row < 12; ++row)
        for (int j = 0; j < 6; ++j)
          if (std::find(at.begin(), at.end(), row) == at.end())
            EXPECT_NEAR(whole(row, at[j]), 0.0, 1e-9 * whole.norm());
    }
  }
}

TEST_P(PlaneBeams, TangentWithoutDampingIsTheDerivativeOfForces) {
  PlaneBeamData undamped = data();
  undamped.damping = 0.0;
  PlaneBeam beam(undamped);
  set_unstressed(beam);
  const auto forces = [&](const PlaneBeam::Vector6& d, const Vector3d& c) {
    const Sections s = moved(sections_, d, c[2], c[1], c[0]);
    EXPECT_TRUE(beam.follow(s[0], s[1]));
    return beam.forces(kGravity);
  };
  for (const Vector3d& c : {Vector3d(1, 0, 0), Vector3d(0, 1, 0), Vector3d(0, 0, 1)}) {
    forces(PlaneBeam::Vector6::Zero(), c);
    const double step = c[2] > 0.0 ? 1e-6 : 1e-2;  // quadratic in rates and accelerations
    PlaneBeam::Matrix6 J;
    beam.compute_tangent(kGravity, c[0], c[1], c[2], J);
    for (int i = 0; i < 6; ++i) {
      const PlaneBeam::Vector6 d = step * PlaneBeam::Vector6::Unit(i);
      const PlaneBeam::Vector6 column = (forces(d, c) - forces(-d, c)) / (2.0 * step);
      EXPECT_LT((J.col(i) - column).norm(), 1e-7 * J.norm()) << i << " " << c.transpose();
    }
  }
}

// Whatever length it has and however it is curved, and wherever it has been between.
TEST_P(PlaneBeams, HasNoForceWithoutStressToTheLastBit) {
  for (int i = 1; i < 60; ++i) {
    PlaneBeamData of_length = data();
    of_length.length = 0.1 + 0.013 * i;
    PlaneBeam beam(of_length);
    const double angle = i % 2 == 0 ? 0.0 : 0.02 * i;  // straight, or of an arc
    const Vector2d q = i % 2 == 0 ? Vector2d(of_length.length, 0.0)
                                  : Vector2d(of_length.length / angle * std::sin(angle),
                                             of_length.length / angle * (1.0 - std::cos(angle)));
    ASSERT_TRUE(beam.set_unstressed(q, {std::cos(angle), std::sin(angle)}));
    const Eigen::VectorXd still = Eigen::VectorXd::Zero(6);
    const PlaneSection start = section({0.0, 0.0}, 0.0, still), end = section(q, angle, still);
    ASSERT_TRUE(beam.follow(start, end));
    EXPECT_EQ(beam.forces(Vector2d::Zero()).norm(), 0.0) << i;
    ASSERT_TRUE(beam.follow(start, section(1.1 * q, angle + 0.1, still)));
    EXPECT_GT(beam.forces(Vector2d::Zero()).norm(), 1.0) << i;
    ASSERT_TRUE(beam.follow(start, end));
    EXPECT_EQ(beam.forces(Vector2d::Zero()).norm(), 0.0) << i;
  }
}

TEST_P(PlaneBeams, SaysWhereThereAreNoStrains) {
  Sections s = sections_;
  s[1].p = s[0].p - kLength * s[0].x;  // behind the start
  EXPECT_FALSE(plane_.follow(s[0], s[1]));
  EXPECT_TRUE(plane_.follow(sections_[0], sections_[1]));
  EXPECT_LT((in_space(plane_.strains()) - element_.strains()).norm(), 1e-12);
}

}  // namespace
}  // namespace solidyn::beams
