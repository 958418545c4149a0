// What the solver of a body knows of the signs of its matrix' eigenvalues, however it solves.
#include <gmock/gmock.h>

#include "bodies/body_solver.h"
#include "scoped_petsc_options.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"

namespace solidyn::bodies {
namespace {

const MPI_Comm kComm = MPI_COMM_WORLD;
constexpr PetscInt kBlocks = 60;

/// Two springs in a row for each of the three components, less a stiffness against the ground:
/// eigenvalues 4 sin^2(k pi / (2 (n + 1))) - shift, three times each.
base::Mat chain_less(double shift) {
  base::Mat A;
  const auto mine = static_cast<PetscInt>(kBlocks / base::size(kComm));  // of 1, 2, 4 ranks
  SOLIDYN_PETSC(MatCreateAIJ(kComm, 3 * mine, 3 * mine, PETSC_DETERMINE, PETSC_DETERMINE, 9,
                             nullptr, 6, nullptr, A.out()));
  SOLIDYN_PETSC(MatSetBlockSize(A, 3));
  PetscInt first = 0, last = 0;
  SOLIDYN_PETSC(MatGetOwnershipRange(A, &first, &last));
  const auto set = [&](PetscInt i, PetscInt j, double value) {
    if (j >= 0 && j < 3 * kBlocks) SOLIDYN_PETSC(MatSetValue(A, i, j, value, INSERT_VALUES));
  };
  for (PetscInt i = first; i < last; ++i) {
    set(i, i, 2.0 - shift);
    set(i, i - 3, -1.0);
    set(i, i + 3, -1.0);
  }
  SOLIDYN_PETSC(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  SOLIDYN_PETSC(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
  return A;
}

BodySolver::Negatives negatives_of(double shift, const std::vector<std::string>& options) {
  const test::ScopedPetscOptions given(options);
  BodySolver solver(kComm, "chain", [](double) { return 1e5; });
  const base::Mat A = chain_less(shift);
  const Eigen::Matrix3Xd x =
      Eigen::Matrix3Xd::Random(3, kBlocks / base::size(kComm));  // of which there is no motion here
  solver.set_matrix(A, "the chain", x, 1e9, nullptr, Definiteness::any);
  return solver.count_negatives();
}

// A factor that nobody has asked for has no size: METIS' orderings take time.
TEST(SizeOfTheFactor, IsPredictedWhereItDecidesAndNotBefore) {
  base::set_log_level(base::LogLevel::off);
  int n_predicted = 0;
  const FactorBytes predict = [&](double) { return ++n_predicted, 1e5; };
  const BodySolver chooses(kComm, "chain", predict);
  EXPECT_EQ(n_predicted, 1);
  const test::ScopedPetscOptions given({"-body_ksp_type cg", "-body_pc_type jacobi"});
  BodySolver iterates(kComm, "chain", predict);
  EXPECT_EQ(n_predicted, 1);
  EXPECT_TRUE(iterates.may_replace_iterations(predict));
  EXPECT_TRUE(iterates.may_replace_iterations(predict));
  EXPECT_EQ(n_predicted, 2);
  EXPECT_FALSE(
      BodySolver(kComm, "chain", predict).may_replace_iterations([](double) { return 1e30; }));
  base::set_log_level(base::LogLevel::info);
}

// 4 sin^2(pi / 122) = 0.00265, the next 0.0106.
TEST(NegativeEigenvalues, AreFoundHoweverTheBodyIsSolved) {
  base::set_log_level(base::LogLevel::off);
  for (const double shift : {0.0, 0.0026, 0.0027, 0.0110}) {
    const int expected = shift < 0.00265 ? 0 : shift < 0.0106 ? 3 : 6;
    SCOPED_TRACE(shift);
    const BodySolver::Negatives by_factor = negatives_of(shift, {});
    EXPECT_EQ(by_factor.at_least, expected);
    EXPECT_TRUE(by_factor.is_exact);
    // pipecg does not look at the sign of p.A p itself.
    for (const std::string method : {"cg", "pipecg"}) {
      const BodySolver::Negatives found =
          negatives_of(shift, {"-body_ksp_type " + method, "-body_pc_type jacobi"});
      EXPECT_EQ(found.at_least, expected > 0 ? 1 : 0) << method;
      EXPECT_EQ(found.is_exact, expected == 0) << method;
    }
  }
  base::set_log_level(base::LogLevel::info);
}

}  // namespace
}  // namespace solidyn::bodies
