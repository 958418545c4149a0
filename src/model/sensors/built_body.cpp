#include "model/sensors/built_body.h"

#include <stdexcept>

namespace solidyn::model {

const BuiltBody& built_body(const BuiltModel& built, const std::string& name) {
  for (const BuiltBody& body : built.bodies)
    if (body.name == name) return body;
  throw std::logic_error(
      "internal error: a sensor of an unknown body after the checks of the model");
}

}  // namespace solidyn::model
