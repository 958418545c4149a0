#pragma once
#include "solidyn/beams/section_pair.h"
#include "solidyn/bodies/body.h"

namespace solidyn::bodies {

/// Motion of a section at the origin of a node, a body with six velocities; R_NS are the section's
/// axes in the node's.
inline beams::SectionMotion section_of(const BodyState& node, const Eigen::Matrix3d& R_NS) {
  return {node.p_WB,        node.R_WB * R_NS,
          node.v_WB(),      R_NS.transpose() * node.w_WB_B(),
          node.a.head<3>(), R_NS.transpose() * node.a.segment<3>(3)};
}

}  // namespace solidyn::bodies
