#include <fmt/format.h>

#include <algorithm>

#include "model/read.h"
#include "model/read_springs.h"
#include "model/spelling.h"

namespace solidyn::model {
namespace {

std::vector<std::string> names_of(const std::vector<BodyDescription>& bodies) {
  std::vector<std::string> names;
  names.reserve(bodies.size());
  for (const BodyDescription& body : bodies) names.push_back(body.name);
  return names;
}

/// Frames of a rigid body, or interfaces and points of a flexible one.
std::vector<std::pair<std::string, PlaceDescription::Kind>> places_of(const BodyDescription& body) {
  std::vector<std::pair<std::string, PlaceDescription::Kind>> places;
  using Kind = PlaceDescription::Kind;
  for (const FrameDescription& frame : body.rigid.frames)
    places.emplace_back(frame.name, Kind::frame);
  for (const InterfaceDescription& interface : body.flexible.interfaces)
    places.emplace_back(interface.definition.name, Kind::interface);
  for (const PointDescription& point : body.flexible.points)
    places.emplace_back(point.name, Kind::point);
  return places;
}

void resolve_name(PlaceDescription& place, const std::string& path, const BodyDescription& body,
                  Report& report) {
  std::vector<std::string> known;
  for (const auto& [name, kind] : places_of(body)) {
    known.push_back(body.name + "." + name);
    if (name == place.name) {
      place.kind = kind;
      return;
    }
  }
  const bool is_rigid = body.type == BodyType::rigid;
  report.error(place.where,
               fmt::format("{}: body `{}` has no {} `{}`", path, body.name,
                           is_rigid ? "frame" : "interface or point", place.name),
               known.empty() ? fmt::format("declare it under bodies.{}.{}", body.name,
                                           is_rigid ? "frames" : "interfaces")
                             : suggestion(body.name + "." + place.name, known, "there are"));
}

JointType joint_type(const std::string& word) {
  for (JointType type : {JointType::spherical, JointType::revolute, JointType::cylindrical,
                         JointType::prismatic, JointType::planar, JointType::rotation_drive})
    if (word == name(type)) return type;
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
  return std::any_of(joint.between.begin(), joint.between.end(), [](const PlaceDescription& p) {
    return p.kind == PlaceDescription::Kind::interface || p.kind == PlaceDescription::Kind::frame;
  });
}

void read_geometry(const TableView& view, JointDescription& joint) {
  if (view.is_good("at")) joint.at = view.vector("at");
  if (view.is_good("axis")) joint.axis = view.direction("axis");
  if (view.is_good("reference")) joint.reference = view.direction("reference");
  if (joint.axis && joint.reference && joint.axis->cross(*joint.reference).norm() < 1e-3)
    view.report().error(view.where("reference"),
                        fmt::format("{} is parallel to the axis", view.path("reference")),
                        "give a direction across the axis, or leave it out");
  if (joint.joint.empty() && view.is_good("between") && !view.has("at") && !has_own_origin(joint))
    view.report().error(
        view.where(), fmt::format("{} is missing", view.path("at")),
        "give the joint's point in world coordinates at t = 0, for example  at: [0, 0, "
        "0]; only a joint at an interface or frame can do without");
}

void read_drive(const TableView& view, JointDescription& joint) {
  joint.angle = read_time_function(view, "angle");
  if (view.has("angle")) joint.angle_text = shown(*view.find("angle"));
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
        "name the revolute or cylindrical joint to drive, or give `between` and `axis`");
  else if (!view.has("axis"))
    view.report().error(
        view.where(), fmt::format("{} is missing", view.path("axis")),
        "give the axis in world coordinates at t = 0, for example  axis: [0, 0, 1]");
}

bool can_be_driven(const JointDescription& joint) {
  return joint.type == JointType::revolute || joint.type == JointType::cylindrical;
}

/// A drive turns a joint that can turn, and no two drives turn the same one.
void check_driven_joints(const TableView& file, const std::vector<JointDescription>& joints,
                         const Names& names) {
  std::map<std::string, std::string> drive_of;
  for (const auto& [name, view] : file.tables("joints")) {
    if (view.type() != "rotation_drive") continue;
    const JointDescription* joint = find_referred_joint(view, "joint", joints);
    if (!joint || names.open_joints.count(joint->name)) continue;
    if (!can_be_driven(*joint))
      view.report().error(
          view.where("joint"),
          fmt::format("{}: `{}` is of type {}, which has no single rotation to drive",
                      view.path("joint"), joint->name, model::name(joint->type)),
          "drive a revolute or cylindrical joint");
    else if (!drive_of.emplace(joint->name, name).second)
      view.report().error(view.where("joint"),
                          fmt::format("{}: `{}` is driven by `{}` already", view.path("joint"),
                                      joint->name, drive_of[joint->name]),
                          "remove one of the two drives");
  }
}

}  // namespace

