#pragma once
#include <map>
#include <variant>

#include "solidyn/imported/matrices.h"
#include "solidyn/imported/modal_data.h"
#include "solidyn/reduction/reduce.h"

namespace solidyn::reduction {

/// Point masses of nodes by their tags, kg; a node that is not named has none.
using NodalMasses = std::map<std::int64_t, double>;

/// What a body with imported modes weighs, and where: its elements with the densities of sections
/// (options.mass says how; the elastic constants do not matter), masses of nodes, or the mass
/// matrix of a MatrixModel on the translations of the nodes (its stiffness is not read).
using MassSource = std::variant<fem::Sections, NodalMasses, imported::MatrixModel>;

/// How well imported modes fit the mass they are given.
struct ModalFit {
  int n_rigid = 0;    ///< rigid modes of the file, replaced by the exact ones
  int n_unused = 0;   ///< elastic modes beyond those requested
  int n_dropped = 0;  ///< modes that the others span
  /// Largest |phi_i^T M phi_j| / sqrt(m_i m_j), i != j, of the file's elastic modes.
  double orthogonality = 0.0;
  /// Largest | m_i / m - 1 |, m_i = phi_i^T M phi_i, m the file's generalised mass, or 1 where it
  /// does not say; but for modes without it whose largest component is 1.
  double normalisation = 0.0;
  /// Largest part of m_i that is rigid motion, which is taken out: 0 for modes of a free body.
  double rigid_part = 0.0;
  /// Largest relative change of a frequency from the file to the body, where that is free.
  double frequency_change = 0.0;
};

/// Collective. A body from natural modes that another program found: rigid modes among them are
/// recognised by their shape and replaced by exact ones, elastic ones are made M-orthogonal to the
/// rigid motions (the mean-axis condition, as reduce() guarantees) and M-orthonormal by Ritz's
/// method with K = diag(omega_i^2 phi_i^T M phi_i), omega_i the file's frequencies; so modes of a
/// supported body are understood as well. Static answers cannot be made from modes alone: the
/// a warning reports that static_correction is missing. doc/theory/imported_bodies.md.
///
/// Interfaces of every kind follow the nodes' displacements; an rbe2 region moves as the modes move
/// it, in the mean.
/// @param mesh     its nodes by their tags; without solids a cloud, whose mass is not of elements
/// @param modes    in SI, read on rank 0 only; every node of the mesh must have its row
/// @param options  free_free elastic modes, lowest first, or those up to free_free_up_to; both 0:
///   all. `damping`, `interfaces`, `points`, `keep_rigid_modes`, `mass` count, `stress` for bodies
///   with a material, and `masses` where the mass is that of elements.
/// @param mass     nodal masses and matrices are read on rank 0 only
/// @throws base::InputError for complex modes, nodes without rows or with other coordinates, fewer
///   modes than asked for, fixed-interface and constraint modes, static loads, modes that deform
///   the body at zero frequency
/// Proved by ReduceModes.* (unit, mpi) and the rod of tests/interop/imported_bodies.
ReducedBody reduce_modes(mesh::DistributedMesh mesh, const imported::ModalData& modes,
                         const MassSource& mass, const ReductionOptions& options,
                         ModalFit* fit = nullptr);

}  // namespace solidyn::reduction
