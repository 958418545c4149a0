#include "solidyn/solvers/block_matrix.h"

#include "solidyn/base/error.h"

namespace solidyn::solvers {

int BlockMatrix::position(int row, int col) const {
  if (layout_ == Layout::dense) return row + col * n_;
  const int major = layout_ == Layout::columns ? col : row;
  const int minor = layout_ == Layout::columns ? row : col;
  const auto begin = indices_.begin() + starts_[major], end = indices_.begin() + starts_[major + 1];
  return static_cast<int>(std::lower_bound(begin, end, minor) - indices_.begin());
}

void BlockMatrix::set_pattern(int n, const std::vector<BlockIndices>& blocks, int version) {
  n_ = n;
  pattern_version_ = version;
  if (layout_ == Layout::dense) {
    values_.assign(static_cast<std::size_t>(n) * n, 0.0);
  } else {
    std::vector<std::vector<int>> major(n);
    for (int i = 0; i < n; ++i) major[i].push_back(i);
    for (const BlockIndices& block : blocks) {
      const auto& outer = layout_ == Layout::columns ? block.cols : block.rows;
      const auto& inner = layout_ == Layout::columns ? block.rows : block.cols;
      for (int o : outer) major[o].insert(major[o].end(), inner.begin(), inner.end());
    }
    starts_.assign(1, 0);
    indices_.clear();
    for (auto& list : major) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
      indices_.insert(indices_.end(), list.begin(), list.end());
      starts_.push_back(static_cast<int>(indices_.size()));
    }
    values_.assign(indices_.size(), 0.0);
  }
  scatter_.clear();
  block_rows_.clear();
  is_left_out_.assign(n, 0);
  for (const BlockIndices& block : blocks) {
    std::vector<int> map;
    map.reserve(block.rows.size() * block.cols.size());
    for (int c : block.cols)
      for (int r : block.rows) map.push_back(position(r, c));
    scatter_.push_back(std::move(map));
    block_rows_.push_back(block.rows);
  }
  diagonal_.resize(n);
  for (int i = 0; i < n; ++i) diagonal_[i] = position(i, i);
  pattern_changed();
}

void BlockMatrix::add_block(int index,
                            const Eigen::Ref<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>& dense,
                            double scale) {
  const int* map = scatter_[index].data();
  SOLIDYN_ASSERT(static_cast<Eigen::Index>(scatter_[index].size()) == dense.size());
  for (Eigen::Index c = 0; c < dense.cols(); ++c)
    for (Eigen::Index r = 0; r < dense.rows(); ++r) values_[*map++] += scale * dense(r, c);
}

void BlockMatrix::add_block_transposed(
    int index, const Eigen::Ref<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>& dense,
    double scale) {
  const int* map = scatter_[index].data();
  SOLIDYN_ASSERT(static_cast<Eigen::Index>(scatter_[index].size()) == dense.size());
  for (Eigen::Index r = 0; r < dense.rows(); ++r)
    for (Eigen::Index c = 0; c < dense.cols(); ++c) values_[*map++] += scale * dense(r, c);
}

void BlockMatrix::add_part(int index, const std::array<int, 6>& at,
                           const Eigen::Matrix<double, 6, 6>& dense, double scale) {
  const std::vector<int>& rows = block_rows_[index];
  const std::vector<int>& map = scatter_[index];
  SOLIDYN_ASSERT(map.size() == rows.size() * rows.size());
  for (int c = 0; c < 6; ++c)
    for (int r = 0; r < 6; ++r) values_[map[at[c] * rows.size() + at[r]]] += scale * dense(r, c);
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (std::find(at.begin(), at.end(), static_cast<int>(k)) == at.end()) is_left_out_[rows[k]] = 1;
}

Eigen::VectorXd BlockMatrix::product(const Eigen::VectorXd& x) const {
  using Rows = Eigen::SparseMatrix<double, Eigen::RowMajor>;
  if (layout_ == Layout::columns) return sparse() * x;
  if (layout_ == Layout::dense)
    return Eigen::Map<const Eigen::MatrixXd>(values_.data(), n_, n_) * x;
  return Eigen::Map<const Rows>(n_, n_, n_nonzeros(), starts_.data(), indices_.data(),
                                values_.data()) *
         x;
}

Eigen::Map<const Eigen::SparseMatrix<double>> BlockMatrix::sparse() const {
  SOLIDYN_ASSERT(layout_ == Layout::columns);
  return {n_, n_, n_nonzeros(), starts_.data(), indices_.data(), values_.data()};
}

}  // namespace solidyn::solvers
