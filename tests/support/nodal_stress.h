#pragma once
#include "solidyn/fem/solid_element.h"
#include "solidyn/fem/visit_element.h"
#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::test {

/// sigma_yy of a linear displacement field at a node: the mean over the elements that hold it of
/// what each has there (no extrapolation from quadrature points). One rank, one element block.
/// @param u [3n]
inline double mean_stress_yy(const mesh::DistributedMesh& mesh,
                             const fem::IsotropicElastic& material, const Eigen::VectorXd& u,
                             std::int32_t node) {
  const mesh::ElementBlock& block = mesh.solids[0];
  double sum = 0.0;
  int n = 0;
  fem::visit_element(block.type, [&](auto element) {
    using Element = decltype(element);
    fem::ElementNodes<Element> x, ue;
    for (std::int64_t e = 0; e < block.size(); ++e) {
      int place = -1;
      for (int a = 0; a < Element::n_nodes; ++a) {
        const std::int32_t k = block.connectivity[e * Element::n_nodes + a];
        x.col(a) = mesh.x.col(k);
        ue.col(a) = u.segment<3>(3 * k);
        if (k == node) place = a;
      }
      if (place < 0) continue;
      sum += fem::stress(material, fem::strain<Element>(x, ue, Element::nodes().col(place)))[1];
      ++n;
    }
  });
  return sum / n;
}

}  // namespace solidyn::test
