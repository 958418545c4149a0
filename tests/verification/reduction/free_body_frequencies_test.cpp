#include <gtest/gtest.h>

#include <cmath>

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

// Pure-shear modes u = cos(kx) sin(ky), v = -sin(kx) cos(ky) leave all six faces free: f =
// c_s/(sqrt(2) a).
constexpr double kCubeSide = 0.1;
const fem::IsotropicElastic kCubeSteel{210e9, 0.3, 7850.0};
double lame_frequency() {
  return std::sqrt(kCubeSteel.shear_modulus() / kCubeSteel.density) / (std::sqrt(2.0) * kCubeSide);
}

double cube_error(mesh::ElementType type, int n) {
  mesh::BoxOptions cube;
  cube.type = type;
  cube.size.setConstant(kCubeSide);
  cube.nx = cube.ny = cube.nz = n;
  // The Lame family is threefold and the 9th to 11th elastic mode of the converged spectrum; coarse
  // meshes shift its neighbours, so take the nearest of enough modes.
  const std::vector<double> f = free_frequencies(mesh::make_box(cube), kCubeSteel, 16);
  return closest(f, lame_frequency()) / lame_frequency() - 1.0;
}

TEST(LameModesOfACube, FrequencyIsTheExactOne) {
  EXPECT_NEAR(lame_frequency(), 22681.572, 1e-3);
  EXPECT_NEAR(cube_error(mesh::ElementType::tet10, 5), 0.0, 1e-3);
}

}  // namespace
}  // namespace solidyn::reduction