PlaceDescription read_place(const std::string& text, const std::string& path,
                            const base::SourceLocation& where, const ModelDescription& model,
                            const Names& names, bool ground_is_allowed, Report& report) {
  PlaceDescription place;
  place.where = where;
  if (text == "ground") {
    if (!ground_is_allowed)
      report.error(where, fmt::format("{}: the ground does not move", path),
                   "name a body, `body.interface`, `body.frame` or `body.point`");
    return place;
  }
  const std::size_t dot = text.find('.');
  place.body = text.substr(0, dot);
  place.kind = PlaceDescription::Kind::body;
  if (dot != std::string::npos) {
    place.kind = PlaceDescription::Kind::interface;
    place.name = text.substr(dot + 1);
  }
  const BodyDescription* body = model.find_body(place.body);
  if (!body) {
    std::vector<std::string> known = names_of(model.bodies);
    if (ground_is_allowed) known.insert(known.begin(), "ground");
    report.error(where, fmt::format("{}: there is no body `{}`", path, place.body),
                 suggestion(place.body, known, "there are"));
  } else if (dot != std::string::npos && !names.open_bodies.count(place.body)) {
    resolve_name(place, path, *body, report);
  }
  return place;
}

const BodyDescription* find_referred_body(const TableView& view, const std::string& key,
                                          const ModelDescription& model) {
  if (!view.is_good(key)) return nullptr;
  const BodyDescription* body = model.find_body(view.text(key));
  if (!body)
    view.report().error(view.where(key),
                        fmt::format("{}: there is no body `{}`", view.path(key), view.text(key)),
                        suggestion(view.text(key), names_of(model.bodies), "there are"));
  return body;
}

const JointDescription* find_referred_joint(const TableView& view, const std::string& key,
                                            const std::vector<JointDescription>& joints) {
  if (!view.is_good(key)) return nullptr;
  std::vector<std::string> known;
  for (const JointDescription& joint : joints) {
    if (joint.name == view.text(key)) return &joint;
    known.push_back(joint.name);
  }
  view.report().error(view.where(key),
                      fmt::format("{}: there is no joint `{}`", view.path(key), view.text(key)),
                      known.empty() ? "declare it under `joints:`"
                                    : suggestion(view.text(key), known, "there are"));
  return nullptr;
}

std::vector<JointDescription> read_joints(const TableView& file, const ModelDescription& model,
                                          Names& names) {
  std::vector<JointDescription> joints;
  for (const auto& [name, view] : file.tables("joints")) {
    JointDescription joint;
    joint.name = name;
    joint.where = view.where();
    joint.type = joint_type(view.type());
    if (view.type().empty()) names.open_joints.insert(name);
    if (joint.type == JointType::rotation_drive) read_drive(view, joint);
    read_between(view, joint, model, names);
    read_geometry(view, joint);
    if (joint.type == JointType::fixed) joint.may_share = view.text("share") != "false";
    joint.forces = read_joint_forces(view);
    joints.push_back(std::move(joint));
  }
  check_driven_joints(file, joints, names);
  return joints;
}

}  // namespace solidyn::model
