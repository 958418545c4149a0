#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "solidyn/formats/shared/named_bytes.h"
#include "solidyn/imported/matrices.h"

/// What CalculiX writes of `*FREQUENCY, SOLVER=MATRIXSTORAGE`: job.sti, job.mas, job.dof
/// (doc/formats/matrices.md).
namespace solidyn::formats {

/// One line `node.component` per equation. @throws base::InputError with the line
std::vector<imported::Dof> parse_calculix_dofs(std::string_view bytes, const std::string& file);
std::vector<imported::Dof> read_calculix_dofs(const std::string& path);

/// Lines `row column value`; usually the upper triangle.
/// @param order  number of equations; 0: the largest index
imported::Matrix parse_calculix_matrix(std::string_view bytes, const std::string& file,
                                       std::int64_t order);

/// K and M as written by one run, in the units of the file; each may be compressed by gzip. Nodes
/// that the mesh does not hold are internal ones (of C3D8I). Removed degrees of freedom, of
/// supports and of equations, have no rows. @throws base::InputError also when the two hold terms
/// in other places, which one run never does. Local. Proved by tests/interop/matrices.
imported::MatrixModel read_calculix_matrices(const std::string& stiffness, const std::string& mass,
                                             const std::string& dofs);
imported::MatrixModel parse_calculix_matrices(const NamedBytes& stiffness, const NamedBytes& mass,
                                              const NamedBytes& dofs);

}  // namespace solidyn::formats
