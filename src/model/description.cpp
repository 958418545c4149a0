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

const LinearDescription* find_linear(const AnalysisDescription& analysis) {
  return std::visit(
      [](const auto& kind) -> const LinearDescription* {
        if constexpr (std::is_base_of_v<LinearDescription, std::decay_t<decltype(kind)>>)
          return &kind;
        else
          return nullptr;
      },
      analysis);
}

namespace {

const char* word(const DynamicsDescription&) { return "dynamics"; }
const char* word(const StaticsDescription&) { return "statics"; }
const char* word(const ModesDescription&) { return "modes"; }
const char* word(const MechanismModesDescription&) { return "modes"; }
const char* word(const StateSpaceDescription&) { return "linearise"; }
const char* word(const FrequencyResponseDescription&) { return "frequency_response"; }
const char* word(const ReflectedInertiaDescription&) { return "reflected_inertia"; }

}  // namespace

const char* name(const analyses::DynamicsOptions& motion) {
  if (motion.inverse != analyses::InverseDynamics::none) return "inverse_dynamics";
  return motion.integrator == analyses::IntegratorKind::kinematics ? "kinematics" : "dynamics";
}

const char* name(const AnalysisDescription& analysis) {
  return std::visit([](const auto& kind) { return word(kind); }, analysis);
}

}  // namespace solidyn::model
