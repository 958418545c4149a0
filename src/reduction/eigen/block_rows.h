#pragma once
#include <cstdint>
#include <vector>

#include "solidyn/base/petsc.h"

namespace solidyn::reduction {

using StarForest = base::Handle<::PetscSF, PetscSFDestroy>;

/// A sparse matrix of 3 x 3 blocks in single precision, for products with several vectors at once:
/// it is read once for all of them, and their components, which lie side by side, fill the
/// registers. All calls are collective. Proved by
/// CornersOnRanks.ProductsOfSeveralVectorsAreThoseOfTheMatrix
class BlockRows {
 public:
  /// Vectors that go through a product together.
  static constexpr int kWidths[] = {4, 8, 16};
  static constexpr int kWidest = 16;

  /// Copies A. @param A  assembled, AIJ or BAIJ, of sizes that three divides on each rank
  explicit BlockRows(::Mat A);
  BlockRows(const BlockRows&) = delete;
  BlockRows& operator=(const BlockRows&) = delete;

  /// In blocks of three: rows and columns of this rank, and columns of others that it reads.
  std::int32_t n_rows() const { return static_cast<std::int32_t>(starts_.size()) - 1; }
  std::int32_t n_columns() const { return n_columns_; }
  std::int32_t n_ghosts() const { return n_ghosts_; }
  std::size_t bytes() const;

  /// y = A x of `width` vectors, one of kWidths.
  /// @param[in,out] x  [width x 3 x (n_columns + n_ghosts)], the ghosts are filled here
  /// @param[out] y     [width x 3 x n_rows]
  void multiply(int width, float* x, float* y) const;
  /// y += A x
  void add_product(int width, float* x, float* y) const;
  /// r = b - A x; r may be b
  void subtract_product(int width, float* x, const float* b, float* r) const;

 private:
  template <int W, class Write>
  void visit_rows(const float* x, const Write& write) const;
  template <class Write>
  void visit_rows(int width, float* x, const Write& write) const;
  void fetch_ghosts(int width, float* x) const;
  void number_ghosts(const std::vector<std::int64_t>& global, ::Mat A);

  std::vector<std::int64_t> starts_;   // [n_rows + 1]
  std::vector<std::int32_t> columns_;  // local blocks: own ones, then ghosts
  std::vector<float> values_;          // nine per block, by rows
  std::int32_t n_columns_ = 0, n_ghosts_ = 0;
  StarForest owners_;  // of the ghosts; on several ranks only
};

}  // namespace solidyn::reduction
