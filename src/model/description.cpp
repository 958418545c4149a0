#include "solidyn/model/description.h"

#include <algorithm>

#include "model/bodies/body_entry.h"
#include "model/joints/joint_entry.h"
#include "model/sensors/sensor_entry.h"

namespace solidyn::model {
namespace {

/// Null when there is none of that name.
template <class Entry>
const Entry* find_by_name(const std::vector<std::shared_ptr<const Entry>>& entries,
                          const std::string& name) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const auto& entry) { return entry->name == name; });
  return found == entries.end() ? nullptr : found->get();
}

}  // namespace

const BodyEntry* ModelDescription::find_body(const std::string& name) const {
  return find_by_name(bodies, name);
}

const JointEntry* ModelDescription::find_joint(const std::string& name) const {
  return find_by_name(joints, name);
}

const SensorEntry* ModelDescription::find_sensor(const std::string& name) const {
  return find_by_name(sensors, name);
}

std::vector<std::string> ModelDescription::sensor_names() const {
  std::vector<std::string> names;
  for (const auto& sensor : sensors) names.push_back(sensor->name);
  return names;
}

const char* name(LinearDescription::Kind kind) {
  switch (kind) {
    case LinearDescription::Kind::modes:
      return "modes";
    case LinearDescription::Kind::state_space:
      return "linearise";
    case LinearDescription::Kind::frequency_response:
      return "frequency_response";
  }
  return "";
}

}  // namespace solidyn::model
