#pragma once
#include <Eigen/Dense>

namespace solidyn::fem {

/// Mass, first and second moment: they add over elements and ranks.
struct MassMoments {
  double mass = 0.0;
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();

  /// An element's scalar mass matrix m at its nodes x.
  template <class Nodes, class Mass>
  void add(const Nodes& x, const Mass& m) {
    const auto xm = (x * m).eval();
    mass += m.sum();
    first += xm.rowwise().sum();
    second += xm * x.transpose();
  }

  void add_point(const Eigen::Vector3d& x, double m) {
    mass += m;
    first += m * x;
    second += m * x * x.transpose();
  }
};

}  // namespace solidyn::fem
