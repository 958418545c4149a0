#pragma once
#include "model/bodies/flexible_entry.h"
#include "solidyn/model/build.h"

namespace solidyn::bodies {
class FloatingFrameBody;
class SolidBody;
}  // namespace solidyn::bodies

namespace solidyn::model {

/// How the stress of a body is found, by the stress modes that it was reduced with.
BuiltStress stress_of_modal_body(const reduction::ReducedBody& body);

/// Collective. Of bodies with all nodes, at what the description wants.
/// @throws base::InputError (on all ranks) for places without a node
BuiltStress stress_of_floating_frame_body(const fem::Sections& sections, const FlexibleEntry& d,
                                          const bodies::FloatingFrameBody& body);
BuiltStress stress_of_solid_body(const FlexibleEntry& d, const bodies::SolidBody& body);

}  // namespace solidyn::model
