#pragma once
#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace solidyn::solvers {

/// Which rows and columns a dense block touches.
struct BlockIndices {
  std::vector<int> rows, cols;
};

/// A square matrix whose pattern is fixed, assembled from dense blocks; replicated on every rank.
/// The scatter map of each block is computed once; assembly only adds numbers.
class BlockMatrix {
 public:
  enum class Layout { dense, columns, rows };
  explicit BlockMatrix(Layout layout = Layout::columns) : layout_(layout) {}
  virtual ~BlockMatrix() = default;

  /// Local. Fixes the pattern as the union of the blocks and the diagonal. May be called again.
  /// @param version what pattern_version() is from then on, for whom the blocks change
  void set_pattern(int n, const std::vector<BlockIndices>& blocks, int version = 0);
  int pattern_version() const { return pattern_version_; }
  int size() const { return n_; }
  std::int64_t n_nonzeros() const { return static_cast<std::int64_t>(values_.size()); }

  void set_zero() {
    std::fill(values_.begin(), values_.end(), 0.0);
    std::fill(is_left_out_.begin(), is_left_out_.end(), char{0});
  }
  /// Adds scale * dense to block `index` of set_pattern. @pre the block's shape
  void add_block(int index, const Eigen::Ref<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>& dense,
                 double scale = 1.0);
  void add_block_transposed(int index,
                            const Eigen::Ref<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>& dense,
                            double scale = 1.0);
  /// Whether whoever assembles may leave out unknowns that others have no entries with.
  void let_leave_out(bool may) { may_leave_out_ = may; }
  bool may_leave_out() const { return may_leave_out_; }
  /// Adds scale * dense at these places of a square block. Its other unknowns are left out from now
  /// on, until set_zero(): what is solved for must not need them (LinearSolver::lacks()).
  void add_part(int index, const std::array<int, 6>& at, const Eigen::Matrix<double, 6, 6>& dense,
                double scale);
  bool leaves_out() const {
    return std::find(is_left_out_.begin(), is_left_out_.end(), char{1}) != is_left_out_.end();
  }
  void add_diagonal(int i, double value) { values_[diagonal_[i]] += value; }

  /// The matrix times x.
  Eigen::VectorXd product(const Eigen::VectorXd& x) const;

  /// What has been assembled. @pre Layout::columns
  Eigen::Map<const Eigen::SparseMatrix<double>> sparse() const;

 protected:
  virtual void pattern_changed() {}

  int n_ = 0;
  std::vector<int> starts_, indices_;  ///< compressed columns or rows; empty when dense
  std::vector<double> values_;

 private:
  int position(int row, int col) const;
  Layout layout_;
  int pattern_version_ = 0;
  std::vector<std::vector<int>> scatter_;  // per block, column-major
  std::vector<int> diagonal_;
  std::vector<std::vector<int>> block_rows_;
  bool may_leave_out_ = false;

 protected:
  std::vector<char> is_left_out_;  ///< of each unknown
};

}  // namespace solidyn::solvers
