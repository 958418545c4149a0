#include "solidyn/fem/temperature.h"

namespace solidyn::fem {

Eigen::VectorXd at_local_nodes(const TemperatureChange& change, const mesh::DistributedMesh& mesh) {
  if (change.is_zero()) return {};
  Eigen::VectorXd values = Eigen::VectorXd::Constant(mesh.n_local(), change.uniform);
  for (std::int32_t i = 0; i < mesh.n_local(); ++i) {
    const auto own = change.at_nodes.find(mesh.node_tags[i]);
    if (own != change.at_nodes.end()) values[i] = own->second;
  }
  return values;
}

}  // namespace solidyn::fem
