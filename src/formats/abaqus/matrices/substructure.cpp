#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "formats/shared/file_bytes.h"
#include "formats/shared/matrix_terms.h"
#include "solidyn/formats/abaqus/matrices/matrices.h"

namespace solidyn::formats {
namespace {

using imported::Dof;
using imported::Matrix;

constexpr double kPrecision = 1e-14;  // 15 digits
constexpr const char* kWriteMatricesAgain =
    "write it again: *SUBSTRUCTURE MATRIX OUTPUT, STIFFNESS=YES, MASS=YES, OUTPUT FILE=USER DEFINED, FILE NAME=...";

std::string start_without_blanks(std::string_view line) {
  std::string text;
  for (char c : line.substr(0, 200))
    if (!std::isspace(static_cast<unsigned char>(c)))
      text += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

/// Reads `*USER ELEMENT` and the `*MATRIX` blocks behind it. The labels of the nodes stand in
/// comments only.
class SubstructureReader {
 public:
  explicit SubstructureReader(ImportBytes& file) : file_(file), cursor_(file) {}

  imported::MatrixModel read() {
    advance();
    while (has_line_) read_block();
    if (n_nodes_ < 0) file_.fail(nullptr, "there is no *USER ELEMENT", kWriteMatricesAgain);
    if (model_.stiffness.n_rows == 0)
      file_.fail(nullptr, "there is no *MATRIX, TYPE=STIFFNESS", kWriteMatricesAgain);
    if (model_.mass.n_rows == 0) {
      model_.mass.n_rows = model_.mass.n_columns = model_.stiffness.n_rows;
      model_.report.warnings.push_back(
          file_.diagnose(nullptr, "there is no *MATRIX, TYPE=MASS", "request it by MASS=YES"));
    }
    return std::move(model_);
  }

 private:
  void advance() {
    has_line_ = cursor_.next_line();
    is_data_ = has_line_ && *cursor_.place() != '*';
  }
  bool is_data() const { return is_data_; }
  bool is_comment() const { return cursor_.line().substr(0, 2) == "**"; }

  void read_block() {
    const std::string line = start_without_blanks(cursor_.line());
    if (line.rfind("**ELEMENTNODES", 0) == 0) {
      advance();
      while (has_line_ && is_comment() && read_labels()) advance();
    } else if (line.rfind("*USERELEMENT", 0) == 0) {
      read_header(line);
    } else if (line.rfind("*MATRIX", 0) == 0) {
      read_matrix(line);
    } else if (is_data() && n_nodes_ >= 0 && model_.dofs.empty() && is_header_open_) {
      read_components();
    } else {
      skip(line);
    }
  }

  // Loads, recovery matrices and comments are of no use to a body in motion.
  void skip(const std::string& line) {
    if (line[0] == '*' && line[1] != '*')
      ++model_.report.skipped[shown_text(line.substr(0, line.find(',')))];
    if (n_nodes_ < 0 && line[0] != '*')
      file_.fail(cursor_.place(), "expected *USER ELEMENT", kWriteMatricesAgain);
    is_header_open_ = is_header_open_ && line.rfind("**", 0) == 0;
    advance();
  }

  void read_header(const std::string& line) {
    if (n_nodes_ >= 0)
      file_.fail(
          cursor_.place(), "the file contains more than one element",
          "matrices of single elements do not define a body: write those of the whole body by *SUBSTRUCTURE MATRIX OUTPUT or *MATRIX OUTPUT");
    const std::size_t at = line.find(",NODES=");
    std::int64_t n = 0;
    if (at != std::string::npos) std::from_chars(&line[at + 7], &line[0] + line.size(), n);
    if (n < 1) file_.fail(cursor_.place(), "the number of nodes is missing", kWriteMatricesAgain);
    n_nodes_ = n;
    is_header_open_ = true;
    header_at_ = cursor_.place();
    advance();
  }

  // `**  101,  102, ...`; false when the comment is another one.
  bool read_labels() {
    const std::string_view line = cursor_.line().substr(2);
    if (line.find_first_not_of("-0123456789, \t\r") != std::string_view::npos) return false;
    const char* at = line.data();
    const char* end = at + line.size();
    const auto skip_separators = [&] {
      while (at != end && (*at == ',' || std::isspace(static_cast<unsigned char>(*at)))) ++at;
    };
    for (skip_separators(); at != end; skip_separators()) {
      std::int64_t label = 0;
      const auto [last, error] = std::from_chars(at, end, label);
      if (error != std::errc() || last == at)
        file_.fail(at, "a node's number cannot be read", kWriteMatricesAgain);
      labels_.push_back(label);
      at = last;
    }
    return true;
  }

  // The first line is for the first node; later ones begin with the position of the node from
  // which they hold.
  void read_components() {
    while (is_data()) {
      const char* at = cursor_.place();
      ComponentChange components;
      if (!components_.empty()) {
        const std::int64_t position = cursor_.integer();
        if (position <= static_cast<std::int64_t>(components_.back().first) + 1 ||
            position > n_nodes_)
          file_.fail(at,
                     fmt::format("components change at node {} of {}, after node {}", position,
                                 n_nodes_, components_.back().first + 1),
                     kWriteMatricesAgain);
        components.first = static_cast<std::size_t>(position - 1);
      }
      while (cursor_.has_more()) components.components.push_back(read_component());
      components_.push_back(std::move(components));
      advance();
    }
    make_dofs();
  }

  int read_component() {
    const char* at = cursor_.place();
    const std::int64_t component = cursor_.integer();
    constexpr std::int64_t kMost = 1 << 20;
    if (component < 0 || component > kMost)
      file_.fail(at, fmt::format("a node has no component {}", component), kWriteMatricesAgain);
    return static_cast<int>(component);
  }

  void make_dofs() {
    if (static_cast<std::int64_t>(labels_.size()) != n_nodes_)
      file_.fail(header_at_,
                 fmt::format("the element has {} nodes, but the comments name {}", n_nodes_,
                             labels_.size()),
                 "keep the comments in the file: only they contain the node numbers");
    model_.dofs = superelement_dofs(labels_, components_, file_, header_at_);
  }

  Matrix* matrix_of(const std::string& type) {
    if (type == "STIFFNESS") return &model_.stiffness;
    if (type == "MASS") return &model_.mass;
    if (type == "VISCOUSDAMPING" || type == "DAMPING") return &model_.damping;
    return nullptr;
  }

  void read_matrix(const std::string& line) {
    is_header_open_ = false;
    const std::size_t at = line.find("TYPE=");
    const std::string type =
        at == std::string::npos ? "" : line.substr(at + 5, line.find(',', at) - at - 5);
    Matrix* matrix = matrix_of(type);
    if (!matrix) return skip(line);
    if (model_.dofs.empty())
      file_.fail(cursor_.place(), "a matrix precedes the components of the nodes",
                 kWriteMatricesAgain);
    if (matrix->n_rows != 0)
      file_.fail(cursor_.place(), fmt::format("the matrix {} is defined twice", shown_text(type)),
                 kWriteMatricesAgain);
    matrix->name = type;
    matrix->precision = kPrecision;
    matrix->terms = Matrix::Terms::lower_triangle;
    matrix->n_rows = matrix->n_columns = static_cast<std::int64_t>(model_.dofs.size());
    read_triangle(*matrix, cursor_.place());
  }

  // Row i has i numbers, on as many lines as they need.
  void read_triangle(Matrix& matrix, const char* begin) {
    advance();
    for (std::int64_t row = 0; row < matrix.n_rows; ++row)
      for (std::int64_t column = 0; column <= row; ++column) {
        while (is_data() && !cursor_.has_more()) advance();
        if (!is_data())
          file_.fail(
              has_line_ ? cursor_.place() : begin,
              fmt::format("the matrix {} ends before term ({}, {}) of {} rows", matrix.name,
                          row + 1, column + 1, matrix.n_rows),
              "the file is truncated, or its nodes and components are not those of the matrix");
        const double value = cursor_.real();
        if (value == 0.0) continue;
        matrix.rows.push_back(row);
        matrix.columns.push_back(column);
        matrix.values.push_back(value);
      }
    if (cursor_.has_more()) cursor_.refuse(cursor_.place(), "the end of the matrix");
    advance();
    if (is_data())
      file_.fail(cursor_.place(),
                 fmt::format("the matrix {} has more than {} rows", matrix.name, matrix.n_rows),
                 kWriteMatricesAgain);
  }

  ImportBytes& file_;
  LineCursor cursor_;
  bool has_line_ = false, is_data_ = false;
  bool is_header_open_ = false;  // the list of components may follow
  std::int64_t n_nodes_ = -1;
  const char* header_at_ = nullptr;
  std::vector<std::int64_t> labels_;
  std::vector<ComponentChange> components_;
  imported::MatrixModel model_;
};

}  // namespace

imported::MatrixModel parse_abaqus_substructure(std::string_view bytes, const std::string& name) {
  ImportBytes file(bytes, name);
  refuse_empty(file, "a *SUBSTRUCTURE MATRIX OUTPUT file (.mtx)");
  imported::MatrixModel model = SubstructureReader(file).read();
  model.source = name;
  model.format = "Abaqus substructure";
  warn_of_open_end(file, model.report);
  return model;
}

imported::MatrixModel read_abaqus_substructure(const std::string& path) {
  return parse_abaqus_substructure(FileBytes(path).bytes(), path);
}

}  // namespace solidyn::formats
