#pragma once
#include "random_bodies.h"
#include "solidyn/bodies/superelement.h"

namespace solidyn::testing_support {

/// A cloud of masses with random shapes as a reduced body with random interfaces: no structure that
/// a wrong formula could hide behind. Point "at_<k>" moves as interface k does.
inline reduction::ReducedBody make_reduced_cloud(const MassCloud& cloud, int n_interfaces) {
  std::mt19937 g(21);
  const auto n = static_cast<int>(cloud.X.size());
  const Eigen::Index n_nodes = cloud.x.cols();
  reduction::ReducedBody body;
  body.inertia = cloud.invariants();
  body.M = cloud.mass_matrix();
  body.K = 50.0 * cloud.stiffness(3);
  body.D = 0.2 * cloud.stiffness(4);
  body.modes.resize(n);
  body.amplitude = Eigen::VectorXd::Ones(n);
  for (int k = 0; k < n_interfaces; ++k) {
    reduction::ReducedInterface i;
    i.name = "interface_" + std::to_string(k);
    i.x_B = random_vector(g, 3);
    i.Psi_t = Eigen::Map<const Eigen::MatrixXd>(random_vector(g, 3 * n).data(), 3, n);
    i.Psi_r = Eigen::Map<const Eigen::MatrixXd>(random_vector(g, 3 * n).data(), 3, n);
    body.interfaces.push_back(i);
    body.points.push_back({"at_" + std::to_string(k), i.x_B, i.Psi_t});
  }
  body.mesh.x = cloud.x;
  body.X.resize(3 * n_nodes, n);
  for (int i = 0; i < n; ++i)
    body.X.col(i) = Eigen::Map<const Eigen::VectorXd>(cloud.X[i].data(), 3 * n_nodes);
  return body;
}

}  // namespace solidyn::testing_support
