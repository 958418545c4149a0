#include "integrators/clusters.h"

#include "solidyn/bodies/element_body.h"
#include "solidyn/bodies/superelement.h"

namespace solidyn::integrators {
namespace {

using bodies::BodyIndex;
using SparseMatrix = Eigen::SparseMatrix<double>;

// Bodies that are connected have one root.
class Roots {
 public:
  explicit Roots(const system::System& system) {
    for (const BodyIndex i : system.bodies()) parent_.push_back(i);
  }
  BodyIndex of(BodyIndex body) {
    while (parent_[body] != body) body = parent_[body] = parent_[parent_[body]];
    return body;
  }
  void connect(const std::vector<BodyIndex>& bodies) {
    for (const BodyIndex other : bodies) parent_[of(other)] = of(bodies.front());
  }
  void connect(BodyIndex body, const std::vector<BodyIndex>& others) {
    for (const BodyIndex other : others) parent_[of(other)] = of(body);
  }

 private:
  base::IndexedVector<BodyIndex, BodyIndex> parent_;
};

Roots find_roots(const system::System& system) {
  Roots roots(system);
  for (const bodies::ConstraintIndex c : system.constraints())
    roots.connect(system.constraint(c).bodies());
  for (const forces::ForceIndex f : system.forces()) {
    const forces::Force& force = system.force(f);
    if (force.as_set_valued() || force.bodies().empty()) continue;
    roots.connect(force.bodies());
    for (const bodies::ConstraintIndex c : force.constraints())
      roots.connect(force.bodies().front(), system.constraint(c).bodies());
  }
  const system::Connectivity& connectivity = system.connectivity();
  for (std::size_t k = 0; k < connectivity.superelements().size(); ++k)
    roots.connect(connectivity.body_of_superelement(static_cast<int>(k)),
                  connectivity.superelements()[k]->carriers());
  for (std::size_t k = 0; k < connectivity.element_bodies().size(); ++k)
    roots.connect(connectivity.body_of_elements(static_cast<int>(k)),
                  connectivity.element_bodies()[k]->nodes());
  return roots;
}

}  // namespace

// Multipliers belong to the bodies of their constraint; those on the ground alone to any.
Clusters::Clusters(const system::System& system) : of_unknown(system.layout().n_unknowns(), 0) {
  const system::Layout& layout = system.layout();
  Roots roots = find_roots(system);
  base::IndexedVector<BodyIndex, int> number(system.bodies().size(), -1);
  int n_found = 0;
  const auto cluster_of = [&](BodyIndex body) {
    int& cluster = number[roots.of(body)];
    if (cluster < 0) cluster = n_found++;
    return cluster;
  };
  for (const BodyIndex b : system.bodies())
    std::fill_n(of_unknown.begin() + layout.velocity_offset(b), layout.n_velocities(b),
                cluster_of(b));
  for (const bodies::ConstraintIndex c : system.constraints()) {
    const joints::Constraint& constraint = system.constraint(c);
    if (constraint.bodies().empty()) continue;
    std::fill_n(of_unknown.begin() + layout.n_velocities() + layout.constraint_offset(c),
                constraint.n_rows(), cluster_of(constraint.bodies().front()));
  }
  unknowns.resize(n_found);
  is_grounded.assign(n_found, false);
  for (const bodies::ConstraintIndex c : system.constraints()) {
    const joints::Constraint& constraint = system.constraint(c);
    if (constraint.is_between_bodies() && constraint.bodies().size() == 1)
      is_grounded[cluster_of(constraint.bodies().front())] = true;
  }
  for (std::size_t i = 0; i < of_unknown.size(); ++i)
    unknowns[of_unknown[i]].push_back(static_cast<int>(i));
}

void ClusterFactors::factor() {
  SparseMatrix within = sparse();
  within.prune([&](Eigen::Index row, Eigen::Index column, double value) {
    return value != 0.0 && clusters_.of_unknown[row] == clusters_.of_unknown[column];
  });
  lu_.compute(within);
  if (lu_.has_failed()) throw_singular();
}

}  // namespace solidyn::integrators
