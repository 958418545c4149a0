#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "formats/nastran/lines/deck.h"
#include "formats/shared/complaints.h"
#include "formats/shared/file_bytes.h"
#include "formats/shared/import_bytes.h"
#include "solidyn/formats/nastran/bulk_and_punch.h"
#include "solidyn/imported/checks.h"
#include "solidyn/math/constants.h"

namespace solidyn::formats {

namespace {

/// A node and a component as one number that sorts like the pair; a column of IFO 9 likewise.
using DofKey = std::int64_t;
DofKey dof_key(std::int64_t node, std::int64_t component) { return node * 8 + component; }
imported::Dof dof_of(DofKey key) { return {key / 8, static_cast<int>(key % 8)}; }

/// Terms of a matrix as the entries give them.
struct Terms {
  std::string name;
  int form = 0, type = 0;
  bool is_polar = false;
  std::int64_t n_columns = 0;  // IFO 9
  std::vector<DofKey> rows, columns;
  std::vector<double> values, imaginary;
  std::vector<LineNumber> serials;

  bool is_complex() const { return type > 2; }
  bool is_square() const { return form == 1 || form == 6; }
  bool has_plain_columns() const { return form == 9; }
};

class DmigReader {
 public:
  DmigReader(NastranSource main, NastranInclude include)
      : deck_(std::move(main), std::move(include)) {}

  std::vector<DmigMatrix> read() {
    NastranCard card;
    for (bool is_more = true; is_more;) {
      try {
        is_more = deck_.next(card);
        if (is_more && card.is("DMIG")) add(card);
      } catch (const base::InputError& error) {
        complaints_.add(error);
      }
    }
    std::vector<DmigMatrix> matrices;
    matrices.reserve(matrices_.size());
    for (Terms& terms : matrices_) matrices.push_back(finish(terms));
    complaints_.throw_if_any();
    return matrices;
  }

 private:
  void add(const NastranCard& card) {
    if (card.is_integer(2) && card.integer(2) == 0)
      add_header(card);
    else
      add_column(card);
  }

  Terms* find(const std::string& name) {
    const auto found = index_.find(name);
    return found == index_.end() ? nullptr : &matrices_[found->second];
  }

  void add_header(const NastranCard& card) {
    Terms terms;
    terms.name = card.word(1);
    if (find(terms.name))
      card.fail(fmt::format("matrix {} has two headers", terms.name), "use unique matrix names");
    terms.form = static_cast<int>(card.integer(3));
    terms.type = static_cast<int>(card.integer(4));
    terms.is_polar = card.integer(6, 0) != 0;
    terms.n_columns = card.integer(8, 0);
    if (terms.form != 1 && terms.form != 2 && terms.form != 6 && terms.form != 9)
      card.fail(3, "the form IFO 1, 2, 6 or 9");
    if (terms.type < 1 || terms.type > 4) card.fail(4, "the type TIN, 1 to 4");
    if (terms.form == 9) terms.n_columns = card.label(8);
    index_.emplace(terms.name, matrices_.size());
    matrices_.push_back(std::move(terms));
  }

  DofKey dof(const NastranCard& card, int i) const {
    const std::int64_t component = card.integer(i + 1, 0);
    if (component < 0 || component > 6) card.fail(i + 1, "a component, 0 to 6");
    return dof_key(card.label(i), component);
  }

  void add_column(const NastranCard& card) {
    const std::string name = card.word(1);
    Terms* terms = find(name);
    if (!terms)
      card.fail(fmt::format("matrix {} has no header before its columns", name),
                fmt::format("add DMIG,{},0,IFO,TIN,..", name));
    if (terms->has_plain_columns() && card.label(2) > terms->n_columns)
      card.fail(2, fmt::format("a column up to {}", terms->n_columns));
    const DofKey column = terms->has_plain_columns() ? dof_key(card.label(2), 0) : dof(card, 2);
    for (int i = 5; i <= card.n_fields(); i += 4)
      if (!card.is_blank(i)) add_term(card, i, column, *terms);
  }

