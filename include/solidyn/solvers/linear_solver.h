#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace solidyn::solvers {

/// Which rows and columns a dense block touches.
struct BlockIndices {
  std::vector<int> rows, cols;
};

/// A square matrix whose pattern is fixed, assembled from dense blocks and then factorised;
/// replicated on every rank. The scatter map of each block is computed once; assembly only adds
/// numbers.
class LinearSolver {
 public:
  virtual ~LinearSolver() = default;

  /// Local. Fixes the pattern as the union of the blocks and the diagonal. May be called again.
  void set_pattern(int n, const std::vector<BlockIndices>& blocks);
  int size() const { return n_; }
  std::int64_t n_nonzeros() const { return static_cast<std::int64_t>(values_.size()); }

  void set_zero() { std::fill(values_.begin(), values_.end(), 0.0); }
  /// Adds scale * dense to block `index` of set_pattern. @pre the block's shape
  void add_block(int index, const Eigen::Ref<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>& dense,
                 double scale = 1.0);
  void add_block_transposed(int index,
                            const Eigen::Ref<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>& dense,
                            double scale = 1.0);
  void add_diagonal(int i, double value) { values_[diagonal_[i]] += value; }

  /// Factorises the assembled matrix. @throws base::ComputationError when it is singular
  virtual void factor() = 0;
  /// x := A^-1 b. @pre factor()
  virtual void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) = 0;
  virtual const char* name() const = 0;

 protected:
  enum class Layout { dense, columns, rows };
  explicit LinearSolver(Layout layout) : layout_(layout) {}
  virtual void pattern_changed() = 0;
  [[noreturn]] void throw_singular() const;

  int n_ = 0;
  std::vector<int> starts_, indices_;  ///< compressed columns or rows; empty when dense
  std::vector<double> values_;

 private:
  int position(int row, int col) const;
  Layout layout_;
  std::vector<std::vector<int>> scatter_;  // per block, column-major
  std::vector<int> diagonal_;
};

enum class Preset { automatic, small, direct };

/// The solver that doc/solvers.md's measurements recommend: dense LU up to kDenseUpTo unknowns, then
/// KLU with refactorisation; with Preset::direct PETSc's KSP on MUMPS, whose options all have the
/// prefix -system_.
std::unique_ptr<LinearSolver> make_linear_solver(Preset preset, int n_unknowns);
constexpr int kDenseUpTo = 40;

}  // namespace solidyn::solvers
