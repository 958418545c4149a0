#include "solidyn/mesh/boundary.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "solidyn/elements/topology.h"

namespace solidyn::mesh {
namespace {

constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::max();

struct KeyedFace {
  std::array<std::int32_t, 4> corners;  // sorted; a triangle's last one is kNone
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
    const std::vector<elements::Face>& table = elements::faces(block.type);
    faces.reserve(faces.size() + table.size() * block.size());
    for (std::int32_t e = 0; e < block.size(); ++e) {
      const std::int32_t* nodes = &block.connectivity[static_cast<std::size_t>(e) * n];
      for (std::size_t f = 0; f < table.size(); ++f) {
        KeyedFace face{{kNone, kNone, kNone, kNone},
                       static_cast<std::int32_t>(b),
                       e,
                       static_cast<std::int32_t>(f)};
        for (int i = 0; i < n_corners(table[f].type); ++i)
          face.corners[i] = nodes[table[f].nodes[i]];
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

ElementType type_of(const Mesh& mesh, const KeyedFace& face) {
  return faces(mesh.blocks[face.block].type)[face.face].type;
}

/// Outer faces with four corners of which three are those of an outer triangle. `outer` is sorted.
std::int64_t count_split(const std::vector<KeyedFace>& outer) {
  const auto is_triangle = [&outer](const std::array<std::int32_t, 4>& corners) {
    const auto found =
        std::lower_bound(outer.begin(), outer.end(), corners,
                         [](const KeyedFace& face, const auto& key) { return face.corners < key; });
    return found != outer.end() && found->corners == corners;
  };
  return std::count_if(outer.begin(), outer.end(), [&](const KeyedFace& face) {
    const auto& c = face.corners;
    return c[3] != kNone &&
           (is_triangle({c[0], c[1], c[2], kNone}) || is_triangle({c[0], c[1], c[3], kNone}) ||
            is_triangle({c[0], c[2], c[3], kNone}) || is_triangle({c[1], c[2], c[3], kNone}));
  });
}

}  // namespace

FaceFaults count_face_faults(const Mesh& mesh) {
  FaceFaults faults;
  std::vector<KeyedFace> outer;
  for_each_face(mesh, [&](auto first, auto last) {
    if (last - first > 2) ++faults.n_overfull;
    if (last - first == 2 && type_of(mesh, *first) != type_of(mesh, *std::next(first)))
      ++faults.n_mixed;
    if (last - first == 1) outer.push_back(*first);
  });
  faults.n_split = count_split(outer);
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
  std::map<ElementType, ElementBlock> block_of;
  for (const BoundaryFace& outer : faces) {
    const ElementBlock& solids = *mesh.find_block(outer.solid);
    const elements::Face& face = elements::faces(outer.solid)[outer.face];
    ElementBlock& block = block_of[face.type];
    const std::size_t first = static_cast<std::size_t>(outer.element) * n_nodes(outer.solid);
    for (int i = 0; i < n_nodes(face.type); ++i)
      block.connectivity.push_back(solids.connectivity[first + face.nodes[i]]);
    block.tags.push_back(solids.tags[outer.element]);
  }
  std::vector<ElementBlock> blocks;
  for (auto& [type, block] : block_of) {
    block.type = type;
    blocks.push_back(std::move(block));
  }
  return blocks;
}

}  // namespace solidyn::mesh
