#include "model/bodies/shared_nodes.h"

#include <algorithm>

#include "model/bodies/body_entry.h"
#include "model/joints/joint_entry.h"
#include "model/sensors/sensor_entry.h"
#include "model/supports/build_supports.h"

namespace solidyn::model {
namespace {

constexpr const char* kGround = "ground";

// Sensors read constraints, and modes in steady rotation turn about one.
bool is_read(const ModelDescription& model, const std::string& joint) {
  const auto reads = [&](const auto& sensor) { return sensor->reads_joint(joint); };
  const auto turns_about = [&](const AnalysisDescription& analysis) {
    const auto* modes = std::get_if<MechanismModesDescription>(&analysis);
    return modes && modes->about == joint;
  };
  return std::any_of(model.sensors.begin(), model.sensors.end(), reads) ||
         std::any_of(model.analyses.begin(), model.analyses.end(), turns_about);
}

// A loop that is to be cut at this joint needs it as a constraint.
bool is_cut(const ModelDescription& model, const JointEntry& joint) {
  return joint.is_cut && model.formulation != analyses::Formulation::absolute;
}

}  // namespace

SharedNodes::SharedNodes(const ModelDescription& model, const std::set<std::string>& interfaces)
    : interfaces_(interfaces) {
  for (const std::string& interface : interfaces) group_[interface] = interface;
  for (const auto& joint : model.joints)
    if (joint->may_share_node() && !is_read(model, joint->name) && !is_cut(model, *joint))
      join(*joint, model);
  for (const SupportDescription& support : model.supports) {
    const std::string held = support.body + "." + support_interface_name(support.name);
    if (interfaces_.count(held)) anchor_[group_.at(held)] = kGround;
  }
}

std::string SharedNodes::group_of(const std::string& interface) const {
  return group_.at(interface);
}

std::optional<std::string> SharedNodes::anchor_of(const std::string& interface) const {
  const auto found = anchor_.find(group_of(interface));
  return found == anchor_.end() ? std::nullopt : std::optional<std::string>(found->second);
}

void SharedNodes::join(const JointEntry& joint, const ModelDescription& model) {
  const std::vector<PlaceDescription> places = joint.places();
  std::string members[2];
  bool has_interface = false;
  for (int i = 0; i < 2; ++i) {
    const PlaceDescription& place = places[i];
    const std::string interface = place.body + "." + place.name;
    const BodyEntry* body = model.find_body(place.body);
    if (interfaces_.count(interface)) {
      members[i] = interface;
      has_interface = true;
    } else if (place.kind == PlaceDescription::Kind::ground) {
      members[i] = kGround;
    } else if (body && body->traits().carries_frames) {
      members[i] = place.body;
    } else {
      return;  // a body that deforms there
    }
    if (!group_.count(members[i])) anchor_[group_[members[i]] = members[i]] = members[i];
  }
  if (!has_interface) return;
  const std::string a = group_.at(members[0]), b = group_.at(members[1]);
  if (a != b) {
    const auto anchor_a = anchor_.find(a), anchor_b = anchor_.find(b);
    if (anchor_a != anchor_.end() && anchor_b != anchor_.end()) return;  // held by two
    if (anchor_b != anchor_.end()) {
      anchor_[a] = anchor_b->second;
      anchor_.erase(b);
    }
    for (auto& [member, group] : group_)
      if (group == b) group = a;
  }
  joints_.insert(joint.name);
}

}  // namespace solidyn::model
