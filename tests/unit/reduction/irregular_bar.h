#pragma once
#include <petscsys.h>

#include "solidyn/fem/material.h"
#include "solidyn/mesh/distributed_mesh.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::reduction {

inline const fem::IsotropicElastic kSteel{2.1e11, 0.3, 7850.0};

// An irregular bar away from the origin, its long side along x.
inline mesh::DistributedMesh make_bar() {
  mesh::BoxOptions box;
  box.size = {0.2, 0.03, 0.02};
  box.origin = {0.5, -0.2, 0.1};
  box.nx = 10;
  box.ny = 2;
  box.nz = 2;
  box.perturbation = 0.15;
  return mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box));
}

}  // namespace solidyn::reduction
