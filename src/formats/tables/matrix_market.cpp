#include "solidyn/formats/tables/matrix_market.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "formats/shared/matrix_terms.h"

namespace solidyn::formats {
namespace {

using imported::Matrix;

constexpr const char* kWriteReal =
    "write a real matrix, general or symmetric (scipy: scipy.io.mmwrite(name, A))";

struct Banner {
  bool is_array = false, is_symmetric = false;
};

std::vector<std::string> header_words(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t at = 0; words.size() < 8;) {
    at = line.find_first_not_of(" \t\r", at);
    if (at == std::string_view::npos) break;
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    std::string word(line.substr(at, end - at));
    for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    words.push_back(std::move(word));
    at = end;
  }
  return words;
}

Banner read_banner(LineCursor& cursor, ImportBytes& file) {
  cursor.next_line();
  const std::vector<std::string> words = header_words(cursor.line());
  if (words.size() != 5 || words[0] != "%%matrixmarket" || words[1] != "matrix")
    file.fail(cursor.place(), "the first line is not a Matrix Market header",
              "expected  %%MatrixMarket matrix coordinate real symmetric");
  Banner banner;
  banner.is_array = words[2] == "array";
  banner.is_symmetric = words[4] == "symmetric";
  const bool is_known = (banner.is_array || words[2] == "coordinate") &&
                        (words[3] == "real" || words[3] == "integer" || words[3] == "double") &&
                        (banner.is_symmetric || words[4] == "general");
  if (!is_known)
    file.fail(cursor.place(),
              fmt::format("matrices of the kind `{} {} {}` are not supported", shown_text(words[2]),
                          shown_text(words[3]), shown_text(words[4])),
              kWriteReal);
  return banner;
}

bool next_data_line(LineCursor& cursor) {
  while (cursor.next_line())
    if (cursor.line()[0] != '%') return true;
  return false;
}

void add_term(Matrix& matrix, std::int64_t row, std::int64_t column, double value) {
  matrix.rows.push_back(row);
  matrix.columns.push_back(column);
  matrix.values.push_back(value);
}

void read_coordinates(LineCursor& cursor, ImportBytes& file, const Banner& banner,
                      std::int64_t n_terms, Matrix& matrix) {
  for (std::int64_t e = 0; e < n_terms; ++e) {
    if (!next_data_line(cursor))
      file.fail(cursor.place(),
                fmt::format("{} terms are declared, but the file contains {}", n_terms, e),
                "the file is truncated: write it again");
    const char* at = cursor.place();
    const std::int64_t row = cursor.integer(), column = cursor.integer();
    const double value = cursor.real();
    if (cursor.has_more()) cursor.refuse(cursor.place(), "the end of the line");
    if (row < 1 || row > matrix.n_rows || column < 1 || column > matrix.n_columns)
      file.fail(at,
                fmt::format("a {} x {} matrix has a term at ({}, {})", matrix.n_rows,
                            matrix.n_columns, row, column),
                "indices start at 1");
    if (banner.is_symmetric && row < column)
      file.fail(
          at,
          fmt::format("a symmetric matrix has a term above its diagonal, at ({}, {})", row, column),
          "symmetric Matrix Market files contain the lower triangle");
    add_term(matrix, row - 1, column - 1, value);
  }
}

void read_array(LineCursor& cursor, ImportBytes& file, const Banner& banner, Matrix& matrix) {
  for (std::int64_t column = 0; column < matrix.n_columns; ++column)
    for (std::int64_t row = banner.is_symmetric ? column : 0; row < matrix.n_rows; ++row) {
      if (!cursor.has_more() && !next_data_line(cursor))
        file.fail(cursor.place(),
                  fmt::format("the file ends before term ({}, {})", row + 1, column + 1),
                  "the file is truncated: write it again");
      const double value = cursor.real();
      if (value != 0.0) add_term(matrix, row, column, value);
    }
}

/// Sizes that the rest of the file cannot hold are refused before anything is sized by them.
void check_sizes(ImportBytes& file, const char* at, const Matrix& matrix, const Banner& banner,
                 std::int64_t n_terms) {
  const auto room = static_cast<double>(file.end() - at);
  const auto n_places = static_cast<double>(matrix.n_rows) * static_cast<double>(matrix.n_columns);
  const double needed =  // bytes
      banner.is_array ? n_places * (banner.is_symmetric ? 1.0 : 2.0) : 6.0 * n_terms;
  const bool is_too_large = needed > room + 6.0;
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  if (matrix.n_rows < 1 || matrix.n_columns < 1 || matrix.n_rows >= kMost ||
      matrix.n_columns >= kMost || n_terms < 0 || is_too_large)
    file.fail(
        at,
        fmt::format("a {} x {} matrix with {} terms does not fit into the file", matrix.n_rows,
                    matrix.n_columns, n_terms),
        "the line after the comments must give the numbers of rows, columns and, for a sparse matrix, terms");
}

bool is_comment(std::string_view line) {
  const char first = line[line.find_first_not_of(" \t,\r")];
  return first == '%' || first == '#';
}

imported::MatrixModel make_model(const NamedBytes& stiffness, const NamedBytes& mass) {
  imported::MatrixModel model;
  model.source = stiffness.name;
  model.mass_source = mass.name;
  model.format = "Matrix Market";
  model.stiffness = parse_matrix_market(stiffness.bytes, stiffness.name);
  model.mass = parse_matrix_market(mass.bytes, mass.name);
  model.stiffness.name = "stiffness";
  model.mass.name = "mass";
  for (const NamedBytes* file : {&stiffness, &mass})
    warn_of_open_end(ImportBytes(file->bytes, file->name), model.report);
  for (const Matrix* matrix : {&model.stiffness, &model.mass})
    if (matrix->n_rows != model.stiffness.n_rows || matrix->n_columns != model.stiffness.n_rows)
      throw base::InputError(
          fmt::format("the {} matrix is {} x {}, but the stiffness has {} rows", matrix->name,
                      matrix->n_rows, matrix->n_columns, model.stiffness.n_rows),
          "give stiffness and mass of the same body",
          {matrix == &model.mass ? mass.name : stiffness.name, 0, 0});
  return model;
}

}  // namespace

