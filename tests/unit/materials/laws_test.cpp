#include "materials/laws.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "directed_material.h"

// What every law of the catalogue must be, on one element per lane. To join, a law has a row in
// materials/laws.h and, if no material here is for it, one in the list below.
namespace solidyn::materials {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::broadcast;
using math::kLanes;

Tensor pack(const Matrix3d& m) {
  Tensor t;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) t(i, j) = broadcast(m(i, j));
  return t;
}

Matrix3d lane(const Tensor& t, int at = 0) {
  Matrix3d m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m(i, j) = t(i, j)[at];
  return m;
}

// The law of small strains for a material in given axes.
template <class Hooke>
Hooke hooke_of(const Matrix3d& axes) {
  if constexpr (std::is_same_v<Hooke, IsotropicHooke>) {
    const IsotropicElastic e{1000.0, 0.3, 2.0};
    return Hooke::make(e.lame_lambda(), e.shear_modulus());
  } else {
    Material material = test::orthotropic();
    material.axes.R = axes;
    Hooke hooke;
    for (int i = 0; i < kLanes; ++i)
      hooke.set_lane(i, Elasticity(material, Vector3d::Zero()).stiffness());
    return hooke;
  }
}

template <class... Laws>
testing::Types<Laws...> types_of(Catalogue<Laws...>);

const Matrix3d kF = (Matrix3d() << 1.1, 0.2, -0.1, 0.05, 0.9, 0.15, 0.1, -0.05, 1.2).finished();
const Matrix3d kChange = (Matrix3d() << 0.3, -0.7, 0.2, 0.5, 0.1, -0.4, -0.6, 0.8, 0.35).finished();
const Matrix3d kOther = (Matrix3d() << -0.2, 0.6, 0.1, 0.3, 0.4, -0.9, 0.5, -0.3, 0.25).finished();
const Matrix3d kTurn =
    Eigen::AngleAxisd(2.1, Vector3d(0.3, -0.8, 0.5).normalized()).toRotationMatrix();

template <class Law>
class LargeStrainLawContract : public testing::Test {
 protected:
  using Hooke = typename Law::Small;
  const Law law_ = Law::make(hooke_of<Hooke>(test::odd_axes()));

  Matrix3d stress(const Matrix3d& F) const { return lane(law_.first_piola(Deformation(pack(F)))); }
  double energy(const Matrix3d& F) const { return law_.energy(Deformation(pack(F)))[0]; }
  Matrix3d change(const Matrix3d& F, const Matrix3d& dF) const {
    return lane(law_.first_piola_change(Deformation(pack(F)), pack(dF)));
  }
};
TYPED_TEST_SUITE(LargeStrainLawContract, decltype(types_of(LargeStrainLaws{})), );

// Central differences: h^2 of a smooth function, and round-off of 1e-16 / h.
constexpr double kStep = 1e-5;

TYPED_TEST(LargeStrainLawContract, StressIsTheDerivativeOfTheEnergy) {
  const double difference =
      (this->energy(kF + kStep * kChange) - this->energy(kF - kStep * kChange)) / (2.0 * kStep);
  EXPECT_NEAR(this->stress(kF).cwiseProduct(kChange).sum(), difference,
              1e-8 * this->stress(kF).norm());
}

TYPED_TEST(LargeStrainLawContract, TangentIsTheDerivativeOfTheStress) {
  const Matrix3d difference =
      (this->stress(kF + kStep * kChange) - this->stress(kF - kStep * kChange)) / (2.0 * kStep);
  EXPECT_LT((this->change(kF, kChange) - difference).norm(), 1e-8 * difference.norm());
}

TYPED_TEST(LargeStrainLawContract, TangentIsSymmetric) {
  const double ab = kOther.cwiseProduct(this->change(kF, kChange)).sum(),
               ba = kChange.cwiseProduct(this->change(kF, kOther)).sum();
  EXPECT_NEAR(ab, ba, 1e-13 * this->change(kF, kChange).norm());
}

TYPED_TEST(LargeStrainLawContract, RigidRotationGivesNoStress) {
  EXPECT_LT(this->stress(kTurn).norm(), 1e-12 * this->change(Matrix3d::Identity(), kChange).norm());
  EXPECT_NEAR(this->energy(kTurn), 0.0, 1e-12);
}

