#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "solidyn/imported/matrices.h"
#include "solidyn/imported/modal_data.h"
#include "solidyn/imported/solid_model.h"

/// Nastran's OUTPUT2 files (doc/formats/nastran_op2.md).
namespace solidyn::formats {

/// One record of a data block: a record of a table, or a column of a matrix.
struct Op2Record {
  std::size_t offset = 0;   ///< byte of the file where its first piece begins
  std::size_t n_bytes = 0;  ///< of all its pieces
  bool is_column = false;
};

struct Op2Block {
  std::string name;                          ///< as it is announced: "OPHIG"
  std::string header_name;                   ///< as its first record says: may be "OUGV1"
  std::array<std::int64_t, 7> trailer = {};  ///< of a matrix: -, columns, rows, form, type, ..
  std::size_t offset = 0;                    ///< byte of the file
  std::vector<Op2Record> records;            ///< without the first, which holds the name
  bool is_matrix() const { return !records.empty() && records.front().is_column; }
};

/// An OP2 file and what is where in it. Opening walks over all records without looking into them;
/// the functions below read the blocks that they want. Either byte order, words of 4 and 8 bytes,
/// with and without a label, all identified from the file. Copies share the bytes.
class Op2File {
 public:
  /// @throws base::InputError with the byte when the file is damaged or is no OP2 file. Local.
  explicit Op2File(const std::string& path);
  /// From memory, which must outlive this object; `name` is what errors carry.
  Op2File(std::string_view bytes, std::string name);

  const std::string& name() const { return name_; }
  std::string_view bytes() const { return bytes_; }
  const std::vector<Op2Block>& blocks() const { return blocks_; }
  /// The first block with that name, or that name in its header; else null.
  const Op2Block* find(const std::string& name) const;
  int word_bytes() const { return word_bytes_; }  ///< 4 or 8
  bool is_swapped() const { return is_swapped_; }
  bool is_big_endian() const;
  bool has_label() const { return !version_.empty(); }
  const std::array<int, 3>& date() const { return date_; }  ///< month, day, year of the label
  const std::string& version() const { return version_; }   ///< of Nastran; "" without label
  /// Whether the key that closes a file stands at its end. Where it is missing, blocks may be too.
  bool is_closed() const { return is_closed_; }

 private:
  friend class Op2Walker;
  void walk();

  std::shared_ptr<const void> holder_;  // copies share the mapped file
  std::string_view bytes_;
  std::string name_;
  std::vector<Op2Block> blocks_;
  int word_bytes_ = 4;
  bool is_swapped_ = false, is_closed_ = false;
  std::array<int, 3> date_ = {};
  std::string version_;
};

/// Whether the file holds eigenvectors, real or complex.
bool has_op2_modes(const Op2File& file);

/// Eigenvectors of one subcase (0: of the first that has some; others are named in the report).
/// Blocks OUG*, OPHIG, BOUG* and their like, identified by their table code, not by name.
/// Eigenvalues and generalised masses come from LAMA where there is one. Coordinates, and axes of
/// grids with a CD, come from the file's BGPDT, GEOM1 and CSTM; x is empty when some grid has no
/// coordinates there. Components stay in the axes of the file. Scalar points are counted in
/// report.skipped. Rotations that are all zero are left out.
/// @throws base::InputError when there are no eigenvectors, naming what the file holds instead
imported::ModalData read_op2_modes(const Op2File& file, int subcase = 0);

/// All matrices of the file, in its order, with all their terms; imported::Matrix as from OP4.
/// @throws base::InputError with the byte when a matrix contradicts its trailer
std::vector<imported::Matrix> read_op2_matrices(const Op2File& file);

/// What each row of a g-size matrix (KGG, MGG) is, from EQEXIN.
/// @throws base::InputError when there is no EQEXIN, or it names a row twice or not at all
std::vector<imported::Dof> read_op2_dofs(const Op2File& file);

/// Stiffness and mass of g-size with their dofs, coordinates and axes of grids.
/// @param stiffness, mass  names of blocks
/// @throws base::InputError when one is missing, not square, or not as large as the dofs of EQEXIN
imported::MatrixModel read_op2_matrix_model(const Op2File& file,
                                            const std::string& stiffness = "KGG",
                                            const std::string& mass = "MGG");

/// Nodes, solid elements, materials and PSOLIDs of GEOM1, GEOM2, MPT and EPT as
/// read_nastran_bulk() would give them, with coordinates of BGPDT, which has them in full
/// precision. Other entries are counted in report.skipped.
/// @throws base::InputError when the file holds no grids, or as read_nastran_bulk()
imported::SolidModel read_op2_geometry(const Op2File& file);

}  // namespace solidyn::formats
