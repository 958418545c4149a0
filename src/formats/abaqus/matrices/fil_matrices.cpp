#include "formats/abaqus/matrices/fil_matrices.h"

#include <fmt/format.h>

#include <cmath>

namespace solidyn::formats {

using imported::Matrix;

void FilMatrices::fail(const char* at, std::string what) {
  file_.fail(at, std::move(what),
             "write it again: *SUBSTRUCTURE MATRIX OUTPUT, STIFFNESS=YES, MASS=YES");
}

void FilMatrices::add(const FilRecord& record, imported::ImportReport& report) {
  switch (record.key) {
    case 1001:
      return read_header(record);
    case 1005:
      return add_labels(record, 0);
    case 1002:
      return read_components(record, false);
    case 1003:
      return read_components(record, true);
    case 1004:
      return;  // the length of the records to come
    case 1011:
    case 1012:
    case 1021:
    case 1022:
      return add_values(record, columns_of(record.key, record).values);
    default:
      ++report.skipped[fmt::format("record {}", record.key)];
  }
}

void FilMatrices::read_header(const FilRecord& record) {
  if (has_header_)
    fail(record.at, "the file contains matrices of more than one element or superelement");
  has_header_ = true;
  at_ = record.at;
  if (record.size() < 3) fail(record.at, "the header of a superelement is too short");
  n_nodes_ = record.integer(2);
  add_labels(record, 3);
}

void FilMatrices::add_labels(const FilRecord& record, std::size_t first) {
  for (std::size_t i = first; i < record.size(); ++i) labels_.push_back(record.integer(i));
  if (static_cast<std::int64_t>(labels_.size()) > n_nodes_)
    fail(record.at, fmt::format("a superelement of {} nodes names {}", n_nodes_, labels_.size()));
}

// A change begins with the position of the node from which it holds.
void FilMatrices::read_components(const FilRecord& record, bool is_change) {
  if (!has_header_ || components_.empty() != !is_change || (is_change && record.size() < 1))
    fail(record.at, "components of nodes are out of order");
  ComponentChange change;
  if (is_change) {
    const std::int64_t position = record.integer(0);
    if (position <= static_cast<std::int64_t>(components_.back().first) + 1 || position > n_nodes_)
      fail(record.at, fmt::format("components change at node {} of {}, after node {}", position,
                                  n_nodes_, components_.back().first + 1));
    change.first = static_cast<std::size_t>(position - 1);
  }
  change.components.reserve(record.size());
  for (std::size_t i = is_change ? 1 : 0; i < record.size(); ++i)
    change.components.push_back(static_cast<int>(record.integer(i)));
  components_.push_back(std::move(change));
}

FilMatrices::Columns& FilMatrices::columns_of(std::int64_t key, const FilRecord& record) {
  if (components_.empty()) fail(record.at, "a matrix precedes the components of its nodes");
  Columns& columns = key < 1020 ? stiffness_ : mass_;
  const bool is_symmetric = key % 10 == 1;
  if (!columns.values.empty() && columns.is_symmetric != is_symmetric)
    fail(record.at, "a matrix is given both as symmetric and as general");
  columns.is_symmetric = is_symmetric;
  return columns;
}

void FilMatrices::add_values(const FilRecord& record, std::vector<double>& values) {
  for (std::size_t i = 0; i < record.size(); ++i) {
    values.push_back(record.real(i));
    if (!std::isfinite(values.back()))
      fail(record.at, fmt::format("term {} of a matrix is {}", values.size(), values.back()));
  }
}

Matrix FilMatrices::make_matrix(const char* name, const std::vector<double>& values,
                                bool is_symmetric, std::int64_t order) {
  const std::int64_t n_terms = is_symmetric ? order * (order + 1) / 2 : order * order;
  if (static_cast<std::int64_t>(values.size()) != n_terms)
    fail(at_, fmt::format("the {} of {} rows has {} terms instead of {}", name, order,
                          values.size(), n_terms));
  Matrix matrix;
  matrix.name = name;
  matrix.n_rows = matrix.n_columns = order;
  if (is_symmetric) matrix.terms = Matrix::Terms::upper_triangle;
  std::size_t next = 0;
  for (std::int64_t column = 0; column < order; ++column)
    for (std::int64_t row = 0; row < (is_symmetric ? column + 1 : order); ++row) {
      const double value = values[next++];
      if (value == 0.0) continue;
      matrix.rows.push_back(row);
      matrix.columns.push_back(column);
      matrix.values.push_back(value);
    }
  return matrix;
}

std::optional<imported::MatrixModel> FilMatrices::finish() {
  if (!has_header_) return std::nullopt;
  if (static_cast<std::int64_t>(labels_.size()) != n_nodes_ || components_.empty())
    fail(at_, fmt::format("a superelement of {} nodes names {}{}", n_nodes_, labels_.size(),
                          components_.empty() ? ", and no components" : ""));
  imported::MatrixModel model;
  model.source = file_.name();
  model.format = "Abaqus results, substructure";
  model.dofs = superelement_dofs(labels_, components_, file_, at_);
  const auto order = static_cast<std::int64_t>(model.dofs.size());
  model.stiffness = make_matrix("stiffness", stiffness_.values, stiffness_.is_symmetric, order);
  if (mass_.values.empty()) {
    model.mass.n_rows = model.mass.n_columns = order;
    model.report.warnings.push_back(
        file_.diagnose(at_, "the superelement has no mass matrix", "request it by MASS=YES"));
  } else {
    model.mass = make_matrix("mass", mass_.values, mass_.is_symmetric, order);
  }
  return model;
}

}  // namespace solidyn::formats
