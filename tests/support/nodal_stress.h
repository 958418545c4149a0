#pragma once
#include "solidyn/fem/stress_recovery.h"

namespace solidyn::test {

/// The stress of a linear displacement field at a node of a mesh on one rank. @param u [3n]
inline fem::Stress stress_at_node(const mesh::DistributedMesh& mesh,
                                  const fem::IsotropicElastic& material, const Eigen::VectorXd& u,
                                  std::int32_t node) {
  return fem::StressRecovery(mesh, material, {node}).compute(u);
}

}  // namespace solidyn::test
