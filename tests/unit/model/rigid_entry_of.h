#pragma once
#include "model/bodies/rigid_entry.h"

namespace solidyn::model {

/// The i-th body. @pre it is rigid, by mass and inertia
inline const RigidEntry& rigid(const ModelDescription& model, int i) {
  return dynamic_cast<const RigidEntry&>(*model.bodies[i]);
}

}  // namespace solidyn::model
