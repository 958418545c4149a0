#pragma once
#include <Eigen/Dense>

#include "model/bodies/build_bodies.h"
#include "solidyn/reduction/support.h"

namespace solidyn::model {

/// The supports of a body as its mesh sees them, in mesh axes.
std::vector<reduction::SupportDefinition> support_definitions(const ModelDescription& model,
                                                              const BodyEntry& body);

/// The interfaces that the supports of a superelement are: rigid regions, which shared_nodes.h ties
/// to the ground.
std::vector<mesh::InterfaceDefinition> support_interfaces(const ModelDescription& model,
                                                          const BodyEntry& body);
std::string support_interface_name(const std::string& support);

/// Holds a body of modes by one row for each independent component of its supports.
/// @throws base::InputError when a reduced-body file does not know a support
void add_supports(const ModelDescription& model, const BodyEntry& body, bodies::BodyIndex index,
                  const std::vector<reduction::ReducedSupport>& supports, BuiltModel& built);

}  // namespace solidyn::model
