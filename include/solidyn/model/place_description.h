#pragma once
#include <string>

#include "solidyn/base/error.h"

namespace solidyn::model {

/// "ground", "body", "body.interface", "body.frame" or "body.point": a place that carries a frame.
struct PlaceDescription {
  enum class Kind { ground, body, interface, frame, point } kind = Kind::ground;
  std::string body;  ///< empty for the ground
  std::string name;  ///< of the interface, frame or point
  base::SourceLocation where;
};

}  // namespace solidyn::model
