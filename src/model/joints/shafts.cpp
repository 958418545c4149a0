#include <fmt/format.h>

#include "model/joints/directions.h"
#include "model/joints/placed_joint.h"
#include "model/places/axes.h"
#include "solidyn/base/error.h"

// Joints of two shafts that meet at an angle.
namespace solidyn::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

struct ShaftJoint : PlacedJoint {
  std::optional<Vector3d> second_axis;  ///< of the second shaft; empty: in line with the first

  // At a right angle a universal joint locks and the shafts of the other turn into each other.
  void check(const TableView& view, const Scope& scope) const {
    constexpr double kSharpest = 89.0;
    PlacedJoint::check(view, scope);
    if (!axis || !second_axis) return;
    const double angle = degrees_between(*axis, *second_axis);
    if (angle > kSharpest)
      view.report().error(
          view.where("second_axis"),
          fmt::format("{} is at {:.4g} degrees to the axis", view.path("second_axis"), angle),
          "both shafts point in the direction of power flow: give directions less than 89 degrees apart");
  }

 protected:
  Vector3d second_shaft() const { return second_axis.value_or(*axis); }
};

struct UniversalJoint final : ShaftJoint {
 protected:
  // The second arm of the cross is normal to the first and to the second shaft.
  TwoPoses poses(const PlaceFinder& places) const override {
    const Matrix3d R_A = axes_along(axis, reference);
    const Vector3d z = second_shaft(), arm = z.cross(R_A.col(0));
    if (arm.norm() < 0.02)
      throw base::InputError(
          fmt::format(
              "joints.{}: the arm of the cross on the first shaft is along the second shaft", name),
          "give another `reference`: the direction of the arm, normal to the first shaft", where);
    const Vector3d y = arm.normalized();
    Matrix3d R_B;
    R_B << y.cross(z), y, z;
    return with_axes(PlacedJoint::poses(places), R_A, R_B);
  }
  joints::JointRows rows(const Vector3d&) const override {
    return joints::joint_rows(joints::JointType::universal);
  }
};

struct ConstantVelocityJoint final : ShaftJoint {
 protected:
  TwoPoses poses(const PlaceFinder& places) const override {
    const Matrix3d R_A = axes_along(axis, reference);
    const Matrix3d bend =
        Eigen::Quaterniond::FromTwoVectors(*axis, second_shaft()).toRotationMatrix();
    return with_axes(PlacedJoint::poses(places), R_A, bend * R_A);
  }
  joints::JointRows rows(const Vector3d&) const override {
    return joints::joint_rows(joints::JointType::constant_velocity);
  }
};

template <class E>
JointType shaft_row(const JointTraits& traits) {
  E joint;
  joint.type = traits;
  return placed_joint_type(
      joint,
      PlaceFields{between_field(), at_field(),
                  axis_field(Key("axis", Form::direction, "world: the shaft on the first place",
                                 "[1, 0, 0]")
                                 .needed())},
      Fields<E>{
          read_by<E>(Key("second_axis", Form::direction,
                         "world: the shaft on the second place; by default in line with the first",
                         "[1, 1, 0]"),
                     [](E& shafts, const TableView& view, const Scope&) {
                       if (view.is_good("second_axis"))
                         shafts.second_axis = view.direction("second_axis");
                     })},
      PlaceFields{reference_field()});
}

FrictionTraits friction_of_cross() {
  using Turning = FrictionTraits::Turning;
  FrictionTraits friction;
  friction.turning = {{" first_arm", Turning::about_first_arm},
                      {" second_arm", Turning::about_second_arm}};
  return friction;
}

}  // namespace

JointType universal_row() {
  return shaft_row<UniversalJoint>(JointTraits("universal")
                                       .as_hinge()
                                       .leaves({JointFreedom::first_arm, JointFreedom::second_arm})
                                       .rubs(friction_of_cross()));
}

JointType constant_velocity_row() {
  return shaft_row<ConstantVelocityJoint>(JointTraits("constant_velocity").as_hinge());
}

}  // namespace solidyn::model
