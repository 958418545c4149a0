#include "model/joints/placed_joint.h"

// Joints that are a list of rows and nothing else: types by data alone.
namespace solidyn::model {
namespace {

using F = JointFreedom;
using OwnAxes = JointTraits::OwnAxes;

struct PlainJoint final : PlacedJoint {
  joints::JointType rows_of = joints::JointType::spherical;

 protected:
  joints::JointRows rows(const Eigen::Vector3d&) const override {
    return joints::joint_rows(rows_of);
  }
};

JointType plain_row(const JointTraits& traits, joints::JointType rows_of,
                    const PlaceFields& fields) {
  PlainJoint joint;
  joint.type = traits;
  joint.rows_of = rows_of;
  return placed_joint_type(joint, fields);
}

FrictionTraits friction_of_pin() {
  FrictionTraits friction;
  friction.has_thrust_face = true;
  return friction;
}

FrictionTraits friction_of_slider() {
  FrictionTraits friction;
  friction.turning = {};
  return friction;
}

FrictionTraits friction_of_face() {
  FrictionTraits friction;
  friction.may_slide_alone = true;
  friction.thrust = 1.0;
  return friction;
}

FrictionTraits friction_of_ball() {
  FrictionTraits friction;
  friction.turning = {{"", FrictionTraits::Turning::any}};
  friction.carries_moments = false;
  return friction;
}

}  // namespace

JointType spherical_row() {
  return plain_row(JointTraits("spherical").as_hinge().rubs(friction_of_ball()),
                   joints::JointType::spherical, {between_field(), at_field()});
}

JointType revolute_row() {
  return plain_row(JointTraits("revolute")
                       .as_hinge()
                       .leaves({F::rotation})
                       .with_axes(OwnAxes::in_line)
                       .as_bearing()
                       .rubs(friction_of_pin()),
                   joints::JointType::revolute, axis_joint_fields());
}

JointType cylindrical_row() {
  return plain_row(JointTraits("cylindrical")
                       .as_hinge()
                       .leaves({F::translation, F::rotation})
                       .with_axes(OwnAxes::in_line)
                       .as_bearing()
                       .rubs({}),
                   joints::JointType::cylindrical, axis_joint_fields());
}

JointType prismatic_row() {
  return plain_row(JointTraits("prismatic")
                       .as_hinge()
                       .leaves({F::translation})
                       .with_axes(OwnAxes::in_line)
                       .rubs(friction_of_slider()),
                   joints::JointType::prismatic, axis_joint_fields());
}

JointType planar_row() {
  return plain_row(JointTraits("planar")
                       .as_hinge()
                       .leaves({F::translation_x, F::translation_y, F::rotation})
                       .with_axes(OwnAxes::in_line)
                       .rubs(friction_of_face()),
                   joints::JointType::planar, axis_joint_fields());
}

JointType point_on_line_row() {
  return plain_row(JointTraits("point_on_line")
                       .as_hinge()
                       .also({"in_line"})
                       .leaves({F::translation})
                       .with_axes(OwnAxes::free),
                   joints::JointType::point_on_line, axis_joint_fields());
}

JointType point_on_plane_row() {
  return plain_row(JointTraits("point_on_plane")
                       .also({"in_plane"})
                       .leaves({F::translation_x, F::translation_y})
                       .with_axes(OwnAxes::free),
                   joints::JointType::point_on_plane, axis_joint_fields());
}

JointType parallel_axes_row() {
  PlaceFields fields = axis_joint_fields();
  fields.erase(fields.begin() + 1);  // `at`
  return plain_row(JointTraits("parallel_axes")
                       .as_hinge()
                       .also({"parallel"})
                       .at(JointTraits::Point::none)
                       .with_axes(OwnAxes::in_line),
                   joints::JointType::parallel_axes, fields);
}

JointType orientation_row() {
  return plain_row(JointTraits("orientation").as_hinge().at(JointTraits::Point::none),
                   joints::JointType::orientation, {between_field()});
}

}  // namespace solidyn::model
