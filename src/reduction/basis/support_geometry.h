#pragma once
#include <mpi.h>

#include "solidyn/reduction/support.h"

namespace solidyn::reduction {

/// What components do in rigid motions (a, w) about `centre`: d . u = row . (a, length w).
struct RigidRows {
  using Row = Eigen::Matrix<double, 6, 1>;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double length = 1.0;  ///< of the components' spread, m
  Row row(const HeldComponent& component) const;
};
RigidRows rigid_rows_of(const std::vector<HeldComponent>& components);

/// Those components of which all others follow in rigid motions, the best determined first.
std::vector<std::size_t> find_independent(const std::vector<HeldComponent>& components);

/// What holds all components, if these move like those of a rigid body, in large motion too.
RegionHolds make_region_holds(const std::vector<HeldComponent>& components);

/// The projector on motions (a, length w) that nothing holds.
Eigen::Matrix<double, 6, 6> null_motions(const RigidRows& rows, const RegionHolds& holds);

/// Collective. All ranks' components, in the order of the nodes' tags.
std::vector<HeldComponent> gather_components(MPI_Comm comm, const std::vector<HeldComponent>& mine);

}  // namespace solidyn::reduction
