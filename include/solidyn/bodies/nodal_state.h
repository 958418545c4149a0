#pragma once
#include "solidyn/base/petsc.h"

namespace solidyn::bodies {

/// The distributed unknowns of a full-mesh body: nodal displacements, velocities and accelerations
/// in body axes, xyz per node, PETSc layout of the mesh. On absolute coordinates the axes are the
/// world's and displacements count from the coordinates in the mesh: node k is at x_k + u_k.
struct NodalState {
  base::Vec u, du, ddu;
  NodalState clone() const;
  void copy_from(const NodalState& other);
};

}  // namespace solidyn::bodies
