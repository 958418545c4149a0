#include "model/forces/force_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "model/bodies/body_entry.h"
#include "model/bodies/build_superelements.h"
#include "model/places/axes.h"
#include "model/places/joint_frames.h"
#include "solidyn/base/error.h"

namespace solidyn::model {
namespace {

/// A place that moves, or may be the ground, and has a frame.
void check_place(const TableView& view, const std::string& key, const std::string& text,
                 const base::SourceLocation& where, const PlaceDescription& place, Turns turns,
                 const Scope& scope) {
  const BodyEntry* body = scope.model.find_body(place.body);
  if (!body || body->has_open_places()) return;
  if (place.kind == PlaceDescription::Kind::body && !body->traits().carries_frames)
    view.report().error(
        where,
        fmt::format("{}: `{}` is flexible; a force needs one of its interfaces or points",
                    view.path(key), text),
        fmt::format("define one under bodies.{}.interfaces", body->name));
  if (turns == Turns::yes && place.kind == PlaceDescription::Kind::point)
    view.report().error(
        where,
        fmt::format("{}: `{}` is a point, to which no torque can be applied", view.path(key), text),
        "define an interface there");
}

bodies::FrameIndex add_own_frame(const PlaceDescription& place, const Builder& builder) {
  bodies::Frame frame = builder.places.own_frame(place);
  refuse_point_of_superelement(builder.built, frame, place);
  return builder.built.system.add_frame(std::move(frame));
}

}  // namespace

void read_force_place(const TableView& view, const std::string& key, bool ground_is_allowed,
                      Turns turns, const Scope& scope, PlaceDescription& place) {
  if (!view.is_good(key)) return;
  place = read_place(view.text(key), view.path(key), view.where(key), scope.model, scope.names,
                     ground_is_allowed, view.report());
  check_place(view, key, view.text(key), view.where(key), place, turns, scope);
}

void BetweenPlaces::read(const TableView& view, Turns turns, const Scope& scope) {
  if (!view.is_good("between")) return;
  const std::vector<std::string> texts = view.texts("between");
  const Value& list = *view.find("between");
  for (int i = 0; i < 2; ++i) {
    const base::SourceLocation& where = list.items[i].where;
    between[i] = read_place(texts[i], view.path("between"), where, scope.model, scope.names, true,
                            view.report());
    check_place(view, "between", texts[i], where, between[i], turns, scope);
  }
  const PlaceDescription &A = between[0], &B = between[1];
  const BodyEntry* body = scope.model.find_body(A.body);
  if (A.body == B.body && (A.body.empty() || (body && body->traits().carries_frames)))
    view.report().error(view.where("between"),
                        fmt::format("{} is {}: both places are fixed to each other",
                                    view.path("between"), shown(list)),
                        "give a place of another body");
}

Fields<BetweenFrames> BetweenFrames::fields() {
  using Self = BetweenFrames;
  return {
      field(
          Key("at", Form::vector,
              "the point, world at t = 0; by default the origin of the interface or frame in `between`",
              "[0, 0, 0]")
              .in(kLength),
          &Self::at),
      field(Key("reference", Form::direction, "world: a second direction, which determines x",
                "[1, 0, 0]"),
            &Self::reference)};
}

void BetweenFrames::check(const TableView& view) {
  if (reference && !axis) axis = Eigen::Vector3d::UnitZ();
  if (reference && axis->cross(*reference).norm() < 1e-3)
    view.report().error(view.where("reference"),
                        fmt::format("{} is parallel to the axis", view.path("reference")),
                        "give a direction not parallel to the axis, or remove it");
  const bool has_origin =
      std::any_of(between.begin(), between.end(), std::mem_fn(&PlaceDescription::has_own_pose));
  if (view.is_good("between") && !view.has("at") && !has_origin)
    view.report().error(
        view.where(), fmt::format("{} is missing", view.path("at")),
        "give the point in world coordinates at t = 0, for example  at: [0, 0, 0]; it is optional only for a force at an interface or frame");
}

bodies::FrameIndex add_force_frame(const ForceEntry& force, const PlaceDescription& place, int side,
                                   const Eigen::Vector3d& p, const Eigen::Matrix3d& R,
                                   const Builder& builder) {
  const char* sides[] = {".first", ".second"};
  bodies::Frame frame = builder.places.frame(place, force.name + sides[side], p, R);
  refuse_point_of_superelement(builder.built, frame, place);
  return builder.built.system.add_frame(std::move(frame));
}

void refuse_force_within(const ForceEntry& force, bodies::FrameIndex A, bodies::FrameIndex B,
                         const Builder& builder) {
  const bodies::BodyIndex body = builder.places.carrier_of_frame(A);
  if (body != builder.places.carrier_of_frame(B)) return;
  if (body != bodies::kGround && builder.built.system.body(body).n_elastic() > 0) return;
  throw base::InputError(
      fmt::format("forces.{}: the two places it connects are already one node by fixed joints",
                  force.name),
      "remove it, or set  share: false  for one of these joints", force.where);
}

bodies::FrameLink add_force_frames(const ForceEntry& force, const BetweenFrames& where,
                                   bool own_axes, const Builder& builder) {
  TwoPoses poses =
      poses_at(where.at, where.between, axes_along(where.axis, where.reference), builder.places);
  if (own_axes && !where.axis) turn_to_own_axes(where.between, builder.places, poses);
  const bodies::FrameIndex A =
      add_force_frame(force, where.between[0], 0, poses[0].p, poses[0].R, builder);
  const bodies::FrameIndex B =
      add_force_frame(force, where.between[1], 1, poses[1].p, poses[1].R, builder);
  refuse_force_within(force, A, B, builder);
  return builder.built.system.link(A, B);
}

bodies::FrameLink add_own_frames(const ForceEntry& force,
                                 const std::array<PlaceDescription, 2>& between,
                                 const Builder& builder) {
  const bodies::FrameIndex A = add_own_frame(between[0], builder),
                           B = add_own_frame(between[1], builder);
  if (builder.places.carrier_of_frame(A) == bodies::kGround &&
      builder.places.carrier_of_frame(B) == bodies::kGround)
    throw base::InputError(
        fmt::format("forces.{} acts on the ground: its place is fixed by a joint", force.name),
        "remove it, or apply it to an interface that moves", force.where);
  return builder.built.system.link(A, B);
}

}  // namespace solidyn::model
