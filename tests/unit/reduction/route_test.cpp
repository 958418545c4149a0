#include <gtest/gtest.h>

#include "selections.h"
#include "solidyn/base/memory.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/reduction/reduce.h"

// The two routes are different algorithms: a factor with a block Krylov space, and multigrid with
// LOBPCG and conjugate gradients.
namespace solidyn::reduction {
namespace {

using Eigen::MatrixXd;

const fem::IsotropicElastic kSteel{2.1e11, 0.3, 7850.0};

mesh::DistributedMesh make_block() {
  mesh::BoxOptions box;
  box.size = {0.2, 0.15, 0.1};
  box.nx = 6;
  box.ny = 5;
  box.nz = 3;
  box.perturbation = 0.1;
  return mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box));
}

ReductionOptions make_options() {
  ReductionOptions options;
  options.free_free = 10;
  options.static_correction = StaticCorrection::at_interfaces;
  options.interfaces = {test::at_set("x_min"), test::at_set("x_max"), test::at_set("z_min")};
  return options;
}

ReducedBody reduce_on(const char* route, const ReductionOptions& options) {
  SOLIDYN_PETSC(PetscOptionsSetValue(nullptr, "-modes_route", route));
  ReducedBody body = reduce(make_block(), kSteel, options);
  SOLIDYN_PETSC(PetscOptionsClearValue(nullptr, "-modes_route"));
  return body;
}

// W K^-1 W^T: frames' answers to loads on the frames.
MatrixXd compliance(const ReducedBody& body) {
  MatrixXd W(6 * body.interfaces.size(), body.n_modes());
  for (std::size_t i = 0; i < body.interfaces.size(); ++i)
    W.middleRows<6>(6 * i) << body.interfaces[i].Psi_t, body.interfaces[i].Psi_r;
  return W * body.K.diagonal().cwiseInverse().asDiagonal() * W.transpose();
}

// Frequencies of eigenmodes are right to the square of LOBPCG's tolerance (1e-6); those of the
// other vectors, which are no eigenvectors, only to its first power.
void expect_same(const ReducedBody& a, const ReducedBody& b) {
  ASSERT_EQ(a.n_modes(), b.n_modes());
  for (int i = 0; i < a.n_modes(); ++i) {
    const bool is_exact = b.modes[i].kind == Mode::Kind::free_free;
    EXPECT_EQ(a.modes[i].kind, b.modes[i].kind) << i;
    EXPECT_NEAR(a.modes[i].frequency, b.modes[i].frequency,
                (is_exact ? 1e-9 : 1e-6) * b.modes[i].frequency)
        << i;
  }
}

TEST(IterativeRoute, GivesTheFrequenciesAndInterfaceComplianceOfTheDirectOne) {
  const ReducedBody iterative = reduce_on("iterative", make_options());
  const ReducedBody direct = reduce_on("direct", make_options());
  expect_same(iterative, direct);
  const MatrixXd a = compliance(iterative), b = compliance(direct);
  for (int i = 0; i < b.rows(); ++i)
    for (int j = 0; j < b.cols(); ++j)
      EXPECT_NEAR(a(i, j), b(i, j), 1e-8 * std::sqrt(b(i, i) * b(j, j)));
}

TEST(IterativeRoute, GivesTheBasisOfCraigAndBampton) {
  ReductionOptions options = make_options();
  options.free_free = 0;
  options.static_correction = StaticCorrection::none;
  options.constraint_modes = ConstraintModesAt::interfaces;
  options.fixed_interface = 8;
  expect_same(reduce_on("iterative", options), reduce_on("direct", options));
}

TEST(IterativeRoute, RefusesToCountModes) {
  ReductionOptions options = make_options();
  options.free_free_up_to = 1000.0;
  SOLIDYN_PETSC(PetscOptionsSetValue(nullptr, "-modes_route", "iterative"));
  EXPECT_THROW(reduce(make_block(), kSteel, options), base::InputError);
  SOLIDYN_PETSC(PetscOptionsClearValue(nullptr, "-modes_route"));
}

TEST(AvailableMemory, IsSomeOfTheMachines) {
  EXPECT_GT(base::available_memory(PETSC_COMM_SELF), 1e7);
  EXPECT_LT(base::available_memory(PETSC_COMM_SELF), 1e14);
}

}  // namespace
}  // namespace solidyn::reduction
