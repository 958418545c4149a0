#include "solidyn/formats/abaqus/matrices/matrices.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/shared/file_bytes.h"
#include "formats/shared/matrix_terms.h"

namespace solidyn::formats {
namespace {

using imported::Dof;
using imported::Matrix;

constexpr const char* kExpected = "an Abaqus matrix file (.mtx)";

/// A row by its label: node, component.
using Label = std::pair<std::int64_t, int>;

/// The terms of a file of labels, before rows are numbered.
struct LabelledTerms {
  std::vector<Label> rows, columns;
  std::vector<double> values;
};

Label read_label(LineCursor& cursor, ImportBytes& file) {
  if (!cursor.has_more()) cursor.refuse(cursor.place(), "a node");
  const char* at = cursor.place();
  const std::int64_t node = cursor.integer(), component = cursor.integer();
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  const bool is_internal = node <= 0 && component > 0 && component < kMost;
  if (!is_internal && (component < 1 || component > 6))
    file.fail(
        at,
        fmt::format("component {} of node {} is not a displacement or rotation", component, node),
        "write matrices of a mechanical analysis, without temperatures or pressures");
  return {node, static_cast<int>(component)};
}

bool is_comment_or_keyword(LineCursor& cursor) { return *cursor.place() == '*'; }

LabelledTerms read_labelled(ImportBytes& file) {
  refuse_empty(file, kExpected);
  LabelledTerms terms;
  LineCursor cursor(file);
  while (cursor.next_line()) {
    if (is_comment_or_keyword(cursor)) continue;
    terms.rows.push_back(read_label(cursor, file));
    terms.columns.push_back(read_label(cursor, file));
    terms.values.push_back(cursor.real());
    if (cursor.has_more()) cursor.refuse(cursor.place(), "the end of the line");
  }
  return terms;
}

std::vector<Label> rows_of(const LabelledTerms& stiffness, const LabelledTerms& mass) {
  std::vector<Label> labels;
  labels.reserve(2 * (stiffness.rows.size() + mass.rows.size()));
  for (const LabelledTerms* terms : {&stiffness, &mass})
    for (const auto* ends : {&terms->rows, &terms->columns})
      labels.insert(labels.end(), ends->begin(), ends->end());
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  labels.shrink_to_fit();
  return labels;
}

Matrix number_rows(LabelledTerms terms, const std::vector<Label>& labels, ImportBytes& file) {
  Matrix matrix;
  matrix.n_rows = matrix.n_columns = static_cast<std::int64_t>(labels.size());
  const auto row_of = [&](const Label& label) {
    return std::lower_bound(labels.begin(), labels.end(), label) - labels.begin();
  };
  matrix.rows.reserve(terms.rows.size());
  matrix.columns.reserve(terms.rows.size());
  for (const Label& label : terms.rows) matrix.rows.push_back(row_of(label));
  for (const Label& label : terms.columns) matrix.columns.push_back(row_of(label));
  matrix.values = std::move(terms.values);
  settle_triangles(matrix, file);
  return matrix;
}

std::vector<Dof> dofs_of(const std::vector<Label>& labels) {
  std::vector<Dof> dofs;
  dofs.reserve(labels.size());
  for (const auto& [node, component] : labels) dofs.push_back({node, node > 0 ? component : 0});
  return dofs;
}

void read_labelled_pair(ImportBytes& stiffness, ImportBytes& mass, imported::MatrixModel& model) {
  LabelledTerms k = read_labelled(stiffness), m = read_labelled(mass);
  const std::vector<Label> labels = rows_of(k, m);
  model.stiffness = number_rows(std::move(k), labels, stiffness);
  model.mass = number_rows(std::move(m), labels, mass);
  model.dofs = dofs_of(labels);
}

void read_coordinate_pair(ImportBytes& stiffness, ImportBytes& mass,
                          const std::vector<std::int64_t>& node_tags, imported::NodeKind kind,
                          imported::MatrixModel& model) {
  model.stiffness = parse_coordinates(stiffness, 0);
  const std::int64_t order = model.stiffness.n_rows;
  model.dofs = components_of(node_tags, kind, order, stiffness.name());
  model.mass = parse_coordinates(mass, order);
}

// How many numbers stand in the first line of data; 0 when there is a keyword of elements first.
int count_items(ImportBytes& file) {
  LineCursor cursor(file);
  while (cursor.next_line()) {
    const std::string_view line = cursor.line();
    if (line.size() > 1 && line[0] == '*' && line[1] != '*')
      if (line.substr(0, 7) != "*MATRIX" && line.substr(0, 7) != "*Matrix") return 0;
    if (is_comment_or_keyword(cursor)) continue;
    int n = 0;
    for (; n < 6 && cursor.has_more(); ++n) cursor.real();
    return n;
  }
  return -1;
}

}  // namespace

AbaqusMatrixFile kind_of_abaqus_matrix(std::string_view bytes, const std::string& name) {
  ImportBytes file(bytes, name);
  refuse_empty(file, kExpected);
  switch (count_items(file)) {
    case 0:
      return AbaqusMatrixFile::substructure;
    case 3:
      return AbaqusMatrixFile::coordinate;
    case 5:
      return AbaqusMatrixFile::matrix_input;
    default:
      file.fail(
          nullptr, "the file contains no Abaqus matrix",
          "supported are FORMAT=COORDINATE (three numbers per line), MATRIX INPUT (five), and substructures (`*USER ELEMENT`)");
  }
}

imported::MatrixModel parse_abaqus_matrices(std::string_view stiffness,
                                            const std::string& stiffness_file,
                                            std::string_view mass, const std::string& mass_file,
                                            const std::vector<std::int64_t>& node_tags,
                                            imported::NodeKind kind) {
  imported::MatrixModel model;
  model.source = stiffness_file;
  model.mass_source = mass_file;
  model.format = "Abaqus matrices";
  ImportBytes k(stiffness, stiffness_file), m(mass, mass_file);
  const AbaqusMatrixFile format = kind_of_abaqus_matrix(stiffness, stiffness_file);
  if (format == AbaqusMatrixFile::substructure)
    k.fail(nullptr, "it is a substructure, which contains stiffness and mass",
           "reference it as  import: {superelement: ..}");
  if (kind_of_abaqus_matrix(mass, mass_file) != format)
    m.fail(nullptr, fmt::format("it is of another kind than `{}`", stiffness_file),
           "write stiffness and mass by the same *MATRIX OUTPUT");
  if (format == AbaqusMatrixFile::coordinate) {
    read_coordinate_pair(k, m, node_tags, kind, model);
  } else {
    read_labelled_pair(k, m, model);
  }
  model.stiffness.name = "stiffness";
  model.mass.name = "mass";
  for (const ImportBytes* file : {&k, &m}) warn_of_open_end(*file, model.report);
  return model;
}

imported::MatrixModel parse_abaqus_matrix(std::string_view bytes, const std::string& name) {
  imported::MatrixModel model;
  model.source = name;
  ImportBytes file(bytes, name);
  if (kind_of_abaqus_matrix(bytes, name) == AbaqusMatrixFile::coordinate) {
    model.format = "Abaqus matrix, FORMAT=COORDINATE";
    model.stiffness = parse_coordinates(file, 0);
    return model;
  }
  model.format = "Abaqus matrix, FORMAT=MATRIX INPUT";
  LabelledTerms terms = read_labelled(file);
  const std::vector<Label> labels = rows_of(terms, {});
  model.stiffness = number_rows(std::move(terms), labels, file);
  model.dofs = dofs_of(labels);
  return model;
}

imported::MatrixModel read_abaqus_matrices(const std::string& stiffness, const std::string& mass,
                                           const std::vector<std::int64_t>& node_tags,
                                           imported::NodeKind kind) {
  return parse_abaqus_matrices(FileBytes(stiffness).bytes(), stiffness, FileBytes(mass).bytes(),
                               mass, node_tags, kind);
}

}  // namespace solidyn::formats
