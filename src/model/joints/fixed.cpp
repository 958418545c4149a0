#include "model/joints/placed_joint.h"

namespace solidyn::model {
namespace {

/// A weld, as its places are drawn.
struct FixedJoint final : PlacedJoint {
  bool may_share = true;  ///< interfaces of superelements may be one node

  bool may_share_node() const override { return may_share; }

 protected:
  bool holds_as_drawn() const override { return true; }
  joints::JointRows rows(const Eigen::Vector3d&) const override {
    return joints::joint_rows(joints::JointType::fixed);
  }
};

}  // namespace

JointType fixed_row() {
  FixedJoint joint;
  joint.type = JointTraits("fixed").as_hinge();
  return placed_joint_type(
      joint, PlaceFields{between_field(), at_field()},
      Fields<FixedJoint>{field(
          Key("share", Form::word,
              "whether interfaces of superelements connected by the joint become one node, which needs no constraint; joints read by a sensor or with `cut: true` keep the constraint",
              "false")
              .or_default(),
          Choice<bool>{{"true", true}, {"false", false}}, &FixedJoint::may_share)});
}

}  // namespace solidyn::model
