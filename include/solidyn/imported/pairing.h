#pragma once
#include <Eigen/Sparse>
#include <cstdint>

#include "solidyn/imported/matrices.h"
#include "solidyn/imported/solid_model.h"

/// Do the stiffness and the mass of a body belong together? A file that was cut off at the end of a
/// line, or is of another mesh, is in itself a good one.
namespace solidyn::imported {

struct Pairing {
  /// Translations with stiffness and no mass, and the other way round.
  std::int64_t n_massless = 0, n_soft = 0;
  /// Pairs of nodes whose translations either matrix couples, and those that only one does. 0 for a
  /// lumped mass, which couples nothing.
  std::int64_t n_pairs = 0, n_only_in_stiffness = 0, n_only_in_mass = 0;
};

/// @param stiffness, mass  [n x n], both triangles, rows as `dofs`
/// Proved by Pairing.*
Pairing measure_pairing(const std::vector<Dof>& dofs, const Eigen::SparseMatrix<double>& stiffness,
                        const Eigen::SparseMatrix<double>& mass);

/// Refuses what no mesh of solids has: nodes of its elements that one of the matrices leaves out.
/// Nodes of elements that the file gives a density of 0, while others have one, may have no mass.
/// Local. @pre model.dofs fits the matrices
/// @throws base::InputError that names the file at fault
/// Proved by Pairing.* and tests/interop/imported_bodies.
void refuse_missing_rows(const MatrixModel& model, const SolidModel& mesh);

}  // namespace solidyn::imported
