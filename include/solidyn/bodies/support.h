#pragma once
#include <Eigen/Dense>
#include <array>
#include <string>

#include "solidyn/math/time_function.h"
#include "solidyn/mesh/interface.h"

namespace solidyn::bodies {

/// Components of the displacements of some nodes are prescribed: zero, or functions of time (m,
/// counted from where the body is placed).
struct Support {
  std::string name;
  mesh::NodeSelection nodes;
  std::array<bool, 3> fixes{};
  std::array<math::TimeFunction, 3> displacement;
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< of the components, in W; orthonormal
  bool moves = true;                                   ///< a displacement is not zero
};

}  // namespace solidyn::bodies
