#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "formats/shared/import_bytes.h"
#include "solidyn/imported/matrices.h"

/// What readers of matrices share. Private to them.
namespace solidyn::formats {

/// Finds out which triangles the terms fill: both, or one, however its rows are ordered. Refuses
/// terms that are given twice.
void settle_triangles(imported::Matrix& matrix, ImportBytes& file);

/// Lines `row column value`, counted from 1, to the end of the file. The order is the largest index
/// when `order` is 0; else larger ones are refused.
imported::Matrix parse_coordinates(ImportBytes& file, std::int64_t order);

/// Three translations of each node, and three rotations where the nodes may have them and the order
/// is that of all six. Refuses another number of rows.
std::vector<imported::Dof> components_of(const std::vector<std::int64_t>& node_tags,
                                         imported::NodeKind kind, std::int64_t order,
                                         const std::string& file);

/// Which components the nodes of a superelement have, from a position (from 0) in its list of nodes
/// on, until the next change.
struct ComponentChange {
  std::size_t first = 0;
  std::vector<int> components;
};

/// The rows of a superelement's matrices. Nodes that are not positive are generalised coordinates.
/// @pre changes rise, the first one at 0
std::vector<imported::Dof> superelement_dofs(const std::vector<std::int64_t>& labels,
                                             const std::vector<ComponentChange>& changes,
                                             ImportBytes& file, const char* at);

/// @throws base::InputError when a component of a node has two rows
void refuse_repeated_dofs(const std::vector<imported::Dof>& dofs, const std::string& file);

}  // namespace solidyn::formats
