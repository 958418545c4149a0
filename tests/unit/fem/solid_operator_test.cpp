#include "solidyn/fem/solid_operator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "directed_material.h"
#include "serial_matrices.h"
#include "solid_meshes.h"

namespace solidyn::fem {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

const IsotropicElastic kMaterial{1000.0, 0.3, 2.0};

struct Case {
  std::string name;
  elements::ElementType type;
  double bulge;
  SolidFormulation formulation;
  Hex8Formulation hex8 = Hex8Formulation::standard;
  Hex20Integration hex20 = Hex20Integration::full;
  Material material = kMaterial;
};

// Hex8 variants take one that is proportional to the stiffness only.
Viscosity viscosity_for(const Case& c) {
  if (c.hex8 != Hex8Formulation::standard) return Viscosity::proportional(c.material, 0.002);
  return c.material.is_isotropic() ? Viscosity{0.7, 0.4} : Viscosity{0.7, 0.4, 0.001};
}

// Elements of both shapes and all hexahedra, with axes that are the same and that are not.
void add_materials_with_directions(std::vector<Case>& cases) {
  using elements::ElementType;
  for (const auto& [axes, material] :
       {std::pair{"Orthotropic", test::orthotropic_in_odd_axes()},
        std::pair{"AroundAnAxis", test::orthotropic_around_an_axis()}}) {
    for (const SolidFormulation formulation :
         {SolidFormulation::st_venant_kirchhoff, SolidFormulation::corotational}) {
      const std::string law =
          formulation == SolidFormulation::corotational ? "Corotational" : "StVenantKirchhoff";
      for (const auto& [name, type, bulge] : {std::tuple{"Tet10", ElementType::tet10, 0.0},
                                              {"CurvedTet10", ElementType::tet10, 0.01},
                                              {"Hex8", ElementType::hex8, 0.0},
                                              {"Wedge15", ElementType::wedge15, 0.01}})
        cases.push_back({axes + (name + law), type, bulge, formulation, Hex8Formulation::standard,
                         Hex20Integration::full, material});
    }
    for (const auto& [name, hex8] : {std::pair{"BBarHex8", Hex8Formulation::b_bar},
                                     {"IncompatibleHex8", Hex8Formulation::incompatible_modes}})
      cases.push_back({axes + std::string(name), ElementType::hex8, 0.0,
                       SolidFormulation::corotational, hex8, Hex20Integration::full, material});
  }
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const std::pair<const char*, SolidFormulation> formulations[] = {
      {"StVenantKirchhoff", SolidFormulation::st_venant_kirchhoff},
      {"NeoHookean", SolidFormulation::neo_hookean},
      {"Corotational", SolidFormulation::corotational}};
  const std::tuple<const char*, elements::ElementType, double> types[] = {
      {"Tet4", elements::ElementType::tet4, 0.0},
      {"Tet10", elements::ElementType::tet10, 0.0},
      {"CurvedTet10", elements::ElementType::tet10, 0.01},
      {"Hex8", elements::ElementType::hex8, 0.0},
      {"Hex20", elements::ElementType::hex20, 0.01},
      {"Wedge6", elements::ElementType::wedge6, 0.0},
      {"Wedge15", elements::ElementType::wedge15, 0.01},
      {"Pyramid5", elements::ElementType::pyramid5, 0.0},
      {"Pyramid13", elements::ElementType::pyramid13, 0.01}};
  for (const auto& [name, formulation] : formulations) {
    for (const auto& [type_name, type, bulge] : types)
      cases.push_back({std::string(type_name) + name, type, bulge, formulation});
    // Straight sides: with curved ones the rule of 2 x 2 x 2 points does not pass the patch test.
    cases.push_back({std::string("ReducedHex20") + name, elements::ElementType::hex20, 0.0,
                     formulation, Hex8Formulation::standard, Hex20Integration::reduced});
  }
  for (const auto& [name, hex8] : {std::pair{"BBarHex8", Hex8Formulation::b_bar},
                                   {"IncompatibleHex8", Hex8Formulation::incompatible_modes}})
    cases.push_back({name, elements::ElementType::hex8, 0.0, SolidFormulation::corotational, hex8});
  add_materials_with_directions(cases);
  return cases;
}

VectorXd flat(const Matrix3Xd& v) { return Eigen::Map<const VectorXd>(v.data(), v.size()); }

VectorXd multiply(Mat A, const Matrix3Xd& v) {
  base::Vec x, y;
  SOLIDYN_PETSC(MatCreateVecs(A, x.out(), y.out()));
  PetscScalar* values = nullptr;
  SOLIDYN_PETSC(VecGetArray(x, &values));
  std::copy_n(v.data(), v.size(), values);
  SOLIDYN_PETSC(VecRestoreArray(x, &values));
  SOLIDYN_PETSC(MatMult(A, x, y));
  const PetscScalar* product = nullptr;
  SOLIDYN_PETSC(VecGetArrayRead(y, &product));
  const VectorXd out = Eigen::Map<const VectorXd>(product, v.size());
  SOLIDYN_PETSC(VecRestoreArrayRead(y, &product));
  return out;
}

// A tangent that is kept multiplies as one that is not.
void expect_kept_product(const SolidOperator& body, const Matrix3Xd& x,
                         const TangentCoefficients& coefficients, const Matrix3Xd& v,
                         const Matrix3Xd& product) {
  for (const auto precision : {ProductPrecision::double_, ProductPrecision::single_}) {
    const bool is_single = precision == ProductPrecision::single_;
    Matrix3Xd y(3, product.cols());
    body.keep_tangent(x, coefficients, precision)->multiply(v, y);
    EXPECT_LT((y - product).norm(), (is_single ? 3e-6 : 1e-13) * product.norm());
  }
}

class SolidKernel : public testing::TestWithParam<Case> {
 protected:
  Matrix3Xd force(const Matrix3Xd& x) const {
    Matrix3Xd f(3, mesh_.n_owned);
    operator_.compute_force(x, f);
    return f;
  }
  Matrix3Xd force(const Matrix3Xd& x, const Matrix3Xd& v) const {
    Matrix3Xd f(3, mesh_.n_owned);
    operator_.compute_force(x, v, f);
    return f;
  }
  Matrix3Xd apply(const Matrix3Xd& x, double stiffness, double damping, const Matrix3Xd& v) const {
    Matrix3Xd y(3, mesh_.n_owned);
    TangentCoefficients coefficients;
    coefficients.stiffness = stiffness;
    coefficients.damping = damping;
    operator_.apply_tangent(x, coefficients, v, y);
    return y;
  }
  bool is_total_lagrangian() const {
    return GetParam().formulation != SolidFormulation::corotational;
  }
  bool is_interior(std::int32_t node) const {
    for (const auto& [name, set] : mesh_.sets)
      if (set.dimension == 2 && std::binary_search(set.nodes.begin(), set.nodes.end(), node))
        return false;
    return true;
  }

