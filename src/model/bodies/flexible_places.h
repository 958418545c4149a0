#pragma once
#include "model/bodies/build_bodies.h"
#include "model/bodies/flexible_entry.h"
#include "solidyn/mesh/interface_report.h"

namespace solidyn::model {

/// Adds the interfaces and tracked points of a flexible body whose elastic coordinates they are
/// rows of. Interfaces by virtual bodies get theirs, and the constraints that tie them.
void add_flexible_places(const FlexibleEntry& body, bodies::BodyIndex index, int n_elastic,
                         const std::vector<reduction::ReducedInterface>& interfaces,
                         const std::vector<reduction::TrackedPoint>& points,
                         const BodyBuilder& builder);

/// Logs the mass of a body with all nodes, and warns of what may be wrong with its units.
void log_whole_mass(const FlexibleEntry& body, double mass, const Eigen::Vector3d& center_of_mass,
                    const std::string& what);

template <class Interface>
void log_interfaces(const BodyEntry& body, const std::vector<Interface>& interfaces) {
  std::vector<mesh::InterfaceReport> reports;
  for (const Interface& i : interfaces) reports.push_back(i.report);
  mesh::log_interfaces(body.name, reports);
}

}  // namespace solidyn::model
