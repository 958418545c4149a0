#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/joints/read_joints.h"
#include "model/language/spelling.h"

namespace solidyn::model {
namespace {

using math::TimeFunction;

/// The keys that may say how the drive moves: its coordinate, the rate and the second rate.
std::array<const char*, 3> law_keys(JointType type) {
  switch (type) {
    case JointType::rotation_drive:
      return {"angle", "angular_velocity", "angular_acceleration"};
    case JointType::translation_drive:
      return {"translation", "velocity", "acceleration"};
    case JointType::distance_drive:
      return {"length", "velocity", "acceleration"};
    default:
      return {"position", "velocity", "acceleration"};
  }
}

/// Which of the keys is given: 0, 1 or 2; -1 after a complaint.
int given_law(const TableView& view, JointType type) {
  const auto keys = law_keys(type);
  int given = -1;
  for (int i = 0; i < 3; ++i) {
    if (!view.has(keys[i])) continue;
    if (given >= 0) {
      view.report().error(view.where(keys[i]),
                          fmt::format("{} is given beside `{}`", view.path(keys[i]), keys[given]),
                          "remove one of them: a drive has one law");
      return -1;
    }
    given = i;
  }
  if (given < 0)
    view.report().error(
        view.where(), fmt::format("{} is missing", view.path(keys[0])),
        fmt::format("say how the drive moves, by `{}`, `{}` or `{}`", keys[0], keys[1], keys[2]));
  return given;
}

void refuse_start_without_acceleration(const TableView& view, JointType type) {
  if (type == JointType::point_path) return;
  for (const char* key : {"start", "start_rate"})
    if (view.has(key))
      view.report().error(
          view.where(key),
          fmt::format("{} is given with a law that is not for an acceleration", view.path(key)),
          fmt::format("remove it, or give `{}`", law_keys(type)[2]));
}

std::array<bool, 3> fixed_components(const TableView& view) {
  if (!view.has("fix")) return {true, true, true};
  std::array<bool, 3> fixes{};
  for (const std::string& axis : view.texts("fix")) fixes[axis[0] - 'x'] = true;
  return fixes;
}

void read_path(const TableView& view, const std::string& key, JointDescription& joint) {
  const std::array<TimeFunction, 3> laws = read_time_vector(view, key);
  const std::array<bool, 3> fixes = fixed_components(view);
  for (int i = 0; i < 3; ++i)
    if (fixes[i]) joint.laws[i] = laws[i];
}

/// The angle, translation or position that the law for an acceleration leads to.
void integrate_laws(const TableView& view, JointDescription& joint) {
  const bool is_path = joint.type == JointType::point_path;
  const double start = is_path ? 0.0 : view.number("start");
  const double rate = is_path ? 0.0 : view.number("start_rate");
  for (auto& law : joint.laws)
    if (law) law = TimeFunction::twice_integrated(*law, start, rate);
}

// Other drives have the coordinate zero as drawn.
bool starts_where_drawn(JointType type) {
  return type == JointType::point_path || type == JointType::distance_drive;
}

void check_length(const TableView& view, const JointDescription& joint) {
  if (joint.level != DriveLevel::position || joint.starts_as_drawn) return;
  const char* key = view.has("length") ? "length" : "start";
  if (!view.is_good(key)) return;
  const double length = joint.laws[0]->value(0.0);
  if (length <= 0.0)
    view.report().error(view.where(key),
                        fmt::format("{} is {:g} m at t = 0", view.path(key), length),
                        "give the distance between the two points, which is positive; for its "
                        "change alone give `velocity` or `acceleration`");
}

void read_law(const TableView& view, JointDescription& joint) {
  const int level = given_law(view, joint.type);
  if (level < 0) return;
  const char* key = law_keys(joint.type)[level];
  joint.law_text = std::string(key) + " " + shown(*view.find(key));
  if (joint.type == JointType::point_path)
    read_path(view, key, joint);
  else
    joint.laws[0] = read_time_function(view, key);
  if (level == 2)
    integrate_laws(view, joint);
  else
    refuse_start_without_acceleration(view, joint.type);
  joint.level = level == 1 ? DriveLevel::velocity : DriveLevel::position;
  const bool has_start = joint.type != JointType::point_path && view.has("start");
  joint.starts_as_drawn = level == 2 && starts_where_drawn(joint.type) && !has_start;
  if (joint.type == JointType::distance_drive) check_length(view, joint);
}

void read_driven_joint(const TableView& view, JointDescription& joint) {
  const bool turns = joint.type == JointType::rotation_drive;
  if (view.has("joint")) {
    joint.joint = view.text("joint");
    for (const char* key : {"between", "at", "axis", "reference"})
      if (view.has(key))
        view.report().error(view.where(key),
                            fmt::format("{} is given beside `joint`", view.path(key)),
                            "remove it: the drive acts on that joint's places, point and axis");
    return;
  }
  if (!view.has("between"))
    view.report().error(
        view.where(), fmt::format("{} is missing", view.path("joint")),
        fmt::format("name the {} joint to drive, or give `between` and `axis`",
                    turns ? "revolute or cylindrical" : "prismatic or cylindrical"));
  else if (!view.has("axis"))
    view.report().error(
        view.where(), fmt::format("{} is missing", view.path("axis")),
        "give the axis in world coordinates at t = 0, for example  axis: [0, 0, 1]");
}

/// What a drive of a joint takes away; both of a screw.
std::vector<std::string> driven_coordinates(const JointDescription& drive,
                                            const JointDescription& joint) {
  const std::string angle = joint.name + ".angle", translation = joint.name + ".translation";
  if (joint.type == JointType::screw) return {angle, translation};
  return {drive.type == JointType::rotation_drive ? angle : translation};
}

}  // namespace

void read_drive(const TableView& view, JointDescription& joint) {
  read_law(view, joint);
  if (!starts_where_drawn(joint.type)) read_driven_joint(view, joint);
}

void check_driven_joints(const TableView& file, const std::vector<JointDescription>& joints,
                         const Names& names) {
  std::map<std::string, std::string> drive_of;
  for (const auto& entry : file.tables("joints")) {
    const std::string& name = entry.first;  // a structured binding cannot be captured
    const TableView& view = entry.second;
    if (view.type() != "rotation_drive" && view.type() != "translation_drive") continue;
    const JointDescription* joint = find_referred_joint(view, "joint", joints);
    if (!joint || names.open_joints.count(joint->name)) continue;
    const bool turns = view.type() == "rotation_drive";
    if (!has_coordinate(joint->type,
                        turns ? JointCoordinate::angle : JointCoordinate::translation)) {
      view.report().error(
          view.where("joint"),
          fmt::format("{}: `{}` is of type {}, which has no single {} to drive", view.path("joint"),
                      joint->name, model::name(joint->type), turns ? "rotation" : "translation"),
          turns ? "drive a revolute, cylindrical, planar or screw joint"
                : "drive a prismatic, cylindrical, screw or point_on_line joint");
      continue;
    }
    const JointDescription& drive =
        *std::find_if(joints.begin(), joints.end(),
                      [&](const auto& candidate) { return candidate.name == name; });
    for (const std::string& coordinate : driven_coordinates(drive, *joint)) {
      if (drive_of.emplace(coordinate, name).second) continue;
      view.report().error(view.where("joint"),
                          fmt::format("{}: `{}` is driven by `{}` already", view.path("joint"),
                                      joint->name, drive_of[coordinate]),
                          "remove one of the two drives");
      break;
    }
  }
}

void check_rates_in_statics(const ModelDescription& model, Report& report) {
  // Before a motion the joint is held where the motion begins.
  const StaticsDescription* statics = nullptr;
  bool has_motion = false;
  for (const AnalysisDescription& analysis : model.analyses) {
    if (const auto* found = std::get_if<StaticsDescription>(&analysis)) statics = found;
    has_motion |= std::holds_alternative<DynamicsDescription>(analysis);
  }
  if (!statics || statics->options.time == analyses::LoadTime::start ||
      (!statics->has_time && has_motion))
    return;
  for (const JointDescription& joint : model.joints)
    if (joint.level == DriveLevel::velocity)
      report.error(
          joint.where,
          fmt::format("joints.{}.{} gives a rate, and an analysis is of statics, where "
                      "nothing moves",
                      joint.name, law_keys(joint.type)[1]),
          fmt::format("give `{}`, whose time is the load parameter", law_keys(joint.type)[0]));
}

}  // namespace solidyn::model
