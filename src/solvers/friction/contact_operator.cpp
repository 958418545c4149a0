#include "solidyn/solvers/friction/contact_operator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "solidyn/base/error.h"
#include "solvers/friction/block_product.h"
#include "solvers/friction/contact_products.h"

namespace solidyn::solvers::friction {
namespace {

void refuse_shape(Eigen::Index rows, Eigen::Index cols) {
  if (rows == cols && rows % 3 == 0) return;
  throw base::InputError(
      fmt::format("the operator W of a friction-contact problem is {} x {}", rows, cols),
      "it needs three rows and three columns for each contact");
}

void refuse_block(int n, const ContactBlock& block) {
  if (block.row < 0 || block.col < 0 || block.row >= n || block.col >= n)
    throw base::InputError(
        fmt::format("the operator W of {} contacts has a block for contacts {} and {}", n,
                    block.row + 1, block.col + 1),
        "contacts count from 0 to n - 1");
  if (!block.value.allFinite())
    throw base::InputError(
        fmt::format(
            "the operator W has an entry that is no finite number, between contacts {} and {}",
            block.row + 1, block.col + 1),
        "look for bodies without mass, and for a step that has diverged before");
}

}  // namespace

ContactBlocks::ContactBlocks(int n_contacts, const std::vector<ContactBlock>& blocks) {
  for (const ContactBlock& block : blocks) refuse_block(n_contacts, block);
  // Row by row, the diagonal first.
  std::vector<int> first(n_contacts + 1, 0), order(blocks.size());
  for (const ContactBlock& block : blocks) ++first[block.row + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<int> next = first;
  for (std::size_t k = 0; k < blocks.size(); ++k)
    order[next[blocks[k].row]++] = static_cast<int>(k);
  starts_.assign(1, 0);
  columns_.reserve(blocks.size() + n_contacts);
  values_.reserve(9 * (blocks.size() + n_contacts) + 1);
  for (int row = 0; row < n_contacts; ++row) {
    const auto column = [&](int k) { return blocks[k].col == row ? -1 : blocks[k].col; };
    const auto from = order.begin() + first[row], to = order.begin() + first[row + 1];
    std::stable_sort(from, to, [&](int a, int b) { return column(a) < column(b); });
    columns_.push_back(row);
    values_.insert(values_.end(), 9, 0.0);
    for (auto k = from; k != to; ++k) {
      const ContactBlock& block = blocks[*k];
      if (block.col != columns_.back()) {
        columns_.push_back(block.col);
        values_.insert(values_.end(), 9, 0.0);
      }
      Eigen::Map<Eigen::Matrix3d>(values_.data() + values_.size() - 9) += block.value;
    }
    starts_.push_back(static_cast<int>(columns_.size()));
  }
  values_.push_back(0.0);
  find_symmetry();
}

ContactBlocks ContactBlocks::from_dense(const Eigen::MatrixXd& W) {
  refuse_shape(W.rows(), W.cols());
  const int n = static_cast<int>(W.rows() / 3);
  std::vector<ContactBlock> blocks;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const Eigen::Matrix3d value = W.block<3, 3>(3 * i, 3 * j);
      if (!value.isZero(0.0)) blocks.push_back({i, j, value});
    }
  return {n, blocks};
}

ContactBlocks ContactBlocks::from_sparse(const Eigen::SparseMatrix<double>& W) {
  refuse_shape(W.rows(), W.cols());
  const int n = static_cast<int>(W.rows() / 3);
  std::vector<ContactBlock> blocks;
  std::vector<int> place(n, -1);  // of a row in the blocks of this column
  for (int col = 0; col < n; ++col) {
    const std::size_t first = blocks.size();
    for (int c = 0; c < 3; ++c)
      for (Eigen::SparseMatrix<double>::InnerIterator entry(W, 3 * col + c); entry; ++entry) {
        const int row = static_cast<int>(entry.row() / 3);
        if (place[row] < 0) {
          place[row] = static_cast<int>(blocks.size());
          blocks.push_back({row, col, Eigen::Matrix3d::Zero()});
        }
        blocks[place[row]].value(entry.row() % 3, c) += entry.value();
      }
    for (std::size_t k = first; k < blocks.size(); ++k) place[blocks[k].row] = -1;
  }
  return {n, blocks};
}

ContactBlocks ContactBlocks::scaled(double factor) const {
  ContactBlocks result = *this;
  for (double& value : result.values_) value *= factor;
  for (ContactProduct& part : result.products_) part.right *= factor;
  return result;
}

ContactBlocks ContactBlocks::plus_diagonal(const std::vector<Eigen::Vector3d>& d) const {
  ContactBlocks result = *this;
  for (int i = 0; i < n_contacts(); ++i)
    Eigen::Map<Eigen::Matrix3d>(result.values_.data() + 9 * static_cast<std::size_t>(starts_[i]))
        .diagonal() += d[i];
  result.products_.clear();
  return result;
}

ContactBlocks ContactBlocks::times(const std::vector<Eigen::Matrix3d>& T) const {
  ContactBlocks result = *this;
  for (int k = 0; k < n_blocks(); ++k)
    Eigen::Map<Eigen::Matrix3d>(result.values_.data() + 9 * static_cast<std::size_t>(k)) =
        block(k) * T[columns_[k]];
  for (ContactProduct& part : result.products_)
    for (std::size_t k = 0; k < part.contacts.size(); ++k)
      part.right.middleCols<3>(3 * static_cast<Eigen::Index>(k)) *= T[part.contacts[k]];
  result.is_symmetric_ = true;
  result.find_symmetry();
  return result;
}

ContactBlocks ContactBlocks::times(const std::vector<Eigen::Matrix3d>& T,
                                   const std::vector<ContactBlock>& beside) const {
  if (beside.empty()) return times(T);
  std::vector<const ContactBlock*> in_row(n_contacts(), nullptr);
  for (const ContactBlock& block : beside) in_row[block.row] = &block;
  std::vector<ContactBlock> blocks;
  blocks.reserve(n_blocks() + n_blocks() / 2);
  for (int row = 0; row < n_contacts(); ++row)
    for (int k = starts_[row]; k < starts_[row + 1]; ++k) {
      const int col = columns_[k];
      blocks.push_back({row, col, block(k) * T[col]});
      if (in_row[col]) blocks.push_back({row, in_row[col]->col, block(k) * in_row[col]->value});
    }
  return {n_contacts(), blocks};
}

ContactBlocks ContactBlocks::of_contacts(const std::vector<int>& contacts) const {
  std::vector<int> place(n_contacts(), -1);
  for (std::size_t k = 0; k < contacts.size(); ++k) place[contacts[k]] = static_cast<int>(k);
  std::vector<ContactBlock> blocks;
  for (const int row : contacts)
    for (int k = starts_[row]; k < starts_[row + 1]; ++k)
      if (place[columns_[k]] >= 0) blocks.push_back({place[row], place[columns_[k]], block(k)});
  return {static_cast<int>(contacts.size()), blocks};
}

Eigen::MatrixXd ContactBlocks::to_dense() const {
  const int n = n_contacts();
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  for (int i = 0; i < n; ++i)
    for (int k = starts_[i]; k < starts_[i + 1]; ++k)
      dense.block<3, 3>(3 * i, 3 * columns_[k]) = block(k);
  return dense;
}

void ContactBlocks::set_products(std::vector<ContactProduct> parts) {
  std::size_t n_entries = 0;
  for (const ContactProduct& part : parts) n_entries += part.left.size() + part.right.size();
  products_.clear();
  if (n_entries < values_.size()) products_ = std::move(parts);
}

void ContactBlocks::multiply(const Eigen::VectorXd& r, Eigen::VectorXd& u) const {
  const int n = n_contacts();
  u.resize(3 * n);
  if (!products_.empty()) return multiply_products(products_, r, u);
  for (int i = 0; i < n; ++i) {
    Lanes sum = Lanes::Zero();
    for (int k = starts_[i]; k < starts_[i + 1]; ++k)
      add_product(values(k), r.data() + 3 * columns_[k], sum);
    u.segment<3>(3 * i) = sum.head<3>();
  }
}

void ContactBlocks::find_symmetry() {
  constexpr double kRoundOff = 1e-12;
  double largest = 0.0;
  for (const double value : values_) largest = std::max(largest, std::abs(value));
  const auto find = [&](int row, int col) {
    if (row == col) return starts_[row];
    const auto from = columns_.begin() + starts_[row] + 1, to = columns_.begin() + starts_[row + 1];
    const auto found = std::lower_bound(from, to, col);
    return found != to && *found == col ? static_cast<int>(found - columns_.begin()) : -1;
  };
  for (int i = 0; i < n_contacts() && is_symmetric_; ++i)
    for (int k = starts_[i]; k < starts_[i + 1]; ++k) {
      const int other = find(columns_[k], i);
      const Eigen::Matrix3d transposed =
          other < 0 ? Eigen::Matrix3d::Zero() : Eigen::Matrix3d(block(other).transpose());
      if ((block(k) - transposed).cwiseAbs().maxCoeff() > kRoundOff * largest)
        is_symmetric_ = false;
    }
}

}  // namespace solidyn::solvers::friction
