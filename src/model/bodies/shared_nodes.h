#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>

#include "solidyn/model/description.h"

namespace solidyn::model {

/// Which interfaces of superelements move as one: groups of interfaces, each with one rigid body or
/// the ground at most. Joints that a sensor or an analysis reads stay constraints.
class SharedNodes {
 public:
  /// @param interfaces "body.interface" of all superelements
  SharedNodes(const ModelDescription& model, const std::set<std::string>& interfaces);

  /// A name for the group of an interface, the same for all its members.
  std::string group_of(const std::string& interface) const;
  /// The rigid body that carries the group ("ground": nothing moves), if there is one.
  std::optional<std::string> anchor_of(const std::string& interface) const;
  /// Joints that the groups satisfy.
  const std::set<std::string>& joints() const { return joints_; }

 private:
  void join(const JointEntry& joint, const ModelDescription& model);

  std::set<std::string> interfaces_, joints_;
  std::map<std::string, std::string> group_, anchor_;  // member -> group; group -> anchor
};

}  // namespace solidyn::model
