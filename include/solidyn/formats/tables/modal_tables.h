#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "solidyn/imported/modal_data.h"

/// Modal data as plain tables, which any program can write (doc/formats/tables.md). Columns are
/// separated by commas, semicolons, blanks or tabs; `#` begins a comment; the first line may name
/// the columns. Numbers are in the units of the user. Local; all throw base::InputError with the
/// line. Proved by tests/interop/modal_tables.
namespace solidyn::formats {

/// Modes: a line `mode, frequency, node, ux, uy, uz` for each node of each mode. Frequencies are
/// cycles per unit of time (Hz), shapes of any size. Modes may come in any order; all have the
/// nodes of the first. No coordinates, no generalised masses.
imported::ModalData parse_mode_table(std::string_view bytes, const std::string& file);
imported::ModalData read_mode_table(const std::string& path);

struct NodeTable {
  std::vector<std::int64_t> order;  ///< node numbers, as the lines come
  std::map<std::int64_t, Eigen::Vector3d> places;
  std::map<std::int64_t, double> masses;
  imported::ImportReport report;
};

/// Nodes: lines `node, x, y, z, mass`.
NodeTable parse_node_table(std::string_view bytes, const std::string& file);
NodeTable read_node_table(const std::string& path);

/// The same without masses, which a matrix has: lines `node, x, y, z`.
NodeTable parse_place_table(std::string_view bytes, const std::string& file);
NodeTable read_place_table(const std::string& path);

/// Point masses: lines `node mass`.
std::map<std::int64_t, double> parse_nodal_masses(std::string_view bytes, const std::string& file);
std::map<std::int64_t, double> read_nodal_masses(const std::string& path);

}  // namespace solidyn::formats
