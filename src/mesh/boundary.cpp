#include "solidyn/mesh/boundary.h"

#include <algorithm>
#include <tuple>

#include "solidyn/mesh/topology.h"

namespace solidyn::mesh {
namespace {

struct KeyedFace {
  std::array<std::int32_t, 3> corners;  // sorted
  std::int32_t block;
  std::int32_t element;
  std::int32_t face;
};

std::vector<KeyedFace> all_faces(const Mesh& mesh) {
  std::vector<KeyedFace> faces;
  for (std::size_t b = 0; b < mesh.blocks.size(); ++b) {
    const ElementBlock& block = mesh.blocks[b];
    if (dimension(block.type) != 3) continue;
    const int n = n_nodes(block.type);
    faces.reserve(faces.size() + 4 * block.size());
    for (std::int32_t e = 0; e < block.size(); ++e) {
      const std::int32_t* nodes = &block.connectivity[static_cast<std::size_t>(e) * n];
      for (std::int32_t f = 0; f < 4; ++f) {
        KeyedFace face{{nodes[kTetFaces[f][0]], nodes[kTetFaces[f][1]], nodes[kTetFaces[f][2]]},
                       static_cast<std::int32_t>(b),
                       e,
                       f};
        std::sort(face.corners.begin(), face.corners.end());
        faces.push_back(face);
      }
    }
  }
  return faces;
}

/// Calls visit(first, last) for each face with the range of elements that have it.
template <class Visit>
void for_each_face(const Mesh& mesh, const Visit& visit) {
  std::vector<KeyedFace> faces = all_faces(mesh);
  std::sort(faces.begin(), faces.end(),
            [](const KeyedFace& a, const KeyedFace& b) { return a.corners < b.corners; });
  auto last = faces.cbegin();
  for (auto first = last; first != faces.cend(); first = last) {
    while (last != faces.cend() && last->corners == first->corners) ++last;
    visit(first, last);
  }
}

}  // namespace

FaceFaults count_face_faults(const Mesh& mesh) {
  FaceFaults faults;
  for_each_face(mesh, [&faults](auto first, auto last) {
    if (last - first > 2) ++faults.n_overfull;
    if (last - first == 2 && first->block != std::next(first)->block) ++faults.n_mixed;
  });
  return faults;
}

std::vector<BoundaryFace> find_boundary_faces(const Mesh& mesh) {
  std::vector<KeyedFace> outer;
  for_each_face(mesh, [&outer](auto first, auto last) {
    if (last - first == 1) outer.push_back(*first);
  });
  std::sort(outer.begin(), outer.end(), [](const KeyedFace& a, const KeyedFace& b) {
    return std::tie(a.block, a.element, a.face) < std::tie(b.block, b.element, b.face);
  });
  std::vector<BoundaryFace> result;
  result.reserve(outer.size());
  for (const KeyedFace& face : outer)
    result.push_back({mesh.blocks[face.block].type, face.element, face.face});
  return result;
}

std::vector<ElementBlock> make_face_blocks(const Mesh& mesh,
                                           const std::vector<BoundaryFace>& faces) {
  ElementBlock tri3{ElementType::tri3, {}, {}}, tri6{ElementType::tri6, {}, {}};
  for (const BoundaryFace& face : faces) {
    const ElementBlock& solids = *mesh.find_block(face.solid);
    ElementBlock& block = face.solid == ElementType::tet10 ? tri6 : tri3;
    const std::size_t first = static_cast<std::size_t>(face.element) * n_nodes(face.solid);
    for (int i = 0; i < n_nodes(block.type); ++i)
      block.connectivity.push_back(solids.connectivity[first + kTetFaces[face.face][i]]);
    block.tags.push_back(solids.tags[face.element]);
  }
  std::vector<ElementBlock> blocks;
  if (tri3.size()) blocks.push_back(std::move(tri3));
  if (tri6.size()) blocks.push_back(std::move(tri6));
  return blocks;
}

}  // namespace solidyn::mesh
