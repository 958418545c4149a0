#pragma once
#include "solidyn/recursive/tree.h"

/// Dense matrices of trees, from their motion and their bodies alone: no sweep takes part but the
/// outward one of poses and velocities.
namespace solidyn::testing_support {

/// d(velocities of bodies)/d(speeds), column by column. [n_velocities x n_speeds]
inline Eigen::MatrixXd jacobian(recursive::Tree& tree, const Eigen::VectorXd& q,
                                system::State& state) {
  Eigen::MatrixXd J(state.v.size(), tree.n_speeds());
  for (int i = 0; i < tree.n_speeds(); ++i) {
    const Eigen::VectorXd u = Eigen::VectorXd::Unit(tree.n_speeds(), i);
    tree.compute_motion(q.data(), u.data());
    tree.write(state);
    J.col(i) = state.v;
  }
  return J;
}

/// Block-diagonal, on the velocities of the system. @pre System::update()
inline Eigen::MatrixXd mass_of_bodies(system::System& system) {
  const system::Layout& layout = system.layout();
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(layout.n_velocities(), layout.n_velocities());
  for (const bodies::BodyIndex i : system.bodies()) {
    const int at = layout.velocity_offset(i), n = layout.n_velocities(i);
    Eigen::MatrixXd unused = Eigen::MatrixXd::Zero(n, n), block = unused;
    system.body(i).add_tangent(system.kinematics().bodies[i], Eigen::Vector3d::Zero(),
                               {1.0, 0.0, 0.0}, block, unused);
    M.block(at, at, n, n) = block;
  }
  return M;
}

}  // namespace solidyn::testing_support
