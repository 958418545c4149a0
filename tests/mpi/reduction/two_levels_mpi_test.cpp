// Multigrid of a mesh and its corners in the coordinates of a reduction, rigid regions and supports
// among them.
#include <gtest/gtest.h>

#include <cmath>

#include "reduction/basis/free_body.h"
#include "reduction/eigen/conjugate_gradients.h"
#include "reduction/eigen/two_levels.h"
#include "selections.h"
#include "solidyn/base/mpi.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::reduction {
namespace {

const fem::IsotropicElastic kSteelOfCorners{2.1e11, 0.3, 7850.0};

/// A bar of irregular elements between two rigid faces, or one that slides on a skew plane.
class CornersOnRanks : public testing::TestWithParam<bool> {
 protected:
  CornersOnRanks() {
    mesh::BoxOptions box;
    box.size = {0.2, 0.06, 0.05};
    box.nx = 8;
    box.ny = 3;
    box.nz = 3;
    box.perturbation = 0.15;
    mesh_ = mesh::distribute(
        PETSC_COMM_WORLD, base::rank(PETSC_COMM_WORLD) == 0 ? mesh::make_box(box) : mesh::Mesh{});
    ReductionOptions options;
    if (GetParam()) {
      for (const char* set : {"x_min", "x_max"})
        options.interfaces.push_back(test::at_set(set, mesh::Attachment::rbe2));
    } else {
      SupportDefinition plane;
      plane.name = "plane";
      plane.nodes = mesh::NodesInSet{"x_min"};
      plane.directions = Eigen::Vector3d(0.6, 0.8, 0.0);
      options.supports = {plane};
    }
    SOLIDYN_PETSC(PetscOptionsSetValue(nullptr, "-modes_route", "iterative"));
    body_ = std::make_unique<FreeBody>(make_free_body(mesh_, kSteelOfCorners, options));
    SOLIDYN_PETSC(PetscOptionsClearValue(nullptr, "-modes_route"));
  }

  Pencil& pencil() { return body_->pencil; }

  // Forces that depend on the row and the column only.
  MultiVector make_forces(int n) {
    PetscInt first = 0;
    SOLIDYN_PETSC(MatGetOwnershipRange(pencil().K, &first, nullptr));
    MultiVector f(pencil().rigid.rows(), n);
    for (Eigen::Index i = 0; i < f.rows(); ++i)
      for (int j = 0; j < n; ++j) {
        const double row = static_cast<double>(first + i);
        f(i, j) = std::sin(1.0 + 1.7 * row * (j + 1) + j) * std::pow(10.0, 30.0 * j / n);
      }
    pencil().balance(f);
    return f;
  }

  MultiVector rigid_of_corners() {
    MultiVector rigid(3 * pencil().corner_blocks.size(), 6);
    for (std::size_t k = 0; k < pencil().corner_blocks.size(); ++k)
      rigid.middleRows<3>(3 * static_cast<Eigen::Index>(k)) =
          pencil().rigid.middleRows<3>(3 * pencil().corner_blocks[k]);
    return rigid;
  }

  mesh::DistributedMesh mesh_;
  std::unique_ptr<FreeBody> body_;
};

INSTANTIATE_TEST_SUITE_P(Coordinates, CornersOnRanks, testing::Bool(), [](const auto& info) {
  return info.param ? "OfRigidFaces" : "OfASkewPlane";
});

TEST_P(CornersOnRanks, InterpolateRigidMotionsExactly) {
  ASSERT_TRUE(pencil().interpolation);
  const MultiVector fields = multiply(pencil().interpolation, rigid_of_corners());
  const double size = column_norms(PETSC_COMM_WORLD, pencil().rigid).maxCoeff();
  EXPECT_LT(column_norms(PETSC_COMM_WORLD, fields - pencil().rigid).maxCoeff(), 1e-12 * size);
  PetscInt n_rows = 0, n_columns = 0;
  SOLIDYN_PETSC(MatGetSize(pencil().interpolation, &n_rows, &n_columns));
  EXPECT_LT(4 * n_columns, n_rows);
}

TEST_P(CornersOnRanks, ProductsOfSeveralVectorsAreThoseOfTheMatrix) {
  const BlockRows rows(pencil().shifted);
  for (const int width : BlockRows::kWidths) {
    MultiVector X = make_forces(3);
    const Eigen::VectorXd sizes = column_norms(PETSC_COMM_WORLD, X);
    X *= sizes.cwiseInverse().asDiagonal();
    const MultiVector Y = multiply(pencil().shifted, X);
    std::vector<float> x(std::size_t{3} * width * (rows.n_columns() + rows.n_ghosts()), 0.0F),
        y(std::size_t{3} * width * rows.n_rows()), r(y.size());
    for (Eigen::Index i = 0; i < X.rows(); ++i)
      for (Eigen::Index j = 0; j < 3; ++j) x[width * i + j] = static_cast<float>(X(i, j));
    rows.multiply(width, x.data(), y.data());
    rows.subtract_product(width, x.data(), y.data(), r.data());
    MultiVector found(Y.rows(), 3);
    double left = 0.0;
    for (Eigen::Index i = 0; i < Y.rows(); ++i)
      for (Eigen::Index j = 0; j < 3; ++j) {
        found(i, j) = y[width * i + j];
        left = std::max(left, std::abs(static_cast<double>(r[width * i + j])));
      }
    EXPECT_LT(column_norms(PETSC_COMM_WORLD, found - Y).maxCoeff(),
              1e-6 * column_norms(PETSC_COMM_WORLD, Y).maxCoeff())
        << width;
    EXPECT_EQ(left, 0.0) << width;
  }
}

// Thirty powers of ten between columns, which single precision alone does not have.
TEST_P(CornersOnRanks, CycleIsSymmetricAndPositive) {
  const TwoLevels cycle(pencil().shifted, pencil().interpolation, rigid_of_corners());
  const MultiVector f = make_forces(11), u = cycle.apply(f);
  const Eigen::MatrixXd G = inner_products(PETSC_COMM_WORLD, f, u);
  for (int i = 0; i < 11; ++i)
    for (int j = 0; j < 11; ++j)
      EXPECT_NEAR(G(i, j), G(j, i), 1e-5 * std::sqrt(G(i, i) * G(j, j))) << i << ' ' << j;
  EXPECT_GT(G.diagonal().minCoeff(), 0.0);
}

TEST_P(CornersOnRanks, MakeConjugateGradientsConvergeTwiceAsFast) {
  const Multigrid other(pencil().shifted, pencil().rigid);
  const TwoLevels cycle(pencil().shifted, pencil().interpolation, rigid_of_corners());
  const MultiVector f = make_forces(5);
  const auto count = [&](const BlockPreconditioner& preconditioner) {
    SymmetricSystem system;
    system.comm = PETSC_COMM_WORLD;
    system.multiply = [&](const MultiVector& X) { return multiply(pencil().shifted, X); };
    system.precondition = [&](const MultiVector& R) { return preconditioner.apply(R); };
    const auto result =
        solve_by_conjugate_gradients(system, f, MultiVector::Zero(f.rows(), f.cols()), 1e-8, 100);
    EXPECT_TRUE(result.has_converged);
    return result.n_iterations;
  };
  const int n = count(cycle), n_other = count(other);
  EXPECT_LE(n, 20);
  EXPECT_LT(2 * n, n_other);
}

}  // namespace
}  // namespace solidyn::reduction
