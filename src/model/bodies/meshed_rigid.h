#pragma once
#include "model/bodies/body_entry.h"

namespace solidyn::model {

/// A rigid body whose mesh says its mass, inertia and interfaces.
std::vector<KeySpec> meshed_rigid_keys();
std::shared_ptr<BodyEntry> read_meshed_rigid(const TableView& view, const Scope& scope);

}  // namespace solidyn::model
