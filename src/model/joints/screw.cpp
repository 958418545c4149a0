#include <fmt/format.h>

#include <cmath>

#include "model/joints/placed_joint.h"

namespace solidyn::model {
namespace {

struct ScrewJoint final : PlacedJoint {
  double pitch = 0.0;  ///< m per turn

  void check(const TableView& view, const Scope& scope) const {
    PlacedJoint::check(view, scope);
    if (view.is_good("pitch") && pitch == 0.0)
      view.report().error(view.where("pitch"), fmt::format("{} is 0", view.path("pitch")),
                          "for zero pitch use a joint of type revolute");
  }
  // The thread, with the lead angle atan(pitch / (2 pi radius)), carries the force along the axis
  // and the moment that goes with it.
  double thrust() const override {
    return std::hypot(1.0, pitch / (2.0 * M_PI * forces.friction->options.radius));
  }

 protected:
  joints::JointRows rows(const Eigen::Vector3d&) const override {
    return joints::screw_rows(pitch);
  }
};

}  // namespace

JointType screw_row() {
  ScrewJoint joint;
  joint.type = JointTraits("screw")
                   .as_hinge()
                   .leaves({JointFreedom::translation, JointFreedom::rotation})
                   .with_axes(JointTraits::OwnAxes::in_line)
                   .rubs({});
  return placed_joint_type(
      joint, axis_joint_fields(),
      Fields<ScrewJoint>{field(
          Key("pitch", Form::number,
              "advance of the second place along the axis per turn; negative for a left-handed screw",
              "0.002")
              .in(kLength)
              .needed(),
          &ScrewJoint::pitch)});
}

}  // namespace solidyn::model