  void add_term(const NastranCard& card, int i, DofKey column, Terms& terms) const {
    const DofKey row = dof(card, i);
    const double a = card.real(i + 2), b = terms.is_complex() ? card.real(i + 3, 0.0) : 0.0;
    const bool is_lower = terms.form == 6 && row > column;
    terms.rows.push_back(is_lower ? column : row);
    terms.columns.push_back(is_lower ? row : column);
    terms.values.push_back(terms.is_polar ? a * std::cos(math::kRadiansPerDegree * b) : a);
    if (terms.is_complex())
      terms.imaginary.push_back(terms.is_polar ? a * std::sin(math::kRadiansPerDegree * b) : b);
    terms.serials.push_back(card.serial());
  }

  void refuse_repeated(const Terms& terms) {
    std::vector<std::size_t> order(terms.rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto place = [&](std::size_t i) { return std::pair(terms.columns[i], terms.rows[i]); };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
    const auto twice =
        std::adjacent_find(order.begin(), order.end(),
                           [&](std::size_t a, std::size_t b) { return place(a) == place(b); });
    if (twice == order.end()) return;
    const imported::Dof row = dof_of(terms.rows[*twice]), column = dof_of(terms.columns[*twice]);
    complaints_.add({deck_.lines().where(terms.serials[*std::next(twice)]),
                     fmt::format("matrix {} contains the term {}.{}, {}.{} twice", terms.name,
                                 row.node, row.component, column.node, column.component),
                     "give every term once, and only one triangle of a symmetric matrix (IFO 6)"});
  }

  static std::vector<DofKey> unique(std::vector<DofKey> keys) {
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
  }

  static void number(const std::vector<DofKey>& keys, const std::vector<DofKey>& sorted,
                     std::vector<std::int64_t>& numbers) {
    numbers.reserve(keys.size());
    for (const DofKey key : keys)
      numbers.push_back(std::lower_bound(sorted.begin(), sorted.end(), key) - sorted.begin());
  }

  static std::vector<imported::Dof> dofs_of(const std::vector<DofKey>& keys) {
    std::vector<imported::Dof> dofs;
    dofs.reserve(keys.size());
    for (const DofKey key : keys) dofs.push_back(dof_of(key));
    return dofs;
  }

  DmigMatrix finish(Terms& terms) {
    refuse_repeated(terms);
    std::vector<DofKey> rows = unique(terms.rows), columns = unique(terms.columns);
    if (terms.is_square()) {
      rows.insert(rows.end(), columns.begin(), columns.end());
      rows = columns = unique(std::move(rows));
    }
    DmigMatrix result;
    imported::Matrix& matrix = result.matrix;
    matrix.name = terms.name;
    matrix.form = terms.form;
    matrix.type = terms.type;
    matrix.precision = terms.type % 2 == 1 ? 1e-6 : 1e-9;  // the digits that are punched
    if (terms.form == 6) matrix.terms = imported::Matrix::Terms::upper_triangle;
    number(terms.rows, rows, matrix.rows);
    if (terms.has_plain_columns()) {
      for (const DofKey key : terms.columns) matrix.columns.push_back(dof_of(key).node - 1);
      matrix.n_columns = terms.n_columns;
    } else {
      number(terms.columns, columns, matrix.columns);
      matrix.n_columns = static_cast<std::int64_t>(columns.size());
      result.columns = dofs_of(columns);
    }
    matrix.n_rows = static_cast<std::int64_t>(rows.size());
    result.rows = dofs_of(rows);
    matrix.values = std::move(terms.values);
    matrix.imaginary = std::move(terms.imaginary);
    return result;
  }

  NastranDeck deck_;
  Complaints complaints_;
  std::vector<Terms> matrices_;
  std::map<std::string, std::size_t> index_;  // by name
};

DmigMatrix* find(std::vector<DmigMatrix>& matrices, const std::string& name) {
  for (DmigMatrix& matrix : matrices)
    if (matrix.matrix.name == name) return &matrix;
  return nullptr;
}

DmigMatrix& require(std::vector<DmigMatrix>& matrices, const std::string& name,
                    const std::string& file) {
  DmigMatrix* matrix = find(matrices, name);
  std::vector<std::string> names;
  names.reserve(matrices.size());
  for (const DmigMatrix& other : matrices) names.push_back(other.matrix.name);
  if (!matrix)
    throw base::InputError(
        names.empty()
            ? "the file contains no DMIG matrices"
            : fmt::format("the file contains no matrix {}, but {}", name, fmt::join(names, ", ")),
        "PARAM,EXTOUT,DMIGPCH punches KAAX and MAAX; other names must be specified", {file, 0, 0});
  const bool is_square = matrix->matrix.form == 1 || matrix->matrix.form == 6;
  if (!is_square || !matrix->matrix.imaginary.empty())
    throw base::InputError(fmt::format("matrix {} is not square and real", name),
                           "stiffness and mass are", {file, 0, 0});
  return *matrix;
}

bool is_before(const imported::Dof& a, const imported::Dof& b) {
  return std::pair(a.node, a.component) < std::pair(b.node, b.component);
}

/// Terms of a square matrix on its own dofs, as terms on more dofs.
imported::Matrix on_dofs(DmigMatrix& matrix, const std::vector<imported::Dof>& dofs) {
  std::vector<std::int64_t> place;
  place.reserve(matrix.rows.size());
  for (const imported::Dof& dof : matrix.rows)
    place.push_back(std::lower_bound(dofs.begin(), dofs.end(), dof, is_before) - dofs.begin());
  imported::Matrix result = std::move(matrix.matrix);
  for (std::int64_t& row : result.rows) row = place[row];
  for (std::int64_t& column : result.columns) column = place[column];
  result.n_rows = result.n_columns = static_cast<std::int64_t>(dofs.size());
  return result;
}

imported::MatrixModel make_dmig_model(std::vector<DmigMatrix> matrices, const std::string& dmig,
                                      const DmigNames& names) {
  DmigMatrix& stiffness = require(matrices, names.stiffness, dmig);
  DmigMatrix& mass = require(matrices, names.mass, dmig);
  const bool has_damping = find(matrices, names.damping) != nullptr;
  imported::MatrixModel model;
  model.source = dmig;
  model.format = "Nastran DMIG";
  for (const DmigMatrix* matrix : {&stiffness, &mass})
    model.dofs.insert(model.dofs.end(), matrix->rows.begin(), matrix->rows.end());
  if (has_damping) {
    const auto& rows = require(matrices, names.damping, dmig).rows;
    model.dofs.insert(model.dofs.end(), rows.begin(), rows.end());
  }
  std::sort(model.dofs.begin(), model.dofs.end(), is_before);
  const auto are_same = [](const imported::Dof& a, const imported::Dof& b) {
    return a.node == b.node && a.component == b.component;
  };
  model.dofs.erase(std::unique(model.dofs.begin(), model.dofs.end(), are_same), model.dofs.end());
  model.stiffness = on_dofs(stiffness, model.dofs);
  model.mass = on_dofs(mass, model.dofs);
  if (has_damping) model.damping = on_dofs(require(matrices, names.damping, dmig), model.dofs);
  return model;
}

}  // namespace

std::vector<DmigMatrix> parse_nastran_dmig(std::string_view bytes, const std::string& file) {
  return DmigReader({file, nullptr, bytes}, refuse_include).read();
}

std::vector<DmigMatrix> read_nastran_dmig(const std::string& path) {
  return DmigReader(open_nastran(path), include_below(path)).read();
}

imported::MatrixModel parse_nastran_matrices(std::string_view bytes, const std::string& dmig,
                                             const DmigNames& names) {
  imported::MatrixModel model = make_dmig_model(parse_nastran_dmig(bytes, dmig), dmig, names);
  warn_of_open_end(ImportBytes(bytes, dmig), model.report);
  return model;
}

imported::MatrixModel read_nastran_matrices(const std::string& dmig, const std::string& bulk,
                                            const DmigNames& names) {
  imported::MatrixModel model = make_dmig_model(read_nastran_dmig(dmig), dmig, names);
  warn_of_open_end(ImportBytes(FileBytes(dmig).bytes(), dmig), model.report);
  if (!bulk.empty()) imported::place_nodes(model, read_nastran_bulk(bulk));
  return model;
}

}  // namespace solidyn::formats
