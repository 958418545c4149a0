#pragma once
#include "model/language/field.h"

namespace solidyn::model {

/// Body or mesh axes B in the world at t = 0, or a frame F in body axes.
struct PoseDescription {
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< m

  static const Fields<PoseDescription>& fields();
};

/// A named frame of a rigid body.
struct FrameDescription {
  std::string name;
  PoseDescription pose;  ///< in body axes

  static const Fields<FrameDescription>& fields();
};

/// At t = 0.
struct VelocityDescription {
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();   ///< of the body's origin, world, m/s
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();  ///< world axes, rad/s

  static const Fields<VelocityDescription>& fields();
};

}  // namespace solidyn::model
