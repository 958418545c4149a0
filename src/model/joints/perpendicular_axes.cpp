#include <fmt/format.h>

#include <cmath>

#include "model/joints/directions.h"
#include "model/joints/placed_joint.h"
#include "model/places/axes.h"

namespace solidyn::model {
namespace {

using Eigen::Vector3d;

struct PerpendicularAxes final : PlacedJoint {
  std::optional<Vector3d> second_axis;  ///< fixed in the second place, as `axis` in the first

  // Drawn far from what the joint demands, the mechanism would start in another position.
  void check(const TableView& view, const Scope& scope) const {
    constexpr double kDrawnWell = 1.0;
    PlacedJoint::check(view, scope);
    if (!axis || !second_axis) return;
    const double angle = degrees_between(*axis, *second_axis);
    if (std::abs(angle - 90.0) > kDrawnWell)
      view.report().error(view.where("second_axis"),
                          fmt::format("{} is at {:.4g} degrees to the axis, not at 90",
                                      view.path("second_axis"), angle),
                          "give two directions that are perpendicular as modelled");
  }

 protected:
  // z of the first and x of the second are what stays perpendicular.
  TwoPoses poses(const PlaceFinder& places) const override {
    const Eigen::Matrix3d of_second = axes_along(second_axis, axis);
    Eigen::Matrix3d R_B;
    R_B << of_second.col(2), of_second.col(1), -of_second.col(0);
    return with_axes(PlacedJoint::poses(places), axes_along(axis, second_axis), R_B);
  }
  joints::JointRows rows(const Vector3d&) const override {
    return joints::joint_rows(joints::JointType::perpendicular_axes);
  }
};

}  // namespace

JointType perpendicular_axes_row() {
  PerpendicularAxes joint;
  joint.type =
      JointTraits("perpendicular_axes").also({"perpendicular"}).at(JointTraits::Point::none);
  return placed_joint_type(
      joint,
      PlaceFields{between_field(),
                  axis_field(Key("axis", Form::direction,
                                 "world: the direction fixed in the first place", "[0, 0, 1]")
                                 .needed())},
      Fields<PerpendicularAxes>{
          field(Key("second_axis", Form::direction,
                    "world: the direction fixed in the second place, normal to `axis`", "[1, 0, 0]")
                    .needed(),
                &PerpendicularAxes::second_axis)});
}

}  // namespace solidyn::model
