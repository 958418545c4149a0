#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "directed_material.h"

namespace solidyn::materials {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d stress_tensor(const Vector6d& s) {
  Matrix3d m;
  m << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  return m;
}

const Vector6d kStrain = (Vector6d() << 0.3, -0.2, 0.5, 0.4, -0.7, 0.1).finished();

TEST(OrthotropicElastic, OfEqualConstantsIsIsotropic) {
  const IsotropicElastic isotropic{1000.0, 0.3, 2.0};
  const double G = isotropic.shear_modulus();
  const OrthotropicElastic same{{1000.0, 1000.0, 1000.0}, {0.3, 0.3, 0.3}, {G, G, G}, 2.0};
  EXPECT_LT((same.stiffness() - isotropic.stiffness()).norm(), 1e-12 * same.stiffness().norm());
}

// The definition of the constants: a stress along 1 contracts 2 by nu_12; G_13 belongs to zx.
TEST(OrthotropicElastic, StretchesAsItsConstantsSay) {
  const OrthotropicElastic m = test::orthotropic();
  const Vector6d along_1 = m.stiffness().inverse() * (30.0 * Vector6d::Unit(0));
  EXPECT_NEAR(along_1[0], 30.0 / 1500.0, 1e-15);
  EXPECT_NEAR(along_1[1], -0.35 * 30.0 / 1500.0, 1e-15);
  EXPECT_NEAR(along_1[2], -0.2 * 30.0 / 1500.0, 1e-15);
  const Vector6d along_2 = m.stiffness().inverse() * (30.0 * Vector6d::Unit(1));
  EXPECT_NEAR(along_2[2], -0.25 * 30.0 / 600.0, 1e-15);
  EXPECT_NEAR(along_2[0], -0.35 / 1500.0 * 30.0, 1e-15);  // nu_21 / E_2 = nu_12 / E_1
  EXPECT_DOUBLE_EQ(m.stiffness()(3, 3), 250.0);
  EXPECT_DOUBLE_EQ(m.stiffness()(5, 5), 400.0);
  EXPECT_DOUBLE_EQ(m.stiffness()(4, 4), 320.0);
}

TEST(Elasticity, TurnsItsStressWithTheMaterialAxes) {
  const Material material = test::orthotropic_in_odd_axes();
  const Matrix3d R = material.axes.R;
  const Elasticity in_mesh(material, Vector3d::Zero());
  const Matrix3d strain = strain_tensor(kStrain);
  const Vector6d in_material = strain_vector(R.transpose() * strain * R);
  const Matrix3d expected = R * stress_tensor(material.stiffness() * in_material) * R.transpose();
  EXPECT_LT((stress_tensor(in_mesh.stress(kStrain)) - expected).norm(), 1e-12 * expected.norm());
}

TEST(Elasticity, OfAnisotropicMaterialIsThatOfItsConstants) {
  Material material = AnisotropicElastic{test::orthotropic().stiffness(), 2.0};
  material.axes.R = test::odd_axes();
  const Elasticity a(material, Vector3d::Zero()),
      b(test::orthotropic_in_odd_axes(), Vector3d::Zero());
  EXPECT_LT((a.stiffness() - b.stiffness()).norm(), 1e-12 * b.stiffness().norm());
}

TEST(Axes, AreOrthonormalAndPointAsTheirKindSays) {
  Axes axes;
  axes.R = test::odd_axes();
  axes.origin = {0.1, 0.2, -0.4};
  const Vector3d x(0.7, -0.3, 0.9), local = axes.R.transpose() * (x - axes.origin);
  for (const Axes::Kind kind :
       {Axes::Kind::rectangular, Axes::Kind::cylindrical, Axes::Kind::spherical}) {
    axes.kind = kind;
    EXPECT_TRUE((axes.at(x).transpose() * axes.at(x)).isIdentity(1e-14));
    EXPECT_NEAR(axes.at(x).determinant(), 1.0, 1e-14);
  }
  EXPECT_LT((axes.at(x).col(0) - (x - axes.origin).normalized()).norm(), 1e-14);  // spherical
  axes.kind = Axes::Kind::cylindrical;
  const Vector3d radial = axes.R * Vector3d(local[0], local[1], 0.0).normalized();
  EXPECT_LT((axes.at(x).col(0) - radial).norm(), 1e-14);
  EXPECT_LT((axes.at(x).col(2) - axes.R.col(2)).norm(), 1e-14);
  EXPECT_TRUE(axes.at(axes.origin).isApprox(axes.R));  // on the axis
}

TEST(Axes, AreTurnedInThemselvesLast) {
  Axes axes = test::orthotropic_around_an_axis().axes;
  const Vector3d x(0.7, -0.3, 0.9);
  const Matrix3d turned = axes.at(x), turn = axes.turn;
  axes.turn = Matrix3d::Identity();
  EXPECT_TRUE(turned.isApprox(axes.at(x) * turn));
  EXPECT_TRUE(turned.col(0).isApprox(axes.at(x).col(0)));  // the axis of the turn
}

TEST(Material, ExpandsAlongItsAxes) {
  Material material = test::orthotropic_in_odd_axes();
  material.expansion << 1e-5, 2e-5, 4e-5, 0.0, 0.0, 0.0;
  const Matrix3d alpha = material.expansion_at(Vector3d::Zero());
  for (int i = 0; i < 3; ++i)
    EXPECT_LT(
        (alpha * test::odd_axes().col(i) - material.expansion[i] * test::odd_axes().col(i)).norm(),
        1e-18);
}

TEST(Material, RejectsConstantsThatAreNoMaterial) {
  OrthotropicElastic bad = test::orthotropic();
  bad.youngs_moduli[1] = -1.0;
  EXPECT_THAT(
      [&] { check(Material(bad), "wood"); },
      testing::ThrowsMessage<base::InputError>(testing::HasSubstr("wood.youngs_moduli[1] is -1")));
  bad = test::orthotropic();
  bad.poissons_ratios[0] = 1.6;  // sqrt(E_1 / E_2) is 1.58
  EXPECT_THAT([&] { check(Material(bad), "wood"); },
              testing::ThrowsMessage<base::InputError>(
                  testing::AllOf(testing::HasSubstr("wood.poissons_ratios[0] is 1.6"),
                                 testing::HasSubstr("nu_12 smaller than sqrt(E_1 / E_2) = 1.58"))));
  bad.youngs_moduli = {1.0, 1.0, 1.0};
  bad.poissons_ratios = {0.9, 0.9, 0.9};
  EXPECT_THAT(
      [&] { check(Material(bad), "wood"); },
      testing::ThrowsMessage<base::InputError>(testing::HasSubstr("not positive definite")));
  AnisotropicElastic odd{test::orthotropic().stiffness(), 1.0};
  odd.moduli(0, 4) += 10.0;
  EXPECT_THAT([&] { check(Material(odd), "quartz"); },
              testing::ThrowsMessage<base::InputError>(
                  testing::HasSubstr("quartz.stiffness is not symmetric")));
  odd.moduli(4, 0) += 10.0;
  EXPECT_NO_THROW(check(Material(odd), "quartz"));
  odd.moduli(2, 2) = 0.0;
  EXPECT_THROW(check(Material(odd), "quartz"), base::InputError);
}

}  // namespace
}  // namespace solidyn::materials
