#pragma once
#include <Eigen/Geometry>

namespace solidyn::system {

/// Of a body with rigid motions whose configuration begins at `at` in State::q, from its axes to W.
inline Eigen::Quaterniond orientation_of(const Eigen::VectorXd& q, int at) {
  return {q[at + 3], q[at + 4], q[at + 5], q[at + 6]};
}

}  // namespace solidyn::system
