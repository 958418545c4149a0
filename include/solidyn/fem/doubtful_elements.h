#pragma once
#include <map>

#include "solidyn/fem/sections.h"
#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::fem {

/// What a body's elements cannot do well where there are few of them.
struct DoubtfulElements {
  /// By type, the share of the body's volume in elements that are too stiff in bending (tet4,
  /// wedge6, pyramid5, and hex8 but for incompatible modes) and have a node on the surface. n such
  /// elements through the thickness of a plate give 2/n in all (n = 1: 1), across a bar
  /// 1 - ((n - 2)/n)^2, across a block 1 - ((n - 2)/n)^3.
  std::map<elements::ElementType, double> locking;
  double locking_share() const;

  /// All solids are hex20 with the reduced rule, and no two of them stand beside each other but in
  /// one row: n of them have n + 1 motions without energy beside the rigid ones.
  bool is_row_of_reduced_hex20 = false;
};

/// Above it a body bends noticeably too stiffly: up to 3 elements through a plate, 5 across a bar.
constexpr double kDoubtfulShare = 0.6;

/// Collective. @param sections of the mesh's regions; of a mesh without regions
///   (mesh::ElementBlock::regions) an element counts when it would in every section.
DoubtfulElements find_doubtful_elements(const mesh::DistributedMesh& mesh,
                                        const Sections& sections);

}  // namespace solidyn::fem
