#pragma once
#include "model/bodies/build_bodies.h"

namespace solidyn::model {

/// Of a load on nodes or faces: where and of which kind.
reduction::LoadDefinition load_definition(const LoadDescription& load);

/// What modal and floating-frame bodies must know of the loads on their nodes and faces.
std::vector<reduction::LoadDefinition> load_definitions(const ModelDescription& model,
                                                        const BodyDescription& body);

/// Adds a load to the system. Bodies are there; those in absolute coordinates have theirs already.
/// @throws base::InputError when it acts on the ground, or on nodes or faces that a reduced-body
///   file does not know
void add_load(const LoadDescription& load, const ModelDescription& model, const PlaceFinder& places,
              BuiltModel& built);

}  // namespace solidyn::model
