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

  /// Interfaces and frames, which have a position.
  bool has_own_pose() const { return kind == Kind::interface || kind == Kind::frame; }
  /// As the model file has it.
  std::string text() const {
    if (kind == Kind::ground) return "ground";
    return name.empty() ? body : body + "." + name;
  }
};

/// An interface, frame or point of a body by its name.
inline PlaceDescription place_on(const std::string& body, const std::string& name) {
  PlaceDescription place;
  place.kind = PlaceDescription::Kind::interface;
  place.body = body;
  place.name = name;
  return place;
}

}  // namespace solidyn::model
