#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "solidyn/formats/shared/named_bytes.h"
#include "solidyn/imported/matrices.h"

/// Matrices that any program can write: Matrix Market files, and a list of what their rows are
/// (doc/formats/matrices.md).
namespace solidyn::formats {

/// `%%MatrixMarket matrix coordinate|array real|integer general|symmetric`; what scipy.io.mmwrite
/// and Matlab's mmwrite make. A term that is given twice counts as the sum.
/// @throws base::InputError with the line, for complex, pattern, skew and hermitian matrices too
imported::Matrix parse_matrix_market(std::string_view bytes, const std::string& file);

/// One line `node component` per row of the matrices; components 1 to 3 are translations, 4 to 6
/// rotations, 0 a generalised coordinate. Lines that begin with % or # are comments.
std::vector<imported::Dof> parse_dof_map(std::string_view bytes, const std::string& file);

/// K and M of two Matrix Market files, in the units of the files.
/// @param dof_map  the file of parse_dof_map
/// @throws base::InputError when matrices and map differ in size. Local.
imported::MatrixModel parse_matrix_market_pair(const NamedBytes& stiffness, const NamedBytes& mass,
                                               const NamedBytes& dof_map);

/// The same, with rows 1, 2, 3 of the first node, then of the next.
/// @param node_tags  the nodes in the order of the rows, each with three translations
imported::MatrixModel parse_matrix_market_pair(
    const NamedBytes& stiffness, const NamedBytes& mass, const std::vector<std::int64_t>& node_tags,
    imported::NodeKind kind = imported::NodeKind::of_solids);

}  // namespace solidyn::formats
