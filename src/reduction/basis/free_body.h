#pragma once
#include <optional>

#include "reduction/basis/frame_masses.h"
#include "reduction/eigen/pencil.h"
#include "reduction/import/imported_rows.h"
#include "solidyn/reduction/reduce.h"

namespace solidyn::reduction {

/// Rows that imported matrices have beside the translations of the mesh's nodes.
struct ImportedFreedoms {
  ImportedRows rows;
  /// [interfaces] of frames that follow one node with rotations of its own, this rank's rows of
  /// these; else empty. Their axes are the rows' directions.
  std::vector<std::vector<Eigen::Index>> rotations;
};

/// What every step of a reduction works on: the assembled body, its resolved interfaces, and K and
/// M on the independent coordinates.
struct FreeBody {
  const mesh::DistributedMesh& mesh;  ///< must outlive this object
  fem::Sections sections;
  fem::MassKind mass_kind;
  fem::ElasticBody matrices;  ///< its rows are empty after release_rows()
  std::vector<mesh::Interface> interfaces;
  Pencil pencil;
  base::Mat M;                                   ///< the mass operator on all nodes, of these alone
  std::vector<FrameMassRows> frame_masses = {};  ///< rigid masses on frames
  std::vector<HeldNodes> supports = {};
  std::optional<ImportedFreedoms> imported = {};  ///< of matrices that were imported

  /// Frees the assembled rows, which the PETSc matrices repeat.
  void release_rows();
};

/// Collective. Assembles the body and chooses the shift of its pencil (-modes_shift overrides it).
/// Throws InputError: elements, material, interfaces, supports, shift.
FreeBody make_free_body(const mesh::DistributedMesh& mesh, const fem::Sections& sections,
                        const ReductionOptions& options);

/// Collective. The same from imported matrices, which must be those of a free body.
/// Throws InputError: interfaces (also with rigid regions, which matrices know by themselves),
/// rigid motions that meet resistance, a mass that is not one.
FreeBody make_free_body(const mesh::DistributedMesh& mesh, const PlacedMatrices& matrices,
                        const ReductionOptions& options);

}  // namespace solidyn::reduction
