#pragma once
#include <cstdint>
#include <vector>

#include "solidyn/mesh/mesh.h"

namespace solidyn::formats {

/// A VTK cell type that can be read. Private to reader and writer of VTU.
struct VtuType {
  int number = 0;
  elements::ElementType type = elements::ElementType::tet4;
  int n_nodes = 0;         ///< in the file, with those inside faces
  std::vector<int> order;  ///< our node i is the cell's node order[i]
};

/// nullptr when cells of this number are not supported.
const VtuType* find_vtu_type(std::int64_t number);
const VtuType& vtu_type(elements::ElementType type);
inline constexpr int kVtuVertex = 1, kVtuPolyVertex = 2;

}  // namespace solidyn::formats
