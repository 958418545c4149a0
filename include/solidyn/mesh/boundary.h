#pragma once
#include "solidyn/mesh/mesh.h"

namespace solidyn::mesh {

/// A face of a solid element that no other element shares.
struct BoundaryFace {
  ElementType solid = ElementType::tet10;  ///< type of the element, hence which block
  std::int64_t element = 0;                ///< position in that block
  int face = 0;                            ///< row of kTetFaces
};

/// The outer faces of the solids in order of block, element, face. Local.
/// @param[out] n_overfull  if given: how many faces three or more elements share (solids overlap)
///
/// Proved by Generators.FacesOfABoxCloseAndPointOutwards.
std::vector<BoundaryFace> find_boundary_faces(const Mesh& mesh, std::int64_t* n_overfull = nullptr);

/// Faces as elements: tri3 for tet4, tri6 for tet10, normals outward, tags those of the solids.
std::vector<ElementBlock> make_face_blocks(const Mesh& mesh,
                                           const std::vector<BoundaryFace>& faces);

}  // namespace solidyn::mesh
