// The linear solvers behind the integrators: dense LU, KLU and PETSc's KSP give the same answers.
#include "solidyn/solvers/linear_solver.h"

#include <gmock/gmock.h>

#include "random_numbers.h"
#include "scoped_petsc_options.h"
#include "solidyn/base/error.h"

namespace solidyn::solvers {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::StrEq;

// A saddle-point matrix as systems have them: overlapping body blocks, then rows whose diagonal is
// zero and which couple two bodies each.
struct Saddle {
  int n_bodies, size;
  std::vector<BlockIndices> blocks;
  std::vector<MatrixXd> values;

  explicit Saddle(int bodies) : n_bodies(bodies), size(6 * bodies + 2 * bodies) {
    std::mt19937 g(3);
    for (int b = 0; b < n_bodies; ++b) {
      const std::vector<int> own = range(6 * b, 6);
      MatrixXd A(6, 6);
      for (int i = 0; i < 6; ++i) A.col(i) = testing_support::random_vector(g, 6);
      add({own, own}, A * A.transpose() + MatrixXd::Identity(6, 6));
      std::vector<int> columns = own;
      if (b > 0)
        for (int i : range(6 * (b - 1), 6)) columns.push_back(i);
      const int n_c = static_cast<int>(columns.size());
      MatrixXd G(2, n_c);
      for (int i = 0; i < n_c; ++i) G.col(i) = testing_support::random_vector(g, 2);
      const std::vector<int> rows = range(6 * n_bodies + 2 * b, 2);
      add({rows, columns}, G);
      add({columns, rows}, G.transpose());
    }
  }
  static std::vector<int> range(int first, int n) {
    std::vector<int> indices(n);
    for (int i = 0; i < n; ++i) indices[i] = first + i;
    return indices;
  }
  void add(const BlockIndices& where, const MatrixXd& what) {
    blocks.push_back(where);
    values.push_back(what);
  }
  MatrixXd dense() const {
    MatrixXd A = MatrixXd::Zero(size, size);
    for (std::size_t k = 0; k < blocks.size(); ++k)
      for (std::size_t i = 0; i < blocks[k].rows.size(); ++i)
        for (std::size_t j = 0; j < blocks[k].cols.size(); ++j)
          A(blocks[k].rows[i], blocks[k].cols[j]) += values[k](i, j);
    return A;
  }
  void assemble(LinearSolver& solver, double scale = 1.0) const {
    solver.set_zero();
    for (std::size_t k = 0; k < blocks.size(); ++k)
      solver.add_block(static_cast<int>(k), values[k], scale);
  }
};

struct Choice {
  Preset preset;
  int n_bodies;
  const char* name;
};

class EverySolver : public testing::TestWithParam<Choice> {
 protected:
  EverySolver()
      : saddle_(GetParam().n_bodies), solver_(make_linear_solver(GetParam().preset, saddle_.size)) {
    solver_->set_pattern(saddle_.size, saddle_.blocks);
  }
  VectorXd solve(const VectorXd& b) {
    VectorXd x;
    solver_->factor();
    solver_->solve(b, x);
    return x;
  }
  Saddle saddle_;
  std::unique_ptr<LinearSolver> solver_;
};
INSTANTIATE_TEST_SUITE_P(Presets, EverySolver,
                         testing::Values(Choice{Preset::small, 4, "dense LU"},
                                         Choice{Preset::automatic, 12, "KLU"},
                                         Choice{Preset::direct, 4, "PETSc KSP"},
                                         Choice{Preset::direct, 12, "PETSc KSP"}));

TEST_P(EverySolver, SolvesASaddlePointSystem) {
  EXPECT_THAT(solver_->name(), StrEq(GetParam().name));
  std::mt19937 g(8);
  const VectorXd exact = testing_support::random_vector(g, saddle_.size);
  saddle_.assemble(*solver_);
  EXPECT_LT((solve(saddle_.dense() * exact) - exact).norm(), 1e-11 * exact.norm());
}

TEST_P(EverySolver, FollowsNewValuesInTheSamePattern) {
  std::mt19937 g(9);
  const VectorXd b = testing_support::random_vector(g, saddle_.size);
  saddle_.assemble(*solver_);
  const VectorXd x = solve(b);
  saddle_.assemble(*solver_, 4.0);
  EXPECT_LT((4.0 * solve(b) - x).norm(), 1e-11 * x.norm());
}

// Of each body's block the diagonal first; then, one body after the other, all of it.
TEST_P(EverySolver, FollowsEntriesThatComeToLife) {
  std::mt19937 g(11);
  const VectorXd exact = testing_support::random_vector(g, saddle_.size);
  const std::vector<MatrixXd> full = saddle_.values;
  for (MatrixXd& block : saddle_.values)
    if (block.rows() == block.cols()) block = MatrixXd(block.diagonal().asDiagonal());
  for (std::size_t k = 0; k < full.size(); ++k) {
    saddle_.assemble(*solver_);
    EXPECT_LT((solve(saddle_.dense() * exact) - exact).norm(), 1e-10 * exact.norm()) << k;
    saddle_.values[k] = full[k];
  }
}

TEST_P(EverySolver, AddsTransposedBlocksAndDiagonals) {
  solver_->set_zero();
  for (std::size_t k = 0; k < saddle_.blocks.size(); ++k)
    solver_->add_block_transposed(static_cast<int>(k), saddle_.values[k].transpose());
  for (int i = 0; i < saddle_.size; ++i) solver_->add_diagonal(i, 0.5);
  std::mt19937 g(10);
  const VectorXd exact = testing_support::random_vector(g, saddle_.size);
  const MatrixXd A = saddle_.dense() + 0.5 * MatrixXd::Identity(saddle_.size, saddle_.size);
  EXPECT_LT((solve(A * exact) - exact).norm(), 1e-11 * exact.norm());
}

// A row of zeros, as a body without mass and joints gives.
TEST_P(EverySolver, ThrowsOnASingularMatrixAndRecovers) {
  Saddle broken = saddle_;
  for (std::size_t k = 0; k < broken.blocks.size(); ++k)
    for (std::size_t i = 0; i < broken.blocks[k].rows.size(); ++i)
      if (broken.blocks[k].rows[i] == 2) broken.values[k].row(i).setZero();
  ASSERT_EQ(broken.dense().row(2).norm(), 0.0);
  broken.assemble(*solver_);
  const VectorXd b = VectorXd::Ones(saddle_.size);
  EXPECT_THROW(solve(b), base::ComputationError);
  saddle_.assemble(*solver_);
  EXPECT_LT((saddle_.dense() * solve(b) - b).norm(), 1e-10 * b.norm());
}

// KLU keeps the pivots of the first factorisation. When the values that they were chosen for
// vanish, keeping them would cost all digits.
TEST(Klu, ChoosesNewPivotsWhenTheOldOnesGoBad) {
  const int n = 60;
  std::vector<BlockIndices> blocks;
  for (int i = 0; i < n; i += 2) blocks.push_back({{i, i + 1}, {i, i + 1}});
  blocks.push_back({Saddle::range(0, n), {0}});
  blocks.push_back({{0}, Saddle::range(0, n)});
  const auto solver = make_linear_solver(Preset::small, n);
  ASSERT_THAT(solver->name(), StrEq("KLU"));
  solver->set_pattern(n, blocks);
  for (const double pivot : {10.0, 1e-15, 0.0, 10.0}) {
    Eigen::Matrix2d two;
    two << pivot, 1.0, 1.0, 0.5 * pivot;
    MatrixXd A = MatrixXd::Zero(n, n);
    solver->set_zero();
    for (int k = 0; k < n / 2; ++k) {
      solver->add_block(k, two);
      A.block<2, 2>(2 * k, 2 * k) += two;
    }
    const MatrixXd column = MatrixXd::Constant(n, 1, 0.1), row = column.transpose();
    solver->add_block(n / 2, column);
    solver->add_block(n / 2 + 1, row);
    A.col(0) += column;
    A.row(0) += row;
    std::mt19937 g(4);
    const VectorXd exact = testing_support::random_vector(g, n);
    VectorXd x;
    solver->factor();
    solver->solve(A * exact, x);
    EXPECT_LT((x - exact).norm(), 1e-11 * exact.norm()) << "pivot " << pivot;
  }
}

// Unknowns of even and of odd numbers have no entries with each other.
class InTwoSets : public testing::Test {
 protected:
  static constexpr int kSize = 60, kBlocks = 9;
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  InTwoSets() {
    for (int k = 0; k < kBlocks; ++k) {
      const std::vector<int> at = Saddle::range(6 * k, 12);
      blocks_.push_back({at, at});
    }
    solver_->set_pattern(kSize, blocks_);
    EXPECT_TRUE(solver_->factor_as_needed());
  }
  static MatrixXd block(int k) {
    std::mt19937 g(k);
    MatrixXd A = 8.0 * MatrixXd::Identity(12, 12);
    for (int i = 0; i < 12; ++i) A.col(i) += testing_support::random_vector(g, 12);
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j)
        if ((i + j) % 2 == 1) A(i, j) = 0.0;
    return A;
  }
  static MatrixXd whole() {
    MatrixXd A = MatrixXd::Zero(kSize, kSize);
    for (int k = 0; k < kBlocks; ++k) A.block<12, 12>(6 * k, 6 * k) += block(k);
    return A;
  }
  void assemble_all() {
    solver_->set_zero();
    for (int k = 0; k < kBlocks; ++k) solver_->add_block(k, block(k));
    solver_->factor();
  }
  void assemble_even() {
    solver_->set_zero();
    for (int k = 0; k < kBlocks; ++k) {
      const MatrixXd A = block(k);
      Matrix6 part;
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) part(i, j) = A(2 * i, 2 * j);
      solver_->add_part(k, {0, 2, 4, 6, 8, 10}, part, 1.0);
    }
    solver_->factor();
  }
  static VectorXd even() {
    std::mt19937 g(5);
    VectorXd b = testing_support::random_vector(g, kSize);
    for (int i = 1; i < kSize; i += 2) b[i] = 0.0;
    return b;
  }
  void expect_solution(const VectorXd& b) {
    VectorXd x;
    solver_->solve(b, x);
    EXPECT_LT((whole() * x - b).norm(), 1e-12 * b.norm());
    EXPECT_LT((solver_->solve_columns(b) - x).norm(), 1e-14 * x.norm());
  }
  std::vector<BlockIndices> blocks_;
  std::unique_ptr<LinearSolver> solver_ = make_linear_solver(Preset::automatic, kSize);
};

