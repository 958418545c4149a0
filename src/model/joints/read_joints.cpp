#include "model/joints/read_joints.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "model/forces/read_springs.h"
#include "model/language/spelling.h"

namespace solidyn::model {
namespace {

JointType joint_type(const std::string& word) {
  static const std::map<std::string, JointType> other_words = {
      {"in_line", JointType::point_on_line},
      {"in_plane", JointType::point_on_plane},
      {"parallel", JointType::parallel_axes},
      {"perpendicular", JointType::perpendicular_axes}};
  const auto other = other_words.find(word);
  if (other != other_words.end()) return other->second;
  for (int i = 0; i <= static_cast<int>(JointType::point_path); ++i)
    if (word == name(static_cast<JointType>(i))) return static_cast<JointType>(i);
  return JointType::fixed;
}

/// The two places of a joint; a flexible body must name an interface.
void read_between(const TableView& view, JointDescription& joint, const ModelDescription& model,
                  const Names& names) {
  if (!view.is_good("between")) return;
  const std::vector<std::string> texts = view.texts("between");
  const Value& list = *view.find("between");
  for (int i = 0; i < 2; ++i) {
    const base::SourceLocation& where = list.items[i].where;
    joint.between[i] =
        read_place(texts[i], view.path("between"), where, model, names, true, view.report());
    const PlaceDescription& place = joint.between[i];
    const BodyDescription* body = model.find_body(place.body);
    if (!body || names.open_bodies.count(place.body)) continue;
    if (place.kind == PlaceDescription::Kind::point)
      view.report().error(where,
                          fmt::format("{}: `{}` is a point, to which nothing can be joined",
                                      view.path("between"), texts[i]),
                          "declare an interface there");
    if (place.kind == PlaceDescription::Kind::body && body->type != BodyType::rigid)
      view.report().error(where,
                          fmt::format("{}: `{}` is flexible; a joint needs one of its interfaces",
                                      view.path("between"), texts[i]),
                          body->flexible.interfaces.empty()
                              ? fmt::format("declare one under bodies.{}.interfaces", body->name)
                              : fmt::format("for example  {}.{}", body->name,
                                            body->flexible.interfaces[0].definition.name));
  }
  if (joint.between[0].body == joint.between[1].body)
    view.report().error(view.where("between"),
                        fmt::format("{} is {}: a joint connects two different bodies",
                                    view.path("between"), shown(list)),
                        "name another body, or `ground`");
}

bool has_own_origin(const JointDescription& joint) {
  return std::any_of(joint.between.begin(), joint.between.end(),
                     std::mem_fn(&PlaceDescription::has_own_pose));
}

bool needs_no_point(JointType type) {
  return type == JointType::parallel_axes || type == JointType::perpendicular_axes ||
         type == JointType::orientation || type == JointType::distance ||
         type == JointType::distance_drive || type == JointType::point_path ||
         type == JointType::rolling || type == JointType::rotation_drive;
}

void read_point(const TableView& view, JointDescription& joint) {
  if (view.is_good("at")) joint.at = view.vector("at");
  if (view.is_good("to")) joint.to = view.vector("to");
  if (view.is_good("plane_at")) joint.plane_at = view.vector("plane_at");
  if (joint.joint.empty() && view.is_good("between") && !view.has("at") && !has_own_origin(joint) &&
      !needs_no_point(joint.type))
    view.report().error(
        view.where(), fmt::format("{} is missing", view.path("at")),
        "give the joint's point in world coordinates at t = 0, for example  at: [0, 0, "
        "0]; only a joint at an interface or frame can do without");
}

/// Without `axis` both places must have a z axis of their own.
void require_own_axes(const TableView& view, const JointDescription& joint) {
  if (!joint.between[0].has_own_pose() || !joint.between[1].has_own_pose())
    view.report().error(
        view.where(),
        fmt::format("{} is missing (type {} needs it)", view.path("axis"), view.type()),
        "give the direction in world coordinates at t = 0, for example  axis: [0, 0, 1]; only a "
        "joint between two interfaces or frames can do without, and takes their z axes");
  else if (view.has("reference"))
    view.report().error(view.where("reference"),
                        fmt::format("{} is given without `axis`", view.path("reference")),
                        "give both, or neither: then the places' own axes are taken");
}

void read_directions(const TableView& view, JointDescription& joint) {
  if (view.is_good("axis")) joint.axis = view.direction("axis");
  if (view.is_good("second_axis")) joint.second_axis = view.direction("second_axis");
  if (view.is_good("reference")) joint.reference = view.direction("reference");
  if (view.is_good("normal")) joint.normal = view.direction("normal");
  if (turns_by_own_axes(joint) && view.is_good("between") && !view.has("axis"))
    require_own_axes(view, joint);
  if (joint.axis && joint.reference && joint.axis->cross(*joint.reference).norm() < 1e-3)
    view.report().error(view.where("reference"),
                        fmt::format("{} is parallel to the axis", view.path("reference")),
                        "give a direction across the axis, or leave it out");
}

double degrees_between(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b)) * 180.0 / M_PI;
}

