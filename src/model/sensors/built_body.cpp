#include "model/sensors/built_body.h"

#include <stdexcept>

namespace solidyn::model {

const BuiltBody& built_body(const BuiltModel& built, const std::string& name) {
  for (const BuiltBody& body : built.bodies)
    if (body.name == name) return body;
  throw std::logic_error(
      "internal error: a sensor of an unknown body after the checks of the model");
}

std::vector<bodies::BodyIndex> bodies_of(const BuiltModel& built, const std::string& name) {
  for (const BuiltBody& body : built.bodies) {
    if (body.name != name) continue;
    std::vector<bodies::BodyIndex> bodies = body.attached_masses;
    bodies.push_back(body.index);
    return bodies;
  }
  return {};
}

}  // namespace solidyn::model