  mesh::DistributedMesh mesh_ =
      mesh::distribute(PETSC_COMM_SELF, test::irregular_box(GetParam().type, GetParam().bulge));
  ElasticBody body_ =
      assemble(mesh_, Section{GetParam().material, GetParam().hex8, GetParam().hex20});
  SolidOptions options_{GetParam().formulation, GetParam().material, viscosity_for(GetParam()),
                        GetParam().hex8, GetParam().hex20};
  SolidOperator operator_{mesh_, body_, options_};
  Matrix3Xd x_ = test::strained_positions(mesh_);
  Matrix3Xd v_ = test::random_field(mesh_, 1.0, 2), w_ = test::random_field(mesh_, 1.0, 3);
};
INSTANTIATE_TEST_SUITE_P(Cases, SolidKernel, testing::ValuesIn(all_cases()),
                         [](const auto& info) { return info.param.name; });

// Central differences: 1e-5 of the 0.1 m of an element leaves a relative error of 1e-10 or so, and
// round-off of 1e-16 / 1e-5.
constexpr double kStep = 1e-6;

TEST_P(SolidKernel, ForceIsTheGradientOfTheEnergy) {
  const double difference =
      (operator_.compute_energy(x_ + kStep * v_) - operator_.compute_energy(x_ - kStep * v_)) /
      (2.0 * kStep);
  const Matrix3Xd f = force(x_);
  EXPECT_NEAR(flat(f).dot(flat(v_)), difference, 1e-8 * f.norm() * v_.norm());
  EXPECT_GT(f.norm(), 1.0);
}

TEST_P(SolidKernel, TangentIsTheDerivativeOfTheForce) {
  const Matrix3Xd difference = (force(x_ + kStep * v_) - force(x_ - kStep * v_)) / (2.0 * kStep);
  EXPECT_LT((apply(x_, 1.0, 0.0, v_) - difference).norm(), 1e-8 * difference.norm());
}

TEST_P(SolidKernel, DampingIsTheDerivativeOfTheForceByVelocity) {
  EXPECT_LT((force(x_, v_) - force(x_) - apply(x_, 0.0, 1.0, v_)).norm(),
            1e-12 * force(x_, v_).norm());
  EXPECT_GT(flat(v_).dot(flat(apply(x_, 0.0, 1.0, v_))), 0.0);
}

TEST_P(SolidKernel, TangentAndDampingAreSymmetric) {
  for (const auto& [stiffness, damping] : {std::pair{1.0, 0.0}, {0.0, 1.0}}) {
    const Matrix3Xd y = apply(x_, stiffness, damping, v_);
    EXPECT_NEAR(flat(w_).dot(flat(y)), flat(v_).dot(flat(apply(x_, stiffness, damping, w_))),
                1e-13 * y.norm() * w_.norm());
  }
}

TEST_P(SolidKernel, EveryMatrixFormatHoldsTheTangent) {
  TangentCoefficients c;
  c.mass = 1e4;
  c.damping = 30.0;
  c.stiffness = 0.7;
  const Matrix3Xd elastic = apply(x_, c.stiffness, c.damping, v_);
  body_.stiffness = {};  // is not needed
  for (const MassKind kind : {MassKind::lumped, MassKind::consistent}) {
    c.mass_kind = kind;
    const VectorXd expected =
        flat(elastic) + c.mass * (test::make_sparse_mass(body_, kind) * flat(v_));
    for (const char* type : {MATSBAIJ, MATBAIJ, MATAIJ}) {
      const base::Mat A = operator_.make_matrix(type);
      for (int again = 0; again < 2; ++again) {  // the second call overwrites the first
        operator_.assemble_tangent(x_, c, A);
        EXPECT_LT((multiply(A, v_) - expected).norm(), 1e-13 * expected.norm()) << type;
      }
    }
  }
}

TEST_P(SolidKernel, UndeformedTangentIsTheLinearStiffness) {
  const VectorXd linear = test::make_sparse_stiffness(body_) * flat(v_);
  EXPECT_LT((flat(apply(mesh_.x, 1.0, 0.0, v_)) - linear).norm(), 1e-13 * linear.norm());
}

TEST_P(SolidKernel, RigidMotionGivesNoForce) {
  const Matrix3Xd moved = (test::large_rotation() * mesh_.x).colwise() + Vector3d(3.0, -1.0, 2.0);
  // A strain of 1e-14 is what round-off in these positions makes of an element's 0.1 m.
  const double scale = apply(mesh_.x, 1.0, 0.0, mesh_.x.array().sin().matrix()).norm();
  EXPECT_LT(force(moved).norm(), 1e-13 * scale);
}

TEST_P(SolidKernel, ForceTurnsWithTheBody) {
  const Matrix3d Q = test::large_rotation();
  const Matrix3Xd f = force(x_);
  EXPECT_LT((force((Q * x_).colwise() + Vector3d(1.0, 2.0, 3.0)) - Q * f).norm(), 1e-11 * f.norm());
}

TEST_P(SolidKernel, ForceHasNeitherResultantNorMoment) {
  for (const Matrix3Xd& f : {force(x_), apply(x_, 0.0, 1.0, v_)}) {
    Vector3d moment = Vector3d::Zero();
    for (Eigen::Index i = 0; i < x_.cols(); ++i)
      moment += Vector3d(x_.col(i)).cross(Vector3d(f.col(i)));
    EXPECT_LT(f.rowwise().sum().norm(), 1e-13 * f.norm());
    EXPECT_LT(moment.norm(), 1e-12 * f.norm() * x_.colwise().norm().maxCoeff());
  }
}

TEST_P(SolidKernel, RigidVelocityGivesNoViscousForceInAnyState) {
  Matrix3Xd rigid(3, mesh_.n_local());
  for (Eigen::Index i = 0; i < rigid.cols(); ++i)
    rigid.col(i) = Vector3d(0.4, 1.0, -2.0) + Vector3d(3.0, -1.0, 2.0).cross(Vector3d(x_.col(i)));
  const double scale = apply(x_, 0.0, 1.0, v_).norm() / v_.norm();
  EXPECT_LT(apply(x_, 0.0, 1.0, rigid).norm(), 1e-12 * scale * rigid.norm());
}

Matrix3d hooke_stress(const Material& material, const Matrix3d& strain) {
  const Elasticity elasticity(material, Vector3d::Zero());
  const Eigen::Matrix<double, 6, 1> s = elasticity.stress(materials::strain_vector(strain));
  Matrix3d sigma;
  sigma << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  return sigma;
}

Matrix3d exact_stress_with_directions(const Material& material, SolidFormulation formulation,
                                      const Matrix3d& F) {
  const Matrix3d I = Matrix3d::Identity();
  if (formulation == SolidFormulation::st_venant_kirchhoff)
    return F * hooke_stress(material, 0.5 * (F.transpose() * F - I)) * F.transpose() /
           F.determinant();
  const Eigen::JacobiSVD<Matrix3d> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Matrix3d R = svd.matrixU() * svd.matrixV().transpose();
  const Matrix3d U = R.transpose() * F;
  return R * hooke_stress(material, 0.5 * (U + U.transpose()) - I) * R.transpose();
}

// The stress of each law under one deformation gradient, by the textbook.
Matrix3d exact_stress(const Material& material, SolidFormulation formulation, const Matrix3d& F) {
  if (!material.is_isotropic()) return exact_stress_with_directions(material, formulation, F);
  const double lambda = kMaterial.lame_lambda(), mu = kMaterial.shear_modulus();
  const Matrix3d I = Matrix3d::Identity();
  const double J = F.determinant();
  switch (formulation) {
    case SolidFormulation::st_venant_kirchhoff: {
      const Matrix3d E = 0.5 * (F.transpose() * F - I);
      return F * (lambda * E.trace() * I + 2.0 * mu * E) * F.transpose() / J;
    }
    case SolidFormulation::neo_hookean:
      return (mu * (F * F.transpose() - I) + lambda * std::log(J) * I) / J;
    case SolidFormulation::corotational: {
      const Eigen::JacobiSVD<Matrix3d> svd(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
      const Matrix3d R = svd.matrixU() * svd.matrixV().transpose();
      const Matrix3d strain = 0.5 * (F * R.transpose() + R * F.transpose()) - I;
      return lambda * strain.trace() * I + 2.0 * mu * strain;
    }
  }
  return {};
}

TEST_P(SolidKernel, AffineDeformationPassesThePatchTest) {
  if (!GetParam().material.is_uniform()) GTEST_SKIP() << "the stress is not uniform";
  Matrix3d F;
  F << 1.1, 0.2, -0.1, 0.05, 0.9, 0.15, 0.1, -0.05, 1.2;
  F = test::large_rotation() * F;
  const Matrix3Xd x = F * mesh_.x;
  const Matrix3d sigma = exact_stress(GetParam().material, GetParam().formulation, F);
  Eigen::Matrix<double, 6, 1> expected;
  expected << sigma.diagonal(), sigma(0, 1), sigma(1, 2), sigma(2, 0);
  const PointStress points = operator_.compute_point_stress(x);
  EXPECT_LT((points.sigma.colwise() - expected).cwiseAbs().maxCoeff(), 1e-11 * sigma.norm());
  Eigen::Matrix<double, 6, Eigen::Dynamic> nodal(6, mesh_.n_owned);
  operator_.compute_nodal_stress(x, nodal);
  EXPECT_LT((nodal.colwise() - expected).cwiseAbs().maxCoeff(), 1e-11 * sigma.norm());
  const Matrix3Xd f = force(x);
  int n_interior = 0;
  for (std::int32_t i = 0; i < mesh_.n_owned; ++i)
    if (is_interior(i)) {
      ++n_interior;
      EXPECT_LT(f.col(i).norm(), 1e-12 * f.norm());
    }
  EXPECT_GT(n_interior, 0);
}

TEST_P(SolidKernel, InvertedElementIsNamed) {
  Matrix3Xd x = mesh_.x;
  const std::int32_t* nodes = mesh_.solids[0].connectivity.data();
  const Vector3d center = x.col(nodes[0]);
  for (int a = 0; a < elements::n_nodes(GetParam().type); ++a)  // a reflection turns it inside out
    x.col(nodes[a]) = 2.0 * center - x.col(nodes[a]);
  const SmallestVolumeRatio worst = operator_.find_smallest_volume_ratio(x);
  EXPECT_LT(worst.det_F, 0.0);
  EXPECT_EQ(worst.type, GetParam().type);
  const std::string pattern =
      std::string(elements::name(GetParam().type)) + " element [0-9]+ is inverted: det F = -";
  EXPECT_THAT([&] { force(x); },
              testing::ThrowsMessage<base::ComputationError>(testing::ContainsRegex(pattern)));
  const base::Mat A = operator_.make_matrix(MATSBAIJ);
  EXPECT_THROW(operator_.assemble_tangent(x, {}, A), base::ComputationError);
  EXPECT_THROW(operator_.compute_energy(x), base::ComputationError);
}

// ---- Thermal strain: the same body with temperatures at its nodes that are not alike.
TEST_P(SolidKernel, TangentThatIsKeptMultipliesAlike) {
  const TangentCoefficients coefficients{0.0, 0.3, 2.0};
  expect_kept_product(operator_, x_, coefficients, v_, apply(x_, 2.0, 0.3, v_));
}

class WarmSolidKernel : public SolidKernel {
 protected:
  static SolidOptions warm(SolidOptions options, const mesh::DistributedMesh& mesh) {
    options.material.expansion << 1e-3, 2e-3, -5e-4, 4e-4, 0.0, -3e-4;
    if (options.material.is_isotropic()) options.material.set_expansion(1e-3);
    options.temperature =
        (30.0 + 40.0 * mesh.x.row(0).array() - 90.0 * mesh.x.row(1).array()).matrix().transpose();
    return options;
  }
  Matrix3Xd warm_force(const Matrix3Xd& x) const {
    Matrix3Xd f(3, mesh_.n_owned);
    warm_.compute_force(x, f);
    return f;
  }
  SolidOperator warm_{mesh_, body_, warm(options_, mesh_)};
};
INSTANTIATE_TEST_SUITE_P(Cases, WarmSolidKernel, testing::ValuesIn(all_cases()),
                         [](const auto& info) { return info.param.name; });

TEST_P(WarmSolidKernel, ForceIsTheGradientOfTheEnergyAndTheTangentItsDerivative) {
  const Matrix3Xd f = warm_force(x_);
  const double slope =
      (warm_.compute_energy(x_ + kStep * v_) - warm_.compute_energy(x_ - kStep * v_)) /
      (2.0 * kStep);
  EXPECT_NEAR(flat(f).dot(flat(v_)), slope, 1e-8 * f.norm() * v_.norm());
  EXPECT_GT((f - force(x_)).norm(), 0.1 * f.norm());
  const Matrix3Xd change =
      (warm_force(x_ + kStep * v_) - warm_force(x_ - kStep * v_)) / (2.0 * kStep);
  Matrix3Xd y(3, mesh_.n_owned);
  warm_.apply_tangent(x_, {}, v_, y);
  expect_kept_product(warm_, x_, {}, v_, y);
  EXPECT_LT((y - change).norm(), 1e-8 * change.norm());
  const base::Mat A = warm_.make_matrix(MATBAIJ);
  warm_.assemble_tangent(x_, {}, A);
  EXPECT_LT((multiply(A, v_) - flat(y)).norm(), 1e-13 * y.norm());
}

TEST_P(WarmSolidKernel, ForceTurnsWithTheBodyAndHasNeitherResultantNorMoment) {
  const Matrix3d Q = test::large_rotation();
  const Matrix3Xd f = warm_force(x_);
  EXPECT_LT((warm_force(Q * x_) - Q * f).norm(), 1e-11 * f.norm());
  Vector3d moment = Vector3d::Zero();
  for (Eigen::Index i = 0; i < x_.cols(); ++i)
    moment += Vector3d(x_.col(i)).cross(Vector3d(f.col(i)));
  EXPECT_LT(f.rowwise().sum().norm(), 1e-12 * f.norm());
  EXPECT_LT(moment.norm(), 1e-12 * f.norm() * x_.colwise().norm().maxCoeff());
}

// The body grows as its material does, and turns: neither force nor stress nor energy.
TEST_P(WarmSolidKernel, FreeExpansionIsStressFree) {
  if (!GetParam().material.is_uniform()) GTEST_SKIP() << "it does not grow evenly";
  SolidOptions options = warm(options_, mesh_);
  options.temperature.setConstant(120.0);
  const SolidOperator even(mesh_, body_, options);
  const Matrix3d grown =
      Matrix3d::Identity() + 120.0 * options.material.expansion_at(Vector3d::Zero());
  const Matrix3Xd x = test::large_rotation() * grown * mesh_.x;
  Matrix3Xd f(3, mesh_.n_owned), held(3, mesh_.n_owned);
  even.compute_force(x, f);
  even.compute_force(mesh_.x, held);
  EXPECT_LT(f.norm(), 1e-12 * held.norm());
  EXPECT_NEAR(even.compute_energy(x), 0.0, 1e-12 * even.compute_energy(mesh_.x));
  EXPECT_GT(even.compute_energy(mesh_.x), 0.0);
  EXPECT_LT(even.compute_point_stress(x).sigma.norm(),
            1e-11 * even.compute_point_stress(mesh_.x).sigma.norm());
}

void keep_elements(std::int64_t first, std::int64_t n, mesh::ElementBlock& block) {
  const int n_nodes = elements::n_nodes(block.type);
  block.connectivity = {block.connectivity.begin() + first * n_nodes,
                        block.connectivity.begin() + (first + n) * n_nodes};
  block.tags = {block.tags.begin() + first, block.tags.begin() + first + n};
}

// Forces and energies of any number of elements, hence of any number of lanes left over, are the
// sums over elements taken alone.
TEST_P(SolidKernel, LanesLeftOverAddNothing) {
  const auto evaluate = [&](std::int64_t first, std::int64_t n) {
    mesh::DistributedMesh mesh = mesh_;
    keep_elements(first, n, mesh.solids[0]);
    const SolidOperator part(mesh, body_, options_);
    Matrix3Xd f(3, mesh.n_owned);
    part.compute_force(x_, v_, f);
    return std::pair{f, part.compute_energy(x_)};
  };
  Matrix3Xd sum = Matrix3Xd::Zero(3, mesh_.n_owned);
  double energy = 0.0;
  for (std::int64_t n = 1; n <= 17; ++n) {
    const auto [f_one, energy_one] = evaluate(n - 1, 1);
    sum += f_one;
    energy += energy_one;
    const auto [f, energy_all] = evaluate(0, n);
    EXPECT_LT((f - sum).norm(), 1e-13 * sum.norm()) << n;
    EXPECT_NEAR(energy_all, energy, 1e-13 * energy) << n;
  }
}

TEST(SolidOperator, RejectsAMaterialOutOfRange) {
  const mesh::DistributedMesh mesh =
      mesh::distribute(PETSC_COMM_SELF, test::irregular_box(elements::ElementType::tet4));
  const ElasticBody body = assemble(mesh, kMaterial);
  EXPECT_THROW(SolidOperator(mesh, body, {SolidFormulation::corotational, {1.0, 0.7, 1.0}, {}, {}}),
               base::InputError);
}

TEST(SolidOperator, RefusesHexahedraThatItCannotMake) {
  const mesh::DistributedMesh mesh =
      mesh::distribute(PETSC_COMM_SELF, test::irregular_box(elements::ElementType::hex8));
  const ElasticBody body = assemble(mesh, kMaterial);
  SolidOptions options{SolidFormulation::neo_hookean, kMaterial, {}, Hex8Formulation::b_bar};
  EXPECT_THAT([&] { SolidOperator(mesh, body, options); },
              testing::ThrowsMessage<base::InputError>(
                  testing::HasSubstr("have no total Lagrangian form")));
  options.formulation = SolidFormulation::corotational;
  options.viscosity = Viscosity::kelvin_voigt(1.0);
  EXPECT_THAT([&] { SolidOperator(mesh, body, options); },
              testing::ThrowsMessage<base::InputError>(
                  testing::HasSubstr("not proportional to their stiffness")));
}

TEST(SolidOperator, VonMisesOfUniaxialAndShearStress) {
  Eigen::Matrix<double, 6, 1> uniaxial, shear;
  uniaxial << 0.0, -3.0, 0.0, 0.0, 0.0, 0.0;
  shear << 5.0, 5.0, 5.0, 0.0, 2.0, 0.0;  // the pressure does not count
  EXPECT_NEAR(von_mises(uniaxial), 3.0, 1e-15);
  EXPECT_NEAR(von_mises(shear), 2.0 * std::sqrt(3.0), 1e-14);
}

TEST(Viscosity, ProportionalAndKelvinVoigtGiveTheirStress) {
  const Viscosity proportional = Viscosity::proportional(kMaterial, 0.01);
  EXPECT_DOUBLE_EQ(proportional.lame_lambda, 0.01 * kMaterial.lame_lambda());
  EXPECT_DOUBLE_EQ(proportional.shear, 0.01 * kMaterial.shear_modulus());
  EXPECT_DOUBLE_EQ(2.0 * Viscosity::kelvin_voigt(3.0).shear, 3.0);
  EXPECT_EQ(Viscosity::kelvin_voigt(3.0).lame_lambda, 0.0);
}

}  // namespace
}  // namespace solidyn::fem
