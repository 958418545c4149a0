#pragma once
#include "pencil.h"
#include "solidyn/reduction/reduce.h"

namespace solidyn::reduction {

/// What every step of a reduction works on: the assembled body, its resolved interfaces, and K and
/// M on the independent coordinates.
struct FreeBody {
  const mesh::DistributedMesh& mesh;  ///< must outlive this object
  const fem::IsotropicElastic& material;
  fem::MassKind mass_kind;
  fem::ElasticBody matrices;  ///< its rows are empty after release_rows()
  std::vector<mesh::Interface> interfaces;
  Pencil pencil;
  base::Mat M;  ///< the mass operator on all nodes

  /// Frees the assembled rows, which the PETSc matrices repeat.
  void release_rows();
};

/// Collective. Assembles the body and chooses the shift of its pencil (-modes_shift overrides it).
/// Throws InputError: elements, material, interfaces, shift.
FreeBody make_free_body(const mesh::DistributedMesh& mesh, const fem::IsotropicElastic& material,
                        const ReductionOptions& options);

}  // namespace solidyn::reduction
