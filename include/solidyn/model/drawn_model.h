#pragma once
#include <array>
#include <map>
#include <set>
#include <string>

#include "solidyn/model/description.h"

namespace solidyn::model {

/// What a model says that only a report of it asks for.
struct DrawnModel {
  /// Of joints between two places: these, as the model file has them.
  std::map<std::string, std::array<std::string, 2>> joint_places;
  /// Name of a force -> what it is: "spring", "damper", "bushing" or "force".
  std::map<std::string, std::string> force_kinds;
  /// Bodies that a fixed joint ties to the ground.
  std::set<std::string> held_bodies;
};
DrawnModel drawn_model(const ModelDescription& description);

}  // namespace solidyn::model
