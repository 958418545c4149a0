#pragma once
#include "model/bodies/build_bodies.h"

namespace solidyn::model {

/// Collective. Adds all superelements of the model, with a massless body (a node) for every
/// interface that rides on nothing else, and names in built.shared_joints the `fixed` joints that
/// need no constraint: those between an interface and another one, a rigid body or the ground,
/// unless they forbid it (`share: false`), are read by a sensor, or hold what is held already. The
/// other bodies are there.
/// @throws base::InputError about the bodies, all at once
void add_superelements(const BodyBuilder& builder);

/// @throws base::InputError when the frame rides on the deformation of a superelement, as its
/// points do: there nothing can act
void refuse_point_of_superelement(const BuiltModel& built, const bodies::Frame& frame,
                                  const PlaceDescription& place);

}  // namespace solidyn::model
