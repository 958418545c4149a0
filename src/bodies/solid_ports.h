#pragma once
#include "ports.h"
#include "rigid_regions.h"
#include "solidyn/bodies/solid_body.h"

namespace solidyn::bodies {

/// Ports of a solid body, in triples of world components, and what interfaces and points read of
/// them.
struct SolidPorts {
  RigidRegions regions;  ///< of rbe2 interfaces
  PortBasis basis;
  std::vector<SolidInterface> interfaces;
  std::vector<reduction::TrackedPoint> points;
  std::vector<std::int64_t> anchors;  ///< three nodes (global), or none
  Eigen::MatrixXd Psi_anchors;        ///< [9 x n_ports] their displacements

  int size() const { return basis.ports.size(); }
};

/// Collective. Finds the nodes of interfaces and points, and the independent ports among positions
/// and moments of their regions.
SolidPorts make_solid_ports(const mesh::DistributedMesh& mesh, const SolidBodyOptions& options,
                            const Eigen::VectorXd& nodal_mass);

}  // namespace solidyn::bodies
