#include "solidyn/bodies/reduced_modal_body.h"

#include "solidyn/base/error.h"

namespace solidyn::bodies {

std::unique_ptr<ModalBody> make_modal_body(std::string name,
                                           const reduction::ReducedBody& reduced) {
  return std::make_unique<ModalBody>(std::move(name), reduced.inertia, reduced.M, reduced.K,
                                     reduced.D, reduced.amplitude);
}

Frame frame_at(BodyIndex body, const reduction::ReducedInterface& interface) {
  SOLIDYN_ASSERT(interface.attach != mesh::Attachment::virtual_body);
  Frame frame;
  frame.name = interface.name;
  frame.body = body;
  frame.x_B = interface.x_B;
  frame.Psi_t = interface.Psi_t;
  frame.Psi_r = interface.Psi_r;
  frame.Y_t = interface.Y_t;
  frame.Y_r = interface.Y_r;
  return frame;
}

Frame frame_at(BodyIndex body, const reduction::TrackedPoint& point) {
  Frame frame;
  frame.name = point.name;
  frame.body = body;
  frame.x_B = point.x_B;
  frame.Psi_t = point.Psi;
  frame.Y_t = point.Y;
  return frame;
}

}  // namespace solidyn::bodies
