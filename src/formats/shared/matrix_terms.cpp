#include "formats/shared/matrix_terms.h"

#include <fmt/format.h>

#include <algorithm>

namespace solidyn::formats {
namespace {

using imported::Matrix;

// One triangle in an order of rows that is not ours: every term then goes below the diagonal.
void gather_triangle(Matrix& matrix, ImportBytes& file) {
  std::vector<std::pair<std::int64_t, std::int64_t>> places;
  places.reserve(matrix.rows.size());
  for (std::size_t e = 0; e < matrix.rows.size(); ++e)
    if (matrix.rows[e] != matrix.columns[e]) places.emplace_back(matrix.rows[e], matrix.columns[e]);
  std::sort(places.begin(), places.end());
  const auto has_mirror = [&](const auto& place) {
    return std::binary_search(places.begin(), places.end(),
                              std::make_pair(place.second, place.first));
  };
  const auto n_mirrored = std::count_if(places.begin(), places.end(), has_mirror);
  if (n_mirrored == static_cast<std::ptrdiff_t>(places.size())) return;
  if (n_mirrored > 0)
    file.fail(
        nullptr,
        fmt::format("{} terms of the matrix have a counterpart in the other triangle, {} have none",
                    n_mirrored, static_cast<std::ptrdiff_t>(places.size()) - n_mirrored),
        "write one triangle of a symmetric matrix, or both");
  for (std::size_t e = 0; e < matrix.rows.size(); ++e)
    if (matrix.rows[e] < matrix.columns[e]) std::swap(matrix.rows[e], matrix.columns[e]);
  matrix.terms = Matrix::Terms::lower_triangle;
}

using Place = std::pair<std::int64_t, std::int64_t>;

bool is_strictly_rising(const std::vector<std::int64_t>& first,
                        const std::vector<std::int64_t>& second) {
  for (std::size_t e = 1; e < first.size(); ++e)
    if (Place(first[e - 1], second[e - 1]) >= Place(first[e], second[e])) return false;
  return true;
}

// Programs write each term once: a second one is a line that was repeated. Files come in the order
// of rows or columns, as a rule.
void refuse_repeated_terms(const Matrix& matrix, ImportBytes& file) {
  if (is_strictly_rising(matrix.rows, matrix.columns) ||
      is_strictly_rising(matrix.columns, matrix.rows))
    return;
  std::vector<Place> places;
  places.reserve(matrix.rows.size());
  for (std::size_t e = 0; e < matrix.rows.size(); ++e)
    places.emplace_back(matrix.rows[e], matrix.columns[e]);
  std::sort(places.begin(), places.end());
  const auto twice = std::adjacent_find(places.begin(), places.end());
  if (twice != places.end())
    file.fail(nullptr,
              fmt::format("the term at row {} and column {} of the matrix is defined twice",
                          twice->first + 1, twice->second + 1),
              "write the file again");
}

}  // namespace

void settle_triangles(Matrix& matrix, ImportBytes& file) {
  refuse_repeated_terms(matrix, file);
  bool has_upper = false, has_lower = false;
  for (std::size_t e = 0; e < matrix.rows.size(); ++e) {
    has_upper |= matrix.rows[e] < matrix.columns[e];
    has_lower |= matrix.rows[e] > matrix.columns[e];
  }
  matrix.terms = Matrix::Terms::all;
  if (has_upper && has_lower) {
    gather_triangle(matrix, file);
  } else if (has_upper || has_lower) {
    matrix.terms = has_upper ? Matrix::Terms::upper_triangle : Matrix::Terms::lower_triangle;
  }
}

Matrix parse_coordinates(ImportBytes& file, std::int64_t order) {
  refuse_empty(file, "lines of row, column and value");
  Matrix matrix;
  std::int64_t largest = 0;
  LineCursor cursor(file);
  const std::size_t expected = file.bytes().size() / 24;  // bytes of a line of small indices
  matrix.rows.reserve(expected);
  matrix.columns.reserve(expected);
  matrix.values.reserve(expected);
  while (cursor.next_line()) {
    const char* at = cursor.place();
    const std::int64_t row = cursor.integer(), column = cursor.integer();
    const double value = cursor.real();
    if (cursor.has_more()) cursor.refuse(cursor.place(), "the end of the line");
    if (row < 1 || column < 1)
      file.fail(
          at, fmt::format("the matrix has a term at ({}, {})", row, column),
          "indices start at 1; negative ones are internal degrees of freedom, which Abaqus labels in FORMAT=MATRIX INPUT");
    if (order > 0 && std::max(row, column) > order)
      file.fail(
          at,
          fmt::format("the matrix has a term at ({}, {}), but {} degrees of freedom are listed",
                      row, column, order),
          "give the matrices and the list from the same analysis");
    matrix.rows.push_back(row - 1);
    matrix.columns.push_back(column - 1);
    matrix.values.push_back(value);
    largest = std::max({largest, row, column});
  }
  matrix.n_rows = matrix.n_columns = order > 0 ? order : largest;
  settle_triangles(matrix, file);
  return matrix;
}

std::vector<imported::Dof> components_of(const std::vector<std::int64_t>& node_tags,
                                         imported::NodeKind kind, std::int64_t order,
                                         const std::string& file) {
  const auto n = static_cast<std::int64_t>(node_tags.size());
  const bool may_turn = kind == imported::NodeKind::any;
  const int n_components = may_turn && order == 6 * n ? 6 : 3;
  if (n_components * n != order)
    throw base::InputError(
        fmt::format("the matrix has {} rows, but {} nodes have {} translations{}", order, n, 3 * n,
                    may_turn ? fmt::format(", and {} with rotations", 6 * n) : ""),
        "define the nodes that the matrix was made from; when degrees of freedom are removed or added, write the matrix with its labels (Abaqus: FORMAT=MATRIX INPUT)",
        {file, 0, 0});
  std::vector<imported::Dof> dofs;
  dofs.reserve(static_cast<std::size_t>(order));
  for (std::int64_t tag : node_tags)
    for (int component = 1; component <= n_components; ++component)
      dofs.push_back({tag, component});
  return dofs;
}

std::vector<imported::Dof> superelement_dofs(const std::vector<std::int64_t>& labels,
                                             const std::vector<ComponentChange>& changes,
                                             ImportBytes& file, const char* at) {
  constexpr const char* kRetain = "retain displacements and rotations only";
  std::vector<imported::Dof> dofs;
  std::size_t change = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    while (change + 1 < changes.size() && changes[change + 1].first <= i) ++change;
    const std::vector<int>& components = changes[change].components;
    const std::int64_t label = labels[i];
    if (label > 0 && components.size() > 6)
      file.fail(at, fmt::format("node {} has {} components", label, components.size()), kRetain);
    // A generalised node has one coordinate as a rule; the matrix has a term for each.
    if (dofs.size() + components.size() > file.bytes().size())
      file.fail(at, "the nodes have more components than the file can hold", kRetain);
    for (int component : components) {
      if (label > 0 && (component < 1 || component > 6))
        file.fail(at,
                  fmt::format("component {} of node {} is not a displacement or rotation",
                              component, label),
                  kRetain);
      dofs.push_back({label, label > 0 ? component : 0});
    }
  }
  refuse_repeated_dofs(dofs, file.name());
  return dofs;
}

void refuse_repeated_dofs(const std::vector<imported::Dof>& dofs, const std::string& file) {
  std::vector<std::pair<std::int64_t, int>> sorted;
  sorted.reserve(dofs.size());
  for (const imported::Dof& dof : dofs)
    if (dof.component != 0) sorted.emplace_back(dof.node, dof.component);
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end())
    throw base::InputError(
        fmt::format("component {} of node {} has two rows", twice->second, twice->first),
        "write the file again", {file, 0, 0});
}

}  // namespace solidyn::formats
