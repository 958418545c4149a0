#include <fmt/format.h>

#include <algorithm>

#include "model/joints/directions.h"
#include "model/joints/placed_joint.h"
#include "model/places/axes.h"

namespace solidyn::model {
namespace {

using Eigen::Vector3d;

/// A disc on the second place that rolls on a plane of the first.
struct RollingDisc final : PlacedJoint {
  double radius = 0.0;                  ///< m
  Vector3d normal = Vector3d::UnitZ();  ///< unit, world, of the plane
  std::optional<Vector3d> plane_at;     ///< a point of the plane, m; empty: it touches as modelled

  // A disc that lies flat on its plane has no lowest point.
  void check(const TableView& view, const Scope& scope) const {
    constexpr double kFlat = 1.0;
    PlacedJoint::check(view, scope);
    if (!axis) return;
    const double angle = degrees_between(*axis, normal);
    if (std::min(angle, 180.0 - angle) < kFlat)
      view.report().error(
          view.where("axis"),
          fmt::format("{} is parallel to the normal of the plane: the disc lies flat on it",
                      view.path("axis")),
          "give the axis of the disc; for an upright disc it is in the plane");
  }

 protected:
  // Of the plane, along which slip has two directions.
  std::optional<Vector3d> normal_to_reference() const override { return normal; }
  TwoPoses poses(const PlaceFinder& places) const override {
    const Vector3d centre = at.value_or(places.position(between[1])), n = normal, z = *axis;
    const Vector3d touching = centre - radius * (n - z * z.dot(n)).normalized();
    return {{{plane_at.value_or(touching), axes_along(n, reference)},
             {centre, axes_along(z, std::nullopt)}}};
  }
  joints::JointRows rows(const Vector3d&) const override { return joints::rolling_rows(radius); }
};

}  // namespace

JointType rolling_row() {
  using Self = RollingDisc;
  RollingDisc joint;
  joint.type = JointTraits("rolling").at(JointTraits::Point::optional);
  return placed_joint_type(
      joint,
      PlaceFields{
          between_field(), at_field(),
          axis_field(Key("axis", Form::direction, "world axes: the axis of the disc", "[0, 1, 0]")
                         .needed()),
          reference_field()},
      Fields<Self>{
          field(Key("radius", Form::number, "of the disc", "0.25")
                    .in(kLength)
                    .within(kPositive)
                    .needed(),
                &Self::radius),
          field(
              Key("normal", Form::direction,
                  "world axes: the normal of the plane, towards the disc; the plane is fixed in the first place",
                  "[0, 0, 1]")
                  .or_default(),
              &Self::normal),
          field(
              Key("plane_at", Form::vector,
                  "world: a point of the plane; by default the plane touches the disc as modelled",
                  "[0, 0, 0]")
                  .in(kLength),
              &Self::plane_at)});
}

}  // namespace solidyn::model
