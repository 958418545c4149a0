#include "model/joints/distance.h"

#include <fmt/format.h>

#include "solidyn/base/error.h"

namespace solidyn::model {
namespace {

struct DistanceJoint final : PlacedJoint, SecondPoint {
  std::optional<double> length;  ///< m; empty: as modelled

 protected:
  TwoPoses poses(const PlaceFinder& places) const override {
    return poses_of_points(*this, *this, places);
  }
  joints::JointRows rows(const Eigen::Vector3d& drawn) const override {
    return joints::distance_rows(length.value_or(drawn_distance(*this, drawn)));
  }
};

}  // namespace

Field<SecondPoint> to_field() {
  return field(
      Key("to", Form::vector, "world: the point on the second place; by default the place's origin",
          "[0, 0, 1]")
          .in(kLength),
      &SecondPoint::to);
}

TwoPoses poses_of_points(const JointPlaces& joint, const SecondPoint& second,
                         const PlaceFinder& places) {
  const Eigen::Matrix3d I = Eigen::Matrix3d::Identity();
  return {{{joint.at.value_or(places.position(joint.between[0])), I},
           {second.to.value_or(places.position(joint.between[1])), I}}};
}

double drawn_distance(const JointEntry& joint, const Eigen::Vector3d& drawn) {
  const double length = drawn.norm();
  if (length < 1e-9)
    throw base::InputError(
        fmt::format("joints.{}: its two points coincide as modelled", joint.name),
        "give the points by `at` and `to`, or use a spherical joint", joint.where);
  return length;
}

JointType distance_row() {
  DistanceJoint joint;
  joint.type = JointTraits("distance").at(JointTraits::Point::optional);
  return placed_joint_type(joint, PlaceFields{between_field(), at_field()},
                           Fields<SecondPoint>{to_field()},
                           Fields<DistanceJoint>{field(
                               Key("length", Form::number,
                                   "length of the rod; by default the distance as modelled", "0.3")
                                   .in(kLength)
                                   .within(kPositive),
                               &DistanceJoint::length)});
}

}  // namespace solidyn::model