// Drawn far from what the joint demands, the mechanism would start in another position.
void check_perpendicular(const TableView& view, const JointDescription& joint) {
  constexpr double kDrawnWell = 1.0;
  if (!joint.axis || !joint.second_axis) return;
  const double angle = degrees_between(*joint.axis, *joint.second_axis);
  if (std::abs(angle - 90.0) > kDrawnWell)
    view.report().error(view.where("second_axis"),
                        fmt::format("{} is at {:.4g} degrees to the axis, not at 90",
                                    view.path("second_axis"), angle),
                        "give two directions that are perpendicular as drawn");
}

// At a right angle a universal joint locks and the shafts of the other turn into each other.
void check_shafts(const TableView& view, const JointDescription& joint) {
  constexpr double kSharpest = 89.0;
  if (!joint.axis || !joint.second_axis) return;
  const double angle = degrees_between(*joint.axis, *joint.second_axis);
  if (angle > kSharpest)
    view.report().error(
        view.where("second_axis"),
        fmt::format("{} is at {:.4g} degrees to the axis", view.path("second_axis"), angle),
        "both shafts point along the flow of power: give directions less than 89 degrees apart");
}

// A disc that lies flat on its plane has no lowest point.
void check_disc(const TableView& view, const JointDescription& joint) {
  constexpr double kFlat = 1.0;
  if (!joint.axis) return;
  const double angle = degrees_between(*joint.axis, joint.normal);
  if (std::min(angle, 180.0 - angle) < kFlat)
    view.report().error(
        view.where("axis"),
        fmt::format("{} is along the plane's normal: the disc lies flat on it", view.path("axis")),
        "give the disc's axis; that of an upright disc is in the plane");
}

void read_numbers(const TableView& view, JointDescription& joint) {
  switch (joint.type) {
    case JointType::screw:
      joint.pitch = view.number("pitch");
      if (view.is_good("pitch") && joint.pitch == 0.0)
        view.report().error(view.where("pitch"), fmt::format("{} is 0", view.path("pitch")),
                            "a screw without pitch is a joint of type revolute");
      break;
    case JointType::distance:
      if (view.is_good("length")) joint.length = view.number("length");
      break;
    case JointType::rolling:
      joint.radius = view.number("radius");
      check_disc(view, joint);
      break;
    case JointType::perpendicular_axes:
      check_perpendicular(view, joint);
      break;
    case JointType::universal:
    case JointType::constant_velocity:
      check_shafts(view, joint);
      break;
    case JointType::fixed:
      joint.may_share = view.text("share") != "false";
      break;
    default:
      break;
  }
}

}  // namespace

std::vector<JointDescription> read_joints(const TableView& file, const ModelDescription& model,
                                          Names& names) {
  std::vector<JointDescription> joints;
  for (const auto& [name, view] : file.tables("joints")) {
    JointDescription joint;
    joint.name = name;
    joint.where = view.where();
    joint.type = joint_type(view.type());
    if (view.type().empty()) names.open_joints.insert(name);
    if (family(joint.type) == JointFamily::drive) read_drive(view, joint);
    if (family(joint.type) != JointFamily::coupling) {
      read_between(view, joint, model, names);
      read_point(view, joint);
      read_directions(view, joint);
      read_numbers(view, joint);
    }
    joint.forces = read_joint_forces(view);
    joints.push_back(std::move(joint));
  }
  read_couplings(file, joints, names);
  check_driven_joints(file, joints, names);
  return joints;
}

}  // namespace solidyn::model
