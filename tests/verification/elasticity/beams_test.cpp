#include <gtest/gtest.h>

#include "selections.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/mesh/interface.h"
#include "static_solution.h"

// B05 of the verification collection: the straight and the curved beam of MacNeal and Harder
// (1985).
namespace solidyn::fem {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using elements::ElementType;

// Mean displacement of the end face under a unit force, spread evenly over it, for a clamp at
// x_min: the interface's rows are the face's mean displacement, their transpose its consistent
// loads.
Vector3d tip_flexibility(const mesh::Mesh& whole, const IsotropicElastic& material,
                         Hex8Formulation hex8 = Hex8Formulation::incompatible_modes,
                         Hex20Integration hex20 = Hex20Integration::full) {
  const mesh::DistributedMesh mesh = mesh::distribute(PETSC_COMM_SELF, whole);
  const ElasticBody body = assemble(mesh, Section{material, hex8, hex20});
  const mesh::Interface face =
      mesh::resolve_interface(mesh, test::at_set("x_max"), body.lumped_mass);
  std::vector<bool> is_fixed(3 * mesh.n_local(), false);
  for (const std::int32_t node : mesh.sets.at("x_min").nodes)
    for (int c = 0; c < 3; ++c) is_fixed[3 * node + c] = true;
  Eigen::MatrixXd mean = Eigen::MatrixXd::Zero(3 * mesh.n_local(), 3);
  for (std::size_t i = 0; i < face.nodes.size(); ++i)
    mean.middleRows<3>(3 * face.nodes[i]) = face.weights.block<3, 3>(0, 3 * i).transpose();
  const auto K = test::make_sparse_stiffness(body);
  Vector3d flexibility;
  for (int c = 0; c < 3; ++c) {
    const VectorXd f = mean.col(c);
    flexibility[c] = f.dot(test::solve_static(K, f, is_fixed, VectorXd::Zero(f.size())));
  }
  return flexibility;
}

mesh::Mesh make_straight(ElementType type, int nx, int ny, int nz) {
  mesh::BoxOptions box;
  box.type = type;
  box.nx = nx, box.ny = ny, box.nz = nz;
  box.size = {6.0, 0.2, 0.1};
  return mesh::make_box(box);
}

mesh::Mesh make_curved(ElementType type, int n_along, int n_radial, int n_thick) {
  mesh::BoxOptions box;
  box.type = type;
  box.nx = n_along, box.ny = n_radial, box.nz = n_thick;
  box.size = {M_PI / 2.0, 0.2, 0.1};
  mesh::Mesh mesh = mesh::make_box(box);
  for (Eigen::Index k = 0; k < mesh.x.cols(); ++k) {
    const double angle = mesh.x(0, k), radius = 4.12 + mesh.x(1, k);
    mesh.x.col(k).head<2>() = radius * Eigen::Vector2d(std::sin(angle), std::cos(angle));
  }
  return mesh;
}

const IsotropicElastic kStraight{1e7, 0.3, 1.0}, kCurved{1e7, 0.25, 1.0};

struct Beam {
  ElementType type;
  int n_along, n_across, n_thick;
  double tolerance;
};

class StraightBeam : public testing::TestWithParam<Beam> {};
INSTANTIATE_TEST_SUITE_P(Elements, StraightBeam,
                         testing::Values(Beam{ElementType::hex20, 24, 2, 2, 0.01},
                                         Beam{ElementType::wedge15, 24, 2, 2, 0.01},
                                         Beam{ElementType::pyramid13, 24, 2, 2, 0.01},
                                         Beam{ElementType::hex8, 24, 2, 2, 0.01},
                                         Beam{ElementType::tet10, 24, 2, 1, 0.02}),
                         [](const auto& info) { return std::string(name(info.param.type)); });

// 27-node bricks of the same number: 2.99514e-5, 0.107596, 0.429743.
TEST_P(StraightBeam, TipMovesAsWithTriquadraticBricks) {
  const Beam& b = GetParam();
  const Vector3d tip =
      tip_flexibility(make_straight(b.type, b.n_along, b.n_across, b.n_thick), kStraight);
  const Vector3d expected(2.99514e-5, 0.107596, 0.429743);
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(tip[c], expected[c], b.tolerance * expected[c]) << c;
}

// What the choice is for: one layer of hex8, slender elements. Beam theory 0.1081 and 0.4321.
TEST(StraightBeamOfHex8, BendsWithIncompatibleModesOnly) {
  const mesh::Mesh mesh = make_straight(ElementType::hex8, 6, 1, 1);
  const Vector3d modes = tip_flexibility(mesh, kStraight, Hex8Formulation::incompatible_modes);
  const Vector3d standard = tip_flexibility(mesh, kStraight, Hex8Formulation::standard);
  EXPECT_NEAR(modes[1], 0.1081, 0.05 * 0.1081);
  EXPECT_NEAR(modes[2], 0.4321, 0.05 * 0.4321);
  EXPECT_LT(standard[1], 0.2 * 0.1081);  // locked: published 9 % and 2.5 % of theory
  EXPECT_LT(standard[2], 0.1 * 0.4321);
}

// Six elements whose inner section planes lean by 45 degrees in the plane of width and length.
enum class Lean { none, alike, in_turn };

mesh::Mesh make_distorted(ElementType type, Lean lean) {
  mesh::Mesh mesh = make_straight(type, 6, 1, 1);
  for (Eigen::Index k = 0; k < mesh.x.cols(); ++k) {
    const double at = mesh.x(0, k), lever = mesh.x(1, k) - 0.1;
    const auto shift = [&](int plane) {
      if (plane == 0 || plane == 6 || lean == Lean::none) return 0.0;
      return lean == Lean::in_turn && plane % 2 ? -lever : lever;
    };
    // Nodes halfway between two planes move by the mean of these.
    mesh.x(0, k) += 0.5 * (shift(static_cast<int>(std::floor(at + 1e-9))) +
                           shift(static_cast<int>(std::ceil(at - 1e-9))));
  }
  return mesh;
}

// Normalised by beam theory, in plane and out of plane, as MacNeal and Harder (1985) are quoted for
// their fully integrated HEX20 and their HEX8 with bubble functions, which are incompatible modes
// (their printed table was not at hand). The known weakness of both is the trapezoid: the 5 % that
// the collection hopes for from quadratic elements hold for bricks and, in plane, parallelograms.
struct Quoted {
  ElementType type;
  Lean lean;
  double in_plane, out_of_plane;
};
class SixElementBeam : public testing::TestWithParam<Quoted> {};
INSTANTIATE_TEST_SUITE_P(MacNealHarder, SixElementBeam,
                         testing::Values(Quoted{ElementType::hex20, Lean::none, 0.970, 0.961},
                                         Quoted{ElementType::hex20, Lean::alike, 0.967, 0.941},
                                         Quoted{ElementType::hex20, Lean::in_turn, 0.886, 0.920},
                                         Quoted{ElementType::hex8, Lean::none, 0.978, 0.973},
                                         Quoted{ElementType::hex8, Lean::alike, 0.624, 0.529},
                                         Quoted{ElementType::hex8, Lean::in_turn, 0.047, 0.030}));

// With reduced integration trapezoids, too, are within the collection's 5 %.
TEST(SixElementBeamOfHex20, ReducedIntegrationIsWithinFivePercentForEveryShape) {
  for (const Lean lean : {Lean::none, Lean::alike, Lean::in_turn}) {
    const Vector3d tip = tip_flexibility(make_distorted(ElementType::hex20, lean), kStraight,
                                         Hex8Formulation::standard, Hex20Integration::reduced);
    EXPECT_NEAR(tip[0], 3.0e-5, 0.02 * 3.0e-5);
    EXPECT_NEAR(tip[1] / 0.1081, 1.0, 0.05) << static_cast<int>(lean);
    EXPECT_NEAR(tip[2] / 0.4321, 1.0, 0.05) << static_cast<int>(lean);
  }
}

TEST_P(SixElementBeam, TipMovesAsQuoted) {
  const Quoted& p = GetParam();
  const Vector3d tip = tip_flexibility(make_distorted(p.type, p.lean), kStraight);
  EXPECT_NEAR(tip[0], 3.0e-5, 0.02 * 3.0e-5);
  EXPECT_NEAR(tip[1] / 0.1081, p.in_plane, 0.004);
  EXPECT_NEAR(tip[2] / 0.4321, p.out_of_plane, 0.004);
}

class CurvedBeam : public testing::TestWithParam<Beam> {};
INSTANTIATE_TEST_SUITE_P(Elements, CurvedBeam,
                         testing::Values(Beam{ElementType::hex20, 24, 2, 2, 0.01},
                                         Beam{ElementType::wedge15, 24, 2, 2, 0.01},
                                         Beam{ElementType::tet10, 24, 2, 2, 0.02}),
                         [](const auto& info) { return std::string(name(info.param.type)); });

// 27-node bricks: radial 0.088343, out of plane 0.494153. The free end's radius is along x.
TEST_P(CurvedBeam, TipMovesAsWithTriquadraticBricks) {
  const Beam& b = GetParam();
  const Vector3d tip =
      tip_flexibility(make_curved(b.type, b.n_along, b.n_across, b.n_thick), kCurved);
  EXPECT_NEAR(tip[0], 0.088343, b.tolerance * 0.088343);
  EXPECT_NEAR(tip[2], 0.494153, b.tolerance * 0.494153);
}

}  // namespace
}  // namespace solidyn::fem
