// Assembly of dense blocks into a matrix of fixed pattern.
#include "solidyn/solvers/block_matrix.h"

#include <gtest/gtest.h>

#include <numeric>

#include "random_numbers.h"

namespace solidyn::solvers {
namespace {

using Eigen::MatrixXd;

// Random blocks, rows and columns in any order, overlapping, some empty.
struct Blocks {
  int n = 0;
  std::vector<BlockIndices> where;
  std::vector<MatrixXd> what;

  Blocks(int size, int n_blocks, unsigned seed) : n(size) {
    std::mt19937 generator(seed);
    std::vector<int> all(n);
    std::iota(all.begin(), all.end(), 0);
    const auto some = [&](int most) {
      std::shuffle(all.begin(), all.end(), generator);
      return std::vector<int>(all.begin(),
                              all.begin() + std::uniform_int_distribution<int>(0, most)(generator));
    };
    for (int k = 0; k < n_blocks; ++k) {
      where.push_back({some(5), some(7)});
      MatrixXd block(where.back().rows.size(), where.back().cols.size());
      for (Eigen::Index j = 0; j < block.cols(); ++j)
        block.col(j) = testing_support::random_vector(generator, static_cast<int>(block.rows()));
      what.push_back(block);
    }
  }
  MatrixXd dense(const std::vector<double>& scales) const {
    MatrixXd A = MatrixXd::Zero(n, n);
    for (std::size_t k = 0; k < where.size(); ++k)
      for (std::size_t i = 0; i < where[k].rows.size(); ++i)
        for (std::size_t j = 0; j < where[k].cols.size(); ++j)
          A(where[k].rows[i], where[k].cols[j]) += scales[k] * what[k](i, j);
    return A;
  }
};

TEST(BlockMatrix, IsTheSumOfItsBlocks) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Blocks blocks(15, 12, seed);
    BlockMatrix matrix;
    matrix.set_pattern(blocks.n, blocks.where);
    for (int round = 0; round < 2; ++round) {  // what was there is gone
      matrix.set_zero();
      std::vector<double> scales;
      for (std::size_t k = 0; k < blocks.where.size(); ++k) {
        scales.push_back(1.0 + 0.5 * static_cast<double>(k) - round);
        if (k % 2)
          matrix.add_block(static_cast<int>(k), blocks.what[k], scales[k]);
        else
          matrix.add_block_transposed(static_cast<int>(k), blocks.what[k].transpose(), scales[k]);
      }
      MatrixXd expected = blocks.dense(scales);
      for (int i = 0; i < blocks.n; i += 3) {
        matrix.add_diagonal(i, 10.0 + i);
        expected(i, i) += 10.0 + i;
      }
      EXPECT_LT((MatrixXd(matrix.sparse()) - expected).norm(), 1e-13 * expected.norm()) << seed;
    }
  }
}

// Entries that several blocks share are one; the diagonal is there though no block has it.
TEST(BlockMatrix, HasEachPlaceOnceAndTheWholeDiagonal) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const Blocks blocks(15, 6, seed);
    BlockMatrix matrix;
    matrix.set_pattern(blocks.n, blocks.where);
    MatrixXd places = MatrixXd::Identity(blocks.n, blocks.n);
    for (const BlockIndices& block : blocks.where)
      for (const int i : block.rows)
        for (const int j : block.cols) places(i, j) = 1.0;
    EXPECT_EQ(matrix.n_nonzeros(), static_cast<std::int64_t>(places.sum()));
    const auto sparse = matrix.sparse();
    for (int j = 0; j < blocks.n; ++j) {  // ascending, as solvers want them
      int before = -1;
      for (decltype(matrix.sparse())::InnerIterator it(sparse, j); it; ++it) {
        EXPECT_GT(it.row(), before);
        before = static_cast<int>(it.row());
      }
    }
  }
}

TEST(BlockMatrix, ForgetsWithANewPattern) {
  BlockMatrix matrix;
  matrix.set_pattern(3, {{{0, 2}, {1}}});
  matrix.add_block(0, Eigen::Vector2d(5, 7));
  matrix.set_pattern(2, {{{1}, {0}}});
  EXPECT_EQ(matrix.size(), 2);
  EXPECT_EQ(matrix.n_nonzeros(), 3);
  EXPECT_TRUE(MatrixXd(matrix.sparse()).isZero(0.0));
  matrix.add_block(0, MatrixXd::Constant(1, 1, 4.0));
  EXPECT_EQ(MatrixXd(matrix.sparse())(1, 0), 4.0);
}

}  // namespace
}  // namespace solidyn::solvers
