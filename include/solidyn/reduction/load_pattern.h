#pragma once
#include <Eigen/Dense>
#include <string>

#include "solidyn/mesh/interface.h"

namespace solidyn::reduction {

/// Loads whose static response joins a basis. Their size does not matter.
struct LoadPattern {
  enum class Kind {
    pressure,  ///< against the outward normal of faces
    traction,  ///< force per area on faces, along `direction`
    force      ///< on nodes, along `direction`, shared like their masses
  };
  std::string name;
  Kind kind = Kind::pressure;
  mesh::NodeSelection where;  ///< of faces: those outer ones whose nodes are all selected
  Eigen::Vector3d direction = Eigen::Vector3d::UnitX();  ///< mesh axes
};

}  // namespace solidyn::reduction
