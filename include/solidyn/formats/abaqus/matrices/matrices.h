#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "solidyn/imported/matrices.h"

/// What Abaqus writes to .mtx files (doc/formats/matrices.md).
namespace solidyn::formats {

enum class AbaqusMatrixFile {
  coordinate,    ///< lines `row column value`, without labels
  matrix_input,  ///< lines `node, component, node, component, value`
  substructure   ///< `*USER ELEMENT` and `*MATRIX`
};

/// By the first lines. @throws base::InputError when it is none of them
AbaqusMatrixFile kind_of_abaqus_matrix(std::string_view bytes, const std::string& file);

/// K and M of `*MATRIX GENERATE`, `*MATRIX OUTPUT, FORMAT=COORDINATE` or `MATRIX INPUT` (both files
/// of one kind), in the units of the file.
/// @param node_tags  of a COORDINATE file: the nodes of the model in ascending order, each with
///                   three translations; refused when 3 n is not the order. Else unused
/// Nodes that are not positive are internal: each of their rows is a generalised coordinate.
/// @throws base::InputError  Local. Proved by tests/interop/matrices.
imported::MatrixModel read_abaqus_matrices(const std::string& stiffness, const std::string& mass,
                                           const std::vector<std::int64_t>& node_tags = {},
                                           imported::NodeKind kind = imported::NodeKind::of_solids);
imported::MatrixModel parse_abaqus_matrices(
    std::string_view stiffness, const std::string& stiffness_file, std::string_view mass,
    const std::string& mass_file, const std::vector<std::int64_t>& node_tags = {},
    imported::NodeKind kind = imported::NodeKind::of_solids);

/// One of the two by itself, as `stiffness`; without rows (`dofs`) in a COORDINATE file.
imported::MatrixModel parse_abaqus_matrix(std::string_view bytes, const std::string& file);

/// Reduced K, M and D of `*SUBSTRUCTURE MATRIX OUTPUT`, or of `*ELEMENT MATRIX OUTPUT` of one
/// element, with OUTPUT FILE=USER DEFINED; CalculiX' too. Retained nodes carry their labels, with
/// translations and rotations; nodes that are not positive are generalised coordinates. The file
/// places no node. A matrix that it does not hold has no terms, with a warning when it is the mass.
/// @throws base::InputError  Local. Proved by tests/interop/matrices.
imported::MatrixModel read_abaqus_substructure(const std::string& path);
imported::MatrixModel parse_abaqus_substructure(std::string_view bytes, const std::string& file);

}  // namespace solidyn::formats
