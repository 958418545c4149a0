#pragma once
#include "solidyn/mesh/mesh.h"

namespace solidyn::mesh {

/// A face of a solid element that no other element shares.
struct BoundaryFace {
  ElementType solid = ElementType::tet10;  ///< type of the element, hence which block
  std::int64_t element = 0;                ///< position in that block
  int face = 0;                            ///< entry of faces(solid)
};

/// The outer faces of the solids in order of block, element, face. Local.
/// Proved by Generators.FacesOfABoxCloseAndPointOutwards.
std::vector<BoundaryFace> find_boundary_faces(const Mesh& mesh);

/// Faces at which the solids do not fit together.
struct FaceFaults {
  std::int64_t n_overfull = 0;  ///< shared by three or more elements: the solids overlap
  std::int64_t n_mixed = 0;  ///< between elements with and without mid-side nodes, which hang free
  std::int64_t n_split = 0;  ///< with four corners, against triangles, which move otherwise
};
FaceFaults count_face_faults(const Mesh& mesh);

/// Faces as elements (tri3, tri6, quad4, quad8), normals outward, tags those of the solids. One
/// block for each type that occurs.
std::vector<ElementBlock> make_face_blocks(const Mesh& mesh,
                                           const std::vector<BoundaryFace>& faces);

}  // namespace solidyn::mesh
