#include "model/joints/placed_joint.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "model/bodies/body_entry.h"
#include "model/language/spelling.h"
#include "model/read.h"

namespace solidyn::model {
namespace {

using OwnAxes = JointTraits::OwnAxes;
using Point = JointTraits::Point;

/// A flexible body must name an interface.
void check_joined_place(const TableView& view, const std::string& text, PlaceDescription& place,
                        const Scope& scope) {
  const BodyEntry* body = scope.model.find_body(place.body);
  if (!body || body->has_open_places()) return;
  if (place.kind == PlaceDescription::Kind::point)
    view.report().error(place.where,
                        fmt::format("{}: `{}` is a point, to which no joint can be attached",
                                    view.path("between"), text),
                        "define an interface there");
  const std::vector<std::string> interfaces = body->place_names(PlaceDescription::Kind::interface);
  if (place.kind == PlaceDescription::Kind::body && !body->traits().carries_frames)
    view.report().error(place.where,
                        fmt::format("{}: `{}` is flexible; a joint needs one of its interfaces",
                                    view.path("between"), text),
                        interfaces.empty()
                            ? fmt::format("define one under bodies.{}.interfaces", body->name)
                            : fmt::format("for example  {}.{}", body->name, interfaces[0]));
}

void read_joined_places(JointPlaces& joint, const TableView& view, const Scope& scope) {
  if (!view.is_good("between")) return;
  const std::vector<std::string> texts = view.texts("between");
  const Value& list = *view.find("between");
  for (int i = 0; i < 2; ++i) {
    joint.between[i] = read_place(texts[i], view.path("between"), list.items[i].where, scope.model,
                                  scope.names, true, view.report());
    check_joined_place(view, texts[i], joint.between[i], scope);
  }
  if (joint.between[0].body == joint.between[1].body)
    view.report().error(view.where("between"),
                        fmt::format("{} is {}: a joint connects two different bodies",
                                    view.path("between"), shown(list)),
                        "give another body, or `ground`");
}

void check_point(const TableView& view, const JointPlaces& joint, Point point) {
  const bool have_own_origin = std::any_of(joint.between.begin(), joint.between.end(),
                                           std::mem_fn(&PlaceDescription::has_own_pose));
  if (point != Point::needed || !view.is_good("between") || view.has("at") || have_own_origin)
    return;
  view.report().error(
      view.where(), fmt::format("{} is missing", view.path("at")),
      "give the point of the joint in world coordinates at t = 0, for example  at: [0, 0, 0]; it is optional only for a joint at an interface or frame");
}

/// Without `axis` both places must have a z axis of their own.
void check_own_axes(const TableView& view, const JointPlaces& joint) {
  if (!joint.between[0].has_own_pose() || !joint.between[1].has_own_pose())
    view.report().error(
        view.where(),
        fmt::format("{} is missing (type {} needs it)", view.path("axis"), view.type()),
        "give the direction in world coordinates at t = 0, for example  axis: [0, 0, 1]; it is optional only between two interfaces or frames, whose z axes are then used");
  else if (view.has("reference"))
    view.report().error(view.where("reference"),
                        fmt::format("{} is given without `axis`", view.path("reference")),
                        "give both, or neither: then the axes of the places are used");
}

}  // namespace

Field<JointPlaces> between_field(const Key& key) {
  return read_by<JointPlaces>(key, read_joined_places);
}

Field<JointPlaces> between_field() {
  return between_field(
      Key("between", Form::references,
          "the two places; a line, a plane or the axes of a path are those of the first",
          "[ground, crank]")
          .sized(2)
          .needed());
}

Field<JointPlaces> at_field() {
  return field(
      Key("at", Form::vector,
          "the point of the joint, world; by default the origin of the interface or frame given (if both places are such, each its own). `distance`, `distance_drive`: the point on the first place, by default its origin; `rolling` (the centre of the disc) and `point_path`: the point on the second place, by default its origin",
          "[0, 0, 0]")
          .in(kLength),
      &JointPlaces::at);
}

Field<JointPlaces> axis_field(const Key& key) { return field(key, &JointPlaces::axis); }

Field<JointPlaces> reference_field() {
  return field(
      Key("reference", Form::direction,
          "world: a second direction, which defines zero angle; of a universal joint the arm of the cross on the first place",
          "[1, 0, 0]"),
      &JointPlaces::reference);
}

PlaceFields axis_joint_fields() {
  return {
      between_field(), at_field(),
      axis_field(Key(
          "axis", Form::direction,
          "world: the axis of rotation (revolute, cylindrical, screw) or translation (cylindrical, prismatic, point_on_line), the normal of the plane (planar, point_on_plane), the direction kept parallel (parallel_axes); between two interfaces or frames by default the z axis of each",
          "[0, 0, 1]")),
      reference_field()};
}

void PlacedJoint::check(const TableView& view, const Scope&) const {
  if (driven_joint().empty()) check_point(view, *this, type.point);
  if (turns_by_own_axes() && view.is_good("between") && !view.has("axis"))
    check_own_axes(view, *this);
  const std::optional<Eigen::Vector3d> z = normal_to_reference();
  if (z && reference && z->cross(*reference).norm() < 1e-3)
    view.report().error(view.where("reference"),
                        fmt::format("{} is parallel to the {}", view.path("reference"),
                                    z == axis ? "axis" : "normal of the plane"),
                        "give a direction not parallel to it, or remove it");
}

}  // namespace solidyn::model
