#include <gtest/gtest.h>

#include <cmath>

#include "serial_matrices.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/reduction/reduce.h"

// B07 of the verification collection: free bodies with exactly or accurately known frequencies.
namespace solidyn::reduction {
namespace {

std::vector<double> free_frequencies(const mesh::Mesh& mesh, const fem::IsotropicElastic& material,
                                     int n, fem::MassKind mass = fem::MassKind::consistent) {
  ReductionOptions options;
  options.free_free = n;
  options.mass = mass;
  const ReducedBody body = reduce(mesh::distribute(PETSC_COMM_SELF, mesh), material, options);
  std::vector<double> f;
  for (const Mode& mode : body.modes) f.push_back(mode.frequency);
  return f;
}

double closest(const std::vector<double>& f, double wanted) {
  return *std::min_element(f.begin(), f.end(), [&](double a, double b) {
    return std::abs(a - wanted) < std::abs(b - wanted);
  });
}

// The connecting rod of a slider-crank, 0.3 m x 6 mm.
const fem::IsotropicElastic kRodSteel{2.0e11, 0.3, 7870.0};
// Timoshenko beam with the shear factor 6(1+nu)/(7+6nu): roots of its exact determinant, Hz.
constexpr double kRodBending[] = {298.8563, 822.1881, 1607.1876, 2646.6728};
constexpr double kRodTorsion = 5210.6237;  // c_s/(2L), exact in three dimensions

TEST(CircularRod, FrequenciesAgreeWithTimoshenkoAndTorsionTheory) {
  mesh::RodOptions rod;
  rod.n_axial = 50;  // 6161 nodes
  const std::vector<double> f = free_frequencies(mesh::make_rod(rod), kRodSteel, 12);
  for (int pair = 0; pair < 4; ++pair) {
    EXPECT_NEAR(f[2 * pair], kRodBending[pair], 5e-3 * kRodBending[pair]);
    EXPECT_NEAR(f[2 * pair + 1], f[2 * pair], 1e-3 * f[2 * pair]);
  }
  EXPECT_NEAR(closest(f, kRodTorsion), kRodTorsion, 5e-3 * kRodTorsion);
}

TEST(CircularRod, LumpedMassKeepsTheFirstSixBendingModesWithinOnePerCent) {
  mesh::RodOptions rod;
  rod.n_axial = 50;
  const std::vector<double> f =
      free_frequencies(mesh::make_rod(rod), kRodSteel, 6, fem::MassKind::lumped);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(f[i], kRodBending[i / 2], 1e-2 * kRodBending[i / 2]);
}

TEST(RectangularBar, FrequenciesAgreeWithTimoshenkoTheory) {
  mesh::BoxOptions bar;
  bar.size = {0.2, 0.02, 0.01};
  bar.nx = 40;
  bar.ny = 4;
  bar.nz = 2;
  const std::vector<double> f = free_frequencies(mesh::make_box(bar), {210e9, 0.3, 7850.0}, 12);
  // Timoshenko beam with the shear factor 10(1+nu)/(12+11nu): weak axis, then strong axis, Hz.
  for (const double exact : {1317.30, 3572.87, 6847.65, 11004.24, 2568.14, 6684.46, 12201.84})
    EXPECT_NEAR(closest(f, exact), exact, 5e-3 * exact);
}

// Pure-shear modes u = cos(kx) sin(ky), v = -sin(kx) cos(ky), k = pi/a leave all faces of a square
// plate of side a free: f = c_s/(sqrt(2) a), whatever its thickness. In this one, unlike the cube,
// no other frequency is near.
constexpr double kPlateSide = 0.1;
const fem::IsotropicElastic kPlateSteel{210e9, 0.3, 7850.0};

double lame_frequency() {
  return std::sqrt(kPlateSteel.shear_modulus() / kPlateSteel.density) /
         (std::sqrt(2.0) * kPlateSide);
}

// Relative error of the frequency of the mode most like the exact one, on n x n x n/2 cells.
double lame_error(elements::ElementType type, int n) {
  mesh::BoxOptions plate;
  plate.type = type;
  plate.size = {kPlateSide, kPlateSide, 0.4 * kPlateSide};
  plate.nx = plate.ny = n;
  plate.nz = n / 2;
  ReductionOptions options;
  options.free_free = 14;
  const ReducedBody body =
      reduce(mesh::distribute(PETSC_COMM_SELF, mesh::make_box(plate)), kPlateSteel, options);
  const fem::ElasticBody full = fem::assemble(body.mesh, kPlateSteel);
  Eigen::VectorXd exact(3 * body.mesh.n_local());
  const double k = M_PI / kPlateSide;
  for (std::int32_t i = 0; i < body.mesh.n_local(); ++i) {
    const Eigen::Vector3d x = body.mesh.x.col(i);
    exact.segment<3>(3 * i) << std::cos(k * x[0]) * std::sin(k * x[1]),
        -std::sin(k * x[0]) * std::cos(k * x[1]), 0.0;
  }
  const auto M = test::make_sparse_mass(full, fem::MassKind::consistent);
  const Eigen::VectorXd share =
      (body.X.transpose() * (M * exact)).cwiseAbs2() / exact.dot(M * exact);
  Eigen::Index mode = 0;
  EXPECT_GT(share.maxCoeff(&mode), 0.8);
  return body.modes[mode].frequency / lame_frequency() - 1.0;
}

TEST(LameMode, ReferenceIsThatOfTheVerificationCollection) {
  EXPECT_NEAR(lame_frequency(), 22681.572, 1e-3);
}

// Eigenvalues converge twice as fast as the energy norm, at order 2p, from above: the elements are
// conforming and the mass is consistent. Measured for tet10 on 4, 6, 8, 12, 16 cells:
// orders 3.43, 3.64, 3.77, 3.86.
double observed_order(elements::ElementType type, int n_coarse, int n_fine) {
  const double coarse = lame_error(type, n_coarse), fine = lame_error(type, n_fine);
  EXPECT_GT(fine, 0.0);
  return std::log(coarse / fine) / std::log(static_cast<double>(n_fine) / n_coarse);
}

TEST(LameMode, Tet4FrequencyConvergesAtOrderTwo) {
  EXPECT_NEAR(observed_order(elements::ElementType::tet4, 16, 24), 2.0, 0.3);
}

TEST(LameMode, Tet10FrequencyConvergesAtOrderFour) {
  EXPECT_NEAR(observed_order(elements::ElementType::tet10, 8, 12), 4.0, 0.3);
}

TEST(LameMode, Tet10FrequencyIsExactToATenthOfAPerMille) {
  EXPECT_NEAR(lame_error(elements::ElementType::tet10, 12), 0.0, 1e-4);
}

}  // namespace
}  // namespace solidyn::reduction
