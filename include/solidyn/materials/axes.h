#pragma once
#include <Eigen/Dense>

namespace solidyn::materials {

/// How the axes 1, 2, 3 of a material lie in a body: the same everywhere, or around an axis or a
/// point. Copies freely; elements take those at the mean of their nodes.
struct Axes {
  enum class Kind {
    rectangular,  ///< R
    cylindrical,  ///< radial, hoop, axial about R's third axis through the origin
    spherical,    ///< radial, away from R's third axis, around it
  };
  Kind kind = Kind::rectangular;
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();     ///< columns: the system's axes, mesh axes
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();    ///< mesh axes, m
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();  ///< of the local axes, in themselves

  /// Columns: axes 1, 2, 3 at x, in mesh axes. On the axis itself those of azimuth 0.
  Eigen::Matrix3d at(const Eigen::Vector3d& x) const;
  bool is_uniform() const { return kind == Kind::rectangular; }
};

}  // namespace solidyn::materials
