#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "formats/nastran/op2/grids.h"
#include "formats/nastran/op2/words.h"
#include "formats/nastran/superelement/matrix_builder.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/nastran/op2/op2.h"

namespace solidyn::formats {
namespace {

using imported::Dof;
using imported::Matrix;

class Op2Matrix : public NastranMatrixPlace {
 public:
  Op2Matrix(const Op2File& file, const Op2Block& block)
      : file_(file), block_(block), offset_(block.offset), builder_(header(), *this) {
    // words of 8 bytes hold a double each, whatever the type says
    const bool takes_two_words = file.word_bytes() == 4 && builder_.is_double();
    is_double_ = file.word_bytes() == 8 || takes_two_words;
    real_bytes_ = is_double_ ? sizeof(double) : sizeof(float);
  }

  Matrix read() {
    if (static_cast<std::int64_t>(block_.records.size()) != block_.trailer[1])
      fail(fmt::format("matrix `{}` has {} columns, but its trailer states {}", block_.name,
                       block_.records.size(), block_.trailer[1]));
    for (std::size_t column = 0; column < block_.records.size(); ++column) {
      offset_ = block_.records[column].offset;
      builder_.begin_column(static_cast<std::int64_t>(column) + 1);
      for (std::string_view piece : op2_pieces(file_, block_.records[column])) add(piece);
    }
    return builder_.finish(is_double_ ? std::numeric_limits<double>::epsilon()
                                      : std::numeric_limits<float>::epsilon());
  }

  [[noreturn]] void fail(const std::string& what) const override { fail_op2(file_, offset_, what); }

 private:
  NastranMatrixHeader header() const {
    const auto& trailer = block_.trailer;
    if (trailer[2] < 0) fail(fmt::format("matrix `{}` has {} rows", block_.name, trailer[2]));
    return {trailer[1], trailer[2], trailer[3], trailer[4], block_.name};
  }

  /// A string of terms: the row of the first, then the terms.
  void add(std::string_view piece) {
    const auto word_bytes = static_cast<std::size_t>(file_.word_bytes());
    const std::int64_t row = word_bytes == 8 ? load<std::int64_t>(piece.data(), file_.is_swapped())
                                             : load<std::int32_t>(piece.data(), file_.is_swapped());
    piece.remove_prefix(word_bytes);
    const std::size_t term_bytes = real_bytes_ * static_cast<std::size_t>(builder_.n_parts());
    if (piece.size() % term_bytes != 0)
      fail(fmt::format("{} bytes are not a whole number of terms of matrix `{}`", piece.size(),
                       block_.name));
    builder_.begin_string(row, static_cast<std::int64_t>(piece.size() / term_bytes));
    for (; !piece.empty(); piece.remove_prefix(term_bytes))
      builder_.add(real(piece.data()),
                   builder_.is_complex() ? real(piece.data() + real_bytes_) : 0.0);
  }

  double real(const char* at) const {
    return is_double_ ? load<double>(at, file_.is_swapped())
                      : static_cast<double>(load<float>(at, file_.is_swapped()));
  }

  const Op2File& file_;
  const Op2Block& block_;
  std::size_t offset_;  ///< of the current column
  NastranMatrixBuilder builder_;
  bool is_double_ = false;
  std::size_t real_bytes_ = 4;
};

Matrix require_matrix(const Op2File& file, const std::string& name, std::size_t n_dofs) {
  const Op2Block* block = file.find(name);
  if (!block || !block->is_matrix())
    throw base::InputError(fmt::format("the file contains no matrix {}", name),
                           "write it with OUTPUT2, or choose another matrix", {file.name(), 0, 0});
  Matrix matrix = Op2Matrix(file, *block).read();
  const auto n = static_cast<std::int64_t>(n_dofs);
  if (matrix.n_rows != n || matrix.n_columns != n)
    throw base::InputError(
        fmt::format(
            "matrix {} is {} x {}, but the grids and scalar points of EQEXIN have {} components",
            name, matrix.n_rows, matrix.n_columns, n),
        "only the rows of g-set matrices (KGG, MGG) are described in the file",
        {file.name(), 0, 0});
  return matrix;
}

/// Points of EQEXIN's second record: their number, and where their rows begin.
struct Sil {
  std::int64_t id = 0, first_row = 0;
  int n_rows = 0;
};

std::vector<Sil> read_sils(const Op2File& file) {
  const auto block = std::find_if(file.blocks().begin(), file.blocks().end(),
                                  [](const Op2Block& b) { return is_op2_family(b, "EQEXIN"); });
  if (block == file.blocks().end() || block->records.size() < 2)
    throw base::InputError(
        "the file contains no table EQEXIN: the degrees of freedom of its matrix rows are unknown",
        "write EQEXIN into it with OUTPUT2", {file.name(), 0, 0});
  const Op2Words words(file, block->records[1]);
  std::vector<Sil> sils;
  sils.reserve(static_cast<std::size_t>(words.size() / 2));
  for (std::int64_t at = 0; at + 1 < words.size(); at += 2) {
    const std::int64_t sil = words.integer(at + 1) / 10, type = words.integer(at + 1) % 10;
    if (type != 1 && type != 2)
      fail_op2(file, block->records[1].offset,
               fmt::format("point {} in EQEXIN has the type {}; expected 1 or 2", words.integer(at),
                           type));
    sils.push_back({words.integer(at), sil - 1, type == 1 ? 6 : 1});
  }
  return sils;
}

}  // namespace

std::vector<Matrix> read_op2_matrices(const Op2File& file) {
  std::vector<Matrix> matrices;
  for (const Op2Block& block : file.blocks())
    if (block.is_matrix()) matrices.push_back(Op2Matrix(file, block).read());
  return matrices;
}

std::vector<Dof> read_op2_dofs(const Op2File& file) {
  const auto sils = read_sils(file);
  std::int64_t n = 0;
  for (const Sil& sil : sils) n += sil.n_rows;
  std::vector<Dof> dofs(static_cast<std::size_t>(n), Dof{-1, 0});
  for (const Sil& sil : sils)
    for (int i = 0; i < sil.n_rows; ++i) {
      const std::int64_t row = sil.first_row + i;
      if (row < 0 || row >= n || dofs[static_cast<std::size_t>(row)].node != -1)
        throw base::InputError(
            fmt::format(
                "EQEXIN assigns to point {} the row {} of {}, which is already used or out of range",
                sil.id, row + 1, n),
            "the table is damaged: write it again", {file.name(), 0, 0});
      dofs[static_cast<std::size_t>(row)] = {sil.id, sil.n_rows == 6 ? i + 1 : 0};
    }
  return dofs;
}

imported::MatrixModel read_op2_matrix_model(const Op2File& file, const std::string& stiffness,
                                            const std::string& mass) {
  imported::MatrixModel model;
  model.source = file.name();
  model.format = "Nastran OP2";
  model.dofs = read_op2_dofs(file);
  model.stiffness = require_matrix(file, stiffness, model.dofs.size());
  model.mass = require_matrix(file, mass, model.dofs.size());
  Op2Grids grids(file, model.report);
  for (const Dof& dof : model.dofs) {
    if (dof.component != 1) continue;
    if (const auto x = grids.find(dof.node)) model.nodes.emplace(dof.node, *x);
  }
  model.node_axes = grids.axes();
  warn_of_open_end(file, model.report);
  return model;
}

}  // namespace solidyn::formats