TYPED_TEST(LargeStrainLawContract, StressTurnsWithTheBody) {
  EXPECT_LT((this->stress(kTurn * kF) - kTurn * this->stress(kF)).norm(),
            1e-12 * this->stress(kF).norm());
  EXPECT_NEAR(this->energy(kTurn * kF), this->energy(kF), 1e-12 * this->energy(kF));
}

TYPED_TEST(LargeStrainLawContract, MomentsBalance) {
  const Matrix3d tau = this->stress(kF) * kF.transpose();
  EXPECT_LT((tau - tau.transpose()).norm(), 1e-13 * tau.norm());
}

// Turning the material with its axes and then the body's reference is no change: with the axes R Q
// and F Q^T in place of F, energies agree. Of an isotropic law this is its isotropy.
TYPED_TEST(LargeStrainLawContract, AxesAreThoseOfTheMaterial) {
  using Law = TypeParam;
  const Law turned = Law::make(hooke_of<typename Law::Small>(kTurn * test::odd_axes()));
  const Matrix3d F = kF * kTurn.transpose();
  EXPECT_NEAR(turned.energy(Deformation(pack(F)))[0], this->energy(kF), 1e-12 * this->energy(kF));
  EXPECT_LT((lane(turned.first_piola(Deformation(pack(F)))) - this->stress(kF) * kTurn.transpose())
                .norm(),
            1e-12 * this->stress(kF).norm());
}

TYPED_TEST(LargeStrainLawContract, SmallStrainsSeeHookesLaw) {
  using Law = TypeParam;
  const auto hooke = hooke_of<typename Law::Small>(test::odd_axes());
  const Matrix3d linear = lane(hooke.stress(pack(0.5 * (kChange + kChange.transpose()))));
  EXPECT_LT((this->change(Matrix3d::Identity(), kChange) - linear).norm(), 1e-13 * linear.norm());
}

// The share of a point in an element's tangent, where the law has one of its own, is that of its
// change of stress.
TYPED_TEST(LargeStrainLawContract, FewDirectionsGiveTheTangent) {
  using Law = TypeParam;
  if constexpr (Law::kHasFewDirections) {
    TangentPoint<2> p;
    const Vector3d g[2] = {{0.4, -0.2, 0.7}, {-0.1, 0.9, 0.3}};
    for (int a = 0; a < 2; ++a)
      for (int i = 0; i < 3; ++i) p.g[a][i] = broadcast(g[a][i]);
    this->law_.fill(Deformation(pack(kF)), broadcast(0.5), p);
    const auto vector = [](const Vector& v) { return Vector3d(v[0][0], v[1][0], v[2][0]); };
    const Vector3d u0 = vector(p.u[0]), u1 = vector(p.u[1]);
    Matrix3d K = p.c1[0] * u0 * u1.transpose() + p.c2[0] * u1 * u0.transpose() +
                 g[0].dot(vector(p.h[1])) * Matrix3d::Identity();
    if (Law::kHasW) K += g[0].dot(g[1]) * lane(p.W);
    Matrix3d expected;
    for (int j = 0; j < 3; ++j)
      expected.col(j) = 0.5 * this->change(kF, Vector3d::Unit(j) * g[1].transpose()) * g[0];
    EXPECT_LT((K - expected).norm(), 1e-13 * expected.norm());
  }
}

TYPED_TEST(LargeStrainLawContract, IsFoundByItsName) {
  using Law = TypeParam;
  const bool has_directions = !std::is_same_v<typename Law::Small, IsotropicHooke>;
  const Material material =
      has_directions ? Material(test::orthotropic()) : Material(1000.0, 0.3, 2.0);
  bool is_same = false;
  visit_large_strain_law(Law::kName, material, [&](auto law) {
    is_same = std::is_same_v<typename decltype(law)::type, Law>;
  });
  EXPECT_TRUE(is_same);
}

TEST(LargeStrainLaws, RefuseDirectionsWhereTheLawHasNone) {
  EXPECT_THAT([] { visit_large_strain_law("neo_hookean", test::orthotropic(), [](auto) {}); },
              testing::ThrowsMessage<base::InputError>(testing::HasSubstr(
                  "neo_hookean is isotropic, but the material is orthotropic or anisotropic")));
}

