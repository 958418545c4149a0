#pragma once
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "model/read.h"
#include "solidyn/model/joint_freedom.h"

/// What sensors ask of the joints that they name: all that this folder knows of joints.
namespace solidyn::model {

/// What can act within a joint. The builder adds each as forces of the name joint.spring ...
enum class JointForcePart { spring, limits, one_way, friction };

struct JointAnswers {
  std::string name, type;
  bool turns = false;            ///< about an axis or the arms of a cross, or is driven so
  bool has_cross = false;        ///< turns about two arms
  bool slides = false;           ///< along an axis, or is driven so
  bool slides_in_plane = false;  ///< along x and y of its frame
  bool is_coupling = false;      ///< acts on other joints
  bool is_drive = false;
  std::string drive_effort;  ///< of a drive along one coordinate: "force" or "torque"
  int n_multipliers = 0;
  /// What acts along what. Friction acts along all that a joint leaves free, but where no radius
  /// lets turning rub.
  std::set<std::pair<JointForcePart, JointFreedom>> forces;
  std::set<JointForcePart> set_valued;  ///< those of them that have impulses and states
};

/// The joint under the key `joint`, whose name goes to `name`; nothing after a complaint about it.
std::optional<JointAnswers> read_joint(const TableView& view, const Scope& scope,
                                       std::string& name);

/// Complains that the joint has no angle, translation, ...
void report_joint_without(const TableView& view, const JointAnswers& joint, const char* what,
                          const std::string& remedy);

/// `arm` and `along`: about and along what a joint turns or slides; nothing after a complaint.
std::optional<JointFreedom> read_arm(const TableView& view, const JointAnswers& joint);
std::optional<JointFreedom> read_along(const TableView& view, const JointAnswers& joint);

}  // namespace solidyn::model