Matrix parse_matrix_market(std::string_view bytes, const std::string& name) {
  ImportBytes file(bytes, name);
  refuse_empty(file, "a Matrix Market file");
  LineCursor cursor(file);
  const Banner banner = read_banner(cursor, file);
  if (!next_data_line(cursor))
    file.fail(nullptr, "the sizes of the matrix are missing", "the file is truncated");
  const char* at = cursor.place();
  Matrix matrix;
  matrix.n_rows = cursor.integer();
  matrix.n_columns = cursor.integer();
  const std::int64_t n_terms = banner.is_array ? 0 : cursor.integer();
  check_sizes(file, at, matrix, banner, n_terms);
  if (banner.is_symmetric) matrix.terms = Matrix::Terms::lower_triangle;
  if (banner.is_symmetric && matrix.n_rows != matrix.n_columns)
    file.fail(at, "a symmetric matrix is not square", kWriteReal);
  if (cursor.has_more()) cursor.refuse(cursor.place(), "the end of the line");
  if (banner.is_array) {
    read_array(cursor, file, banner, matrix);
  } else {
    read_coordinates(cursor, file, banner, n_terms, matrix);
  }
  if (next_data_line(cursor))
    file.fail(cursor.place(), "the file contains more terms than it declares", "write it again");
  return matrix;
}

std::vector<imported::Dof> parse_dof_map(std::string_view bytes, const std::string& name) {
  ImportBytes file(bytes, name);
  refuse_empty(file, "one line `node component` per row of the matrices");
  std::vector<imported::Dof> dofs;
  dofs.reserve(bytes.size() / 8);
  LineCursor cursor(file);
  while (cursor.next_line()) {
    if (is_comment(cursor.line())) continue;
    const char* at = cursor.place();
    const std::int64_t node = cursor.integer(), component = cursor.integer();
    if (cursor.has_more()) cursor.refuse(cursor.place(), "the end of the line");
    if (component < 0 || component > 6)
      file.complain(at, fmt::format("node {} has no component {}", node, component),
                    "1 to 3 are translations, 4 to 6 rotations, 0 is a generalised coordinate");
    else
      dofs.push_back({node, static_cast<int>(component)});
  }
  file.throw_if_any();
  refuse_repeated_dofs(dofs, name);
  return dofs;
}

imported::MatrixModel parse_matrix_market_pair(const NamedBytes& stiffness, const NamedBytes& mass,
                                               const NamedBytes& dof_map) {
  imported::MatrixModel model = make_model(stiffness, mass);
  model.dofs = parse_dof_map(dof_map.bytes, dof_map.name);
  warn_of_open_end(ImportBytes(dof_map.bytes, dof_map.name), model.report);
  if (static_cast<std::int64_t>(model.dofs.size()) != model.stiffness.n_rows)
    throw base::InputError(
        fmt::format("the list contains {} degrees of freedom, but the matrices have {} rows",
                    model.dofs.size(), model.stiffness.n_rows),
        "write one line `node component` per row", {dof_map.name, 0, 0});
  return model;
}

imported::MatrixModel parse_matrix_market_pair(const NamedBytes& stiffness, const NamedBytes& mass,
                                               const std::vector<std::int64_t>& node_tags,
                                               imported::NodeKind kind) {
  imported::MatrixModel model = make_model(stiffness, mass);
  model.dofs = components_of(node_tags, kind, model.stiffness.n_rows, stiffness.name);
  return model;
}

}  // namespace solidyn::formats
