#pragma once
#include <Eigen/Dense>
#include <filesystem>
#include <string>

namespace solidyn::model {

/// How a body is drawn in reports: a shape in its axes, and a colour. It acts on no result.
struct Appearance {
  enum class Shape { none, box, cylinder, sphere, capsule } shape = Shape::none;
  Eigen::Vector3d size = Eigen::Vector3d::Zero();  ///< box: edges along its axes, m
  double radius = 0.0;                             ///< cylinder, sphere, capsule, m
  /// Cylinder and capsule along their z axis, m; of a capsule between the centres of its ends.
  double length = 0.0;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< of the shape's centre, body axes, m
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();  ///< body axes to shape axes
  /// A file of solid elements whose boundary is drawn instead, in body axes; empty: none.
  std::filesystem::path surface;
  double surface_units = 1.0;  ///< m per unit of that file
  std::string colour;          ///< "#rrggbb"; empty: chosen
};

}  // namespace solidyn::model