TEST_F(InTwoSets, FactorsAreOfWhatIsAskedFor) {
  assemble_all();
  EXPECT_EQ(solver_->factor_size().entries, 0.0);
  expect_solution(even());
  const double of_one = solver_->factor_size().entries;
  expect_solution(VectorXd::Ones(kSize));
  EXPECT_NEAR(solver_->factor_size().entries, 2.0 * of_one, 0.2 * of_one);
  assemble_all();
  expect_solution(even());
  EXPECT_FALSE(solver_->lacks(VectorXd::Ones(kSize)));
}

TEST_F(InTwoSets, LacksWhatIsLeftOut) {
  assemble_all();
  assemble_even();
  EXPECT_TRUE(solver_->leaves_out());
  EXPECT_FALSE(solver_->lacks(even()));
  expect_solution(even());
  EXPECT_TRUE(solver_->lacks(VectorXd::Unit(kSize, 7)));
  assemble_all();
  EXPECT_FALSE(solver_->leaves_out());
  expect_solution(VectorXd::Unit(kSize, 7));
  assemble_even();  // the others have been asked for
  EXPECT_TRUE(solver_->lacks(even()));
}

// On one rank a block is the whole matrix, and its factor a solution; more of them are not.
TEST(BlocksOfTheMechanism, SolveWhereOneOfThemIsAll) {
  const Saddle saddle(4);
  const auto solver_with = [&](std::vector<std::string> options) {
    options.push_back("-system_pc_type bjacobi");
    const test::ScopedPetscOptions given(options);
    auto solver = make_linear_solver(Preset::direct, saddle.size);
    solver->set_pattern(saddle.size, saddle.blocks);
    saddle.assemble(*solver);
    solver->factor();
    return solver;
  };
  const std::vector<std::string> lu = {"-system_sub_pc_type lu",
                                       "-system_sub_pc_factor_mat_solver_type mumps"};
  const VectorXd exact = VectorXd::LinSpaced(saddle.size, -1.0, 2.0);
  VectorXd x;
  solver_with(lu)->solve(saddle.dense() * exact, x);
  EXPECT_LT((x - exact).norm(), 1e-11 * exact.norm());
  EXPECT_THROW(solver_with({}), base::InputError);
  EXPECT_THROW(solver_with({lu[0], lu[1], "-system_pc_bjacobi_blocks 2"}), base::InputError);
}

}  // namespace
}  // namespace solidyn::solvers
