#pragma once
#include <map>

#include "nastran_op2_writer.h"
#include "solidyn/imported/matrices.h"

namespace solidyn::testing_support {

/// Rows of g-size: six per grid in the order of their numbers; those of rotations are empty.
class GSize {
 public:
  explicit GSize(const imported::MatrixModel& model) {
    for (const imported::Dof& dof : model.dofs) nodes_[dof.node] = 0;
    int next = 0;
    for (auto& [node, place] : nodes_) place = next++;
  }
  int n_rows() const { return 6 * static_cast<int>(nodes_.size()); }
  int row(const imported::Dof& dof) const { return 6 * nodes_.at(dof.node) + dof.component - 1; }
  const std::map<std::int64_t, int>& nodes() const { return nodes_; }

 private:
  std::map<std::int64_t, int> nodes_;
};

/// A block with one string per term.
inline void write_matrix(const std::string& name, const imported::MatrixModel& model,
                         const imported::Matrix& matrix, const GSize& g, Op2Writer& op2) {
  const int n = g.n_rows();
  const Eigen::SparseMatrix<double> terms = imported::assemble(matrix);
  std::vector<std::map<int, double>> columns(n);
  for (Eigen::Index j = 0; j < terms.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator it(terms, j); it; ++it)
      columns[g.row(model.dofs[j])][g.row(model.dofs[it.row()])] = it.value();
  op2.begin_block(name, {101, n, n, 6, 2, n, 1000});
  for (const auto& column : columns) {
    std::vector<std::pair<int, Op2Words>> strings;
    for (const auto& [row, value] : column)
      if (value != 0.0) strings.push_back({row + 1, {Op2Word::real64(value)}});
    op2.column(strings);
  }
  op2.end_block();
}

/// KGG and MGG of translations, with the grids' numbers, rows and places (zeros if the model has
/// none).
inline std::string op2_of(const imported::MatrixModel& model) {
  const GSize g(model);
  Op2Writer op2(8);
  Op2Words places, numbers, rows;
  for (const auto& [node, place] : g.nodes()) {
    const auto found = model.nodes.find(node);
    const Eigen::Vector3d x = found == model.nodes.end() ? Eigen::Vector3d::Zero() : found->second;
    for (const Op2Word& word : Op2Words{0, x[0], x[1], x[2]}) places.push_back(word);
    for (const Op2Word& word : Op2Words{node, place + 1}) numbers.push_back(word);
    for (const Op2Word& word : Op2Words{node, 10 * (6 * place + 1) + 1}) rows.push_back(word);
  }
  op2.label();
  op2.begin_renamed("BGPDTS", "BGPDT", {101, static_cast<int>(g.nodes().size())});
  op2.table_record(places);
  op2.end_block();
  op2.begin_renamed("EQEXINS", "EQEXIN", {101, static_cast<int>(g.nodes().size())});
  op2.table_record(numbers);
  op2.table_record(rows);
  op2.end_block();
  write_matrix("KGG", model, model.stiffness, g, op2);
  write_matrix("MGG", model, model.mass, g, op2);
  op2.end_file();
  return op2.bytes();
}

}  // namespace solidyn::testing_support
