#pragma once
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
BuiltStress stress_of_floating_frame_body(const fem::Sections& sections, const BodyDescription& d,
                                          const bodies::FloatingFrameBody& body);
BuiltStress stress_of_solid_body(const BodyDescription& d, const bodies::SolidBody& body);

/// @throws base::InputError when the body has no such place
analyses::Sensor make_stress_sensor(const SensorDescription& sensor, const BuiltModel& built);

}  // namespace solidyn::model
