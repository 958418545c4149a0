#include "formats/nastran/superelement/matrix_builder.h"

#include <fmt/format.h>

#include <cmath>

namespace solidyn::formats {
namespace {

constexpr std::int64_t kMostRows = std::int64_t{1} << 40;
constexpr std::int64_t kSquare = 1, kSymmetric = 6;  // forms
constexpr std::int64_t kPackingBase = 65536;         // a packed head is (length + 1) * base + row

void check(const NastranMatrixHeader& header, const NastranMatrixPlace& place) {
  if (header.n_columns < 0 || header.n_columns > kMostRows || header.n_rows < -kMostRows ||
      header.n_rows > kMostRows)
    place.fail(fmt::format("matrix `{}` is declared with {} rows and {} columns", header.name,
                           header.n_rows, header.n_columns));
  if (header.type < 1 || header.type > 4)
    place.fail(
        fmt::format("matrix `{}` has the type {}; expected 1 to 4", header.name, header.type));
  if (header.form < 0 || header.form > 99)
    place.fail(fmt::format("matrix `{}` has the form {}", header.name, header.form));
  const bool is_square = header.form == kSquare || header.form == kSymmetric;
  if (is_square && std::abs(header.n_rows) != header.n_columns)
    place.fail(fmt::format("matrix `{}` of {} rows and {} columns is declared as square (form {})",
                           header.name, std::abs(header.n_rows), header.n_columns, header.form));
}

}  // namespace

NastranMatrixBuilder::NastranMatrixBuilder(const NastranMatrixHeader& header,
                                           const NastranMatrixPlace& place)
    : place_(place) {
  check(header, place);
  matrix_.name = header.name;
  matrix_.n_columns = header.n_columns;
  matrix_.n_rows = std::abs(header.n_rows);
  matrix_.form = static_cast<int>(header.form);
  matrix_.type = static_cast<int>(header.type);
  is_complex_ = header.type > 2;
  is_bigmat_ = header.n_rows < 0 || header.n_rows >= kPackingBase;
}

bool NastranMatrixBuilder::begin_column(std::int64_t column) {
  if (column <= column_)
    place_.fail(
        fmt::format("column {} of matrix `{}` follows column {}", column, matrix_.name, column_));
  if (column > matrix_.n_columns + 1)
    place_.fail(fmt::format("column {} in matrix `{}`, which has {} columns", column, matrix_.name,
                            matrix_.n_columns));
  column_ = column;
  next_row_ = 1;
  return column <= matrix_.n_columns;
}

Op4String NastranMatrixBuilder::unpack(std::int64_t packed) const {
  const std::int64_t length = packed / kPackingBase - 1;
  if (packed < 0 || length < 1)
    place_.fail(
        fmt::format("{} is not a valid header of a string of terms in column {} of matrix `{}`",
                    packed, column_, matrix_.name));
  return {packed % kPackingBase, length, length + 1};
}

Op4String NastranMatrixBuilder::unpack_bigmat(std::int64_t length, std::int64_t row) {
  // the length counts one of the head's two words
  return length < 2 || length > kMostRows ? Op4String{row, 0, 0}
                                          : Op4String{row, length - 1, length + 1};
}

void NastranMatrixBuilder::check_cost(const Op4String& string, std::int64_t n_words_left) const {
  if (string.n_words < 1 || string.cost > n_words_left)
    place_.fail(
        fmt::format("a string of {} words in column {} of matrix `{}`, which has {} words left",
                    string.n_words, column_, matrix_.name, n_words_left));
}

void NastranMatrixBuilder::begin_string(std::int64_t row, std::int64_t n_terms) {
  if (row < next_row_)
    place_.fail(fmt::format("column {} of matrix `{}` continues in row {}, but row {} is next",
                            column_, matrix_.name, row, next_row_));
  if (row > matrix_.n_rows || n_terms > matrix_.n_rows - row + 1)
    place_.fail(
        fmt::format("column {} of matrix `{}` has {} terms from row {}, but the matrix has {} rows",
                    column_, matrix_.name, n_terms, row, matrix_.n_rows));
  next_row_ = row;
}

void NastranMatrixBuilder::add(double real, double imaginary) {
  const std::int64_t row = next_row_++;
  if (!std::isfinite(real) || !std::isfinite(imaginary))
    place_.fail(
        fmt::format("term ({}, {}) of matrix `{}` is not finite", row, column_, matrix_.name));
  if (real == 0.0 && imaginary == 0.0) return;
  matrix_.rows.push_back(row - 1);
  matrix_.columns.push_back(column_ - 1);
  matrix_.values.push_back(real);
  if (is_complex_) matrix_.imaginary.push_back(imaginary);
}

imported::Matrix NastranMatrixBuilder::finish(double precision) {
  matrix_.precision = precision;
  return std::move(matrix_);
}

}  // namespace solidyn::formats