template <class Hooke>
class SmallStrainLawContract : public testing::Test {
 protected:
  const Hooke hooke_ = hooke_of<Hooke>(test::odd_axes());
  static Matrix3d sym(const Matrix3d& m) { return 0.5 * (m + m.transpose()); }
  Matrix3d stress(const Matrix3d& strain) const { return lane(hooke_.stress(pack(strain))); }
};
TYPED_TEST_SUITE(SmallStrainLawContract, decltype(types_of(SmallStrainLaws{})), );

TYPED_TEST(SmallStrainLawContract, StressIsTheDerivativeOfTheEnergy) {
  const Matrix3d e = this->sym(kF), de = this->sym(kChange);
  // The energy is quadratic: differences are exact but for round-off.
  const double difference = 0.25 * (this->hooke_.twice_energy(pack(e + de))[0] -
                                    this->hooke_.twice_energy(pack(e - de))[0]);
  EXPECT_NEAR(this->stress(e).cwiseProduct(de).sum(), difference, 1e-12 * this->stress(e).norm());
}

TYPED_TEST(SmallStrainLawContract, IsSymmetric) {
  const Matrix3d a = this->sym(kChange), b = this->sym(kOther);
  EXPECT_NEAR(this->stress(a).cwiseProduct(b).sum(), this->stress(b).cwiseProduct(a).sum(),
              1e-12 * this->stress(a).norm());
  EXPECT_EQ(this->stress(a), this->stress(a).transpose());
}

TYPED_TEST(SmallStrainLawContract, TurnedLawIsThatOfTurnedAxes) {
  const Matrix3d e = this->sym(kChange);
  const TypeParam& turned = this->hooke_.turned(pack(kTurn));
  const Matrix3d expected = kTurn * this->stress(kTurn.transpose() * e * kTurn) * kTurn.transpose();
  EXPECT_LT((lane(turned.stress(pack(e))) - expected).norm(), 1e-13 * expected.norm());
  const TypeParam of_axes = hooke_of<TypeParam>(kTurn * test::odd_axes());
  EXPECT_LT((lane(of_axes.stress(pack(e))) - expected).norm(), 1e-13 * expected.norm());
}

// Column j of K_ab is the force at a, sigma g_a, of the displacement e_j at b.
TYPED_TEST(SmallStrainLawContract, BlockIsTheForceOfAUnitDisplacement) {
  const Vector3d g_a(0.4, -0.2, 0.7), g_b(-0.1, 0.9, 0.3);
  const Matrix3d K = lane(this->hooke_.block(pack(g_a * g_b.transpose())));
  for (int j = 0; j < 3; ++j) {
    const Matrix3d strain = this->sym(Vector3d::Unit(j) * g_b.transpose());
    EXPECT_LT((K.col(j) - this->stress(strain) * g_a).norm(), 1e-13 * K.norm());
  }
}

TYPED_TEST(SmallStrainLawContract, CombinationIsTheSumOfStresses) {
  const TypeParam other = hooke_of<TypeParam>(kTurn);
  const TypeParam both = TypeParam::combine(0.7, this->hooke_, -0.2, other);
  const Matrix3d e = this->sym(kChange);
  const Matrix3d expected = 0.7 * this->stress(e) - 0.2 * lane(other.stress(pack(e)));
  EXPECT_LT((lane(both.stress(pack(e))) - expected).norm(), 1e-13 * expected.norm());
}

// Lanes have axes of their own.
TEST(AnisotropicHooke, KeepsItsLanesApart) {
  AnisotropicHooke hooke;
  Material material = test::orthotropic();
  for (int i = 0; i < kLanes; ++i) {
    material.axes.R = Eigen::AngleAxisd(0.3 * i, Vector3d::UnitZ()).toRotationMatrix();
    hooke.set_lane(i, Elasticity(material, Vector3d::Zero()).stiffness());
  }
  const Matrix3d e = 0.5 * (kChange + kChange.transpose());
  for (int i = 0; i < kLanes; ++i) {
    material.axes.R = Eigen::AngleAxisd(0.3 * i, Vector3d::UnitZ()).toRotationMatrix();
    const Vector6d s = Elasticity(material, Vector3d::Zero()).stress(strain_vector(e));
    EXPECT_NEAR(lane(hooke.stress(pack(e)), i)(0, 1), s[3], 1e-12 * s.norm());
    EXPECT_NEAR(lane(hooke.stress(pack(e)), i)(2, 2), s[2], 1e-12 * s.norm());
  }
}

}  // namespace
}  // namespace solidyn::materials
