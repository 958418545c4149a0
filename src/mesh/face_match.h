#pragma once
#include "solidyn/mesh/mesh_slices.h"

namespace solidyn::mesh {

/// Who touches whom across faces, for the solids that a rank holds, counted over all its blocks of
/// solids. Element e of rank r has the number first_element + e in the whole mesh.
struct FaceMatch {
  std::int64_t first_element = 0;
  std::vector<std::int64_t> offsets;     ///< [n_elements + 1] into neighbours
  std::vector<std::int64_t> neighbours;  ///< whole-mesh numbers, sorted
  std::vector<std::uint8_t> outer;       ///< [n_elements] bit f: face f is an outer face
  std::int64_t n_overfull = 0;           ///< faces of more than two solids, over all ranks
  std::int64_t n_mixed = 0;              ///< faces of a linear and a quadratic solid, likewise
};

/// Collective. Faces are paired on their own rank where both solids are there, else on a rank that
/// a hash of their corners names. So that inner faces need not travel, a third solid is not noticed
/// when it is on another rank than the first two.
FaceMatch match_faces(MPI_Comm comm, const MeshSlices& slices);

}  // namespace solidyn::mesh
