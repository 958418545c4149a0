#pragma once
#include <mpi.h>

#include <string>
#include <vector>

#include "results/row_numbering.h"
#include "results/xdmf.h"
#include "solidyn/base/hdf5.h"

namespace solidyn::results {

/// A part as the ranks write it: its nodes are the rows [first_row, first_row + n_nodes) of all
/// parts'.
struct PlacedPart {
  XdmfPart in_file;
  std::int64_t first_row = 0;
  struct Cells {
    elements::ElementType shape;
    std::int64_t first, n;            // this rank's
    std::vector<std::int64_t> nodes;  // numbered within the part, in XDMF's order
  };
  std::vector<Cells> cells;
};

/// Which rank writes what. The nodes of all parts go through one exchange; a node brings
/// `n_components` numbers: its position, then the part's quantities (and unused ones, where parts
/// have fewer).
struct Placement {
  std::vector<PlacedPart> parts;
  RowExchange nodes;
  std::vector<std::int64_t> tags;  ///< of this rank's block of nodes
  int n_components = 3;
  std::vector<std::int32_t> first_own;  ///< [n parts + 1] where each part's own columns begin

  /// This rank's nodes of a part, numbered within the part: [begin, end).
  struct Range {
    std::int64_t begin, end;
    std::int64_t size() const { return end - begin; }
  };
  Range own_rows(const PlacedPart& part) const;
  std::vector<std::int64_t> own_tags(const PlacedPart& part) const;
};

/// Collective. Throws ComputationError when a node has no owner or several.
Placement place(MPI_Comm comm, const std::vector<FieldPart>& parts);

/// The quantities that a part has at each snapshot, its positions first.
std::vector<FieldQuantity> quantities_of(const XdmfPart& part);

/// Where the numbers of fields.h5 are, in bytes.
struct FieldOffsets {
  std::int64_t times = 0;
  std::vector<std::int64_t> topology;   ///< per part: its nodes, then its cells by shape
  std::vector<std::int64_t> snapshots;  ///< per snapshot, per part: positions, quantities
};

/// What fields.h5 is apart from its numbers. All on one rank alone, except that the last one
/// compares this rank's nodes.
void create_fields(const std::string& path, const Placement& placement, std::int64_t n_snapshots);
void add_snapshots(const std::string& path, const Placement& placement, std::int64_t n_before,
                   std::int64_t n_snapshots);
FieldOffsets read_offsets(const std::string& path, const Placement& placement,
                          std::int64_t n_snapshots);
/// Throws InputError when the file shows other parts.
void require_same_parts(const std::string& path, const Placement& placement);

/// @throws base::InputError when the file is not ours, or newer than this program
void require_fields_format(hid_t file, const std::string& path);

/// A snapshot is complete when its time is known, and only then: until then it is NaN.
std::vector<double> read_times(const std::string& path);

}  // namespace solidyn::results
