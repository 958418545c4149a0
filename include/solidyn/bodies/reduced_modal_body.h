#pragma once
#include "solidyn/bodies/frame.h"
#include "solidyn/bodies/modal_body.h"

namespace solidyn::bodies {

/// A body by what a reduction found of it. Interfaces and points become frames by frame_at(); a
/// body that kept its rigid modes also wants a joints::ReferenceCondition.
std::unique_ptr<ModalBody> make_modal_body(std::string name, const reduction::ReducedBody& reduced);

/// The frame of an interface, or of a tracked point, which moves as the modes move it; axes are the
/// mesh's. @param body index of the modal body in the system
/// @pre the interface does not attach by a virtual body (then joints::RigidFlexibleJoint carries
/// it)
Frame frame_at(BodyIndex body, const reduction::ReducedInterface& interface);
Frame frame_at(BodyIndex body, const reduction::TrackedPoint& point);

}  // namespace solidyn::bodies
