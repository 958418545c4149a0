#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "solidyn/base/error.h"
#include "solidyn/formats/nastran/superelement/superelement.h"

namespace solidyn::formats {
namespace {

using imported::Matrix;

const std::vector<std::string> kStiffness = {"KXX", "KAA", "KAAX", "KGG"};
const std::vector<std::string> kMass = {"MXX", "MAA", "MAAX", "MGG"};
const std::vector<std::string> kDamping = {"BXX", "BXX1", "BAA", "BAAX", "BGG"};
const std::vector<std::string> kStructuralDamping = {"K4XX", "K4XX1", "K4AA", "K4AAX", "K4GG"};

/// Nastran writes a 1 x 1 matrix for one that it does not have.
bool is_placeholder(const Matrix& matrix, std::int64_t n) {
  return n != 1 && matrix.n_rows == 1 && matrix.n_columns == 1;
}

/// The first matrix with one of the names; null when there is none.
Matrix* find(std::vector<Matrix>& matrices, const std::vector<std::string>& names, std::int64_t n) {
  for (const std::string& name : names)
    for (Matrix& matrix : matrices)
      if (matrix.name == name && !is_placeholder(matrix, n)) return &matrix;
  return nullptr;
}

void check(const Matrix& matrix, std::int64_t n, const std::string& file) {
  constexpr int kLowerFactor = 4, kUpperFactor = 5;
  if (matrix.form == kLowerFactor || matrix.form == kUpperFactor)
    throw base::InputError(
        fmt::format("matrix {} is a triangular factor (form {})", matrix.name, matrix.form),
        "write the matrix itself", {file, 0, 0});
  if (!matrix.imaginary.empty())
    throw base::InputError(fmt::format("matrix {} is complex", matrix.name),
                           "write it without structural damping (GE, PARAM,G)", {file, 0, 0});
  if (matrix.n_rows != n || matrix.n_columns != n)
    throw base::InputError(fmt::format("matrix {} is {} x {}, but {} rows are listed for it",
                                       matrix.name, matrix.n_rows, matrix.n_columns, n),
                           "do the files belong together?", {file, 0, 0});
}

Matrix require(std::vector<Matrix>& matrices, const std::vector<std::string>& names,
               const char* what, std::int64_t n, const std::string& file) {
  Matrix* matrix = find(matrices, names, n);
  if (!matrix)
    throw base::InputError(fmt::format("there is no {} ({})", what, fmt::join(names, ", ")),
                           "write it: EXTSEOUT(.., MATOP4=unit), or OUTPUT4", {file, 0, 0});
  check(*matrix, n, file);
  return std::move(*matrix);
}

}  // namespace

imported::MatrixModel make_matrix_model(std::vector<Matrix> matrices,
                                        std::vector<imported::Dof> dofs, const std::string& file) {
  imported::MatrixModel model;
  model.source = file;
  model.format = "Nastran matrices";
  model.dofs = std::move(dofs);
  const auto n = static_cast<std::int64_t>(model.dofs.size());
  if (Matrix* structural = find(matrices, kStructuralDamping, n))
    if (!structural->values.empty())
      model.report.warnings.push_back(
          {{file, 0, 0},
           fmt::format("structural damping ({}) is ignored", structural->name),
           "use modal damping of the body instead"});
  if (Matrix* damping = find(matrices, kDamping, n)) {
    check(*damping, n, file);
    model.damping = std::move(*damping);
  }
  model.stiffness = require(matrices, kStiffness, "stiffness matrix", n, file);
  model.mass = require(matrices, kMass, "mass matrix", n, file);
  return model;
}

}  // namespace solidyn::formats
