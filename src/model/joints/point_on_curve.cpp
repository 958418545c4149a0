#include <fmt/format.h>

#include "model/joints/placed_joint.h"
#include "model/language/positions_file.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/joints/curve.h"

namespace solidyn::model {
namespace {

using Eigen::Vector3d;

/// A point of the second place on a curve that is fixed to the first.
struct CurveJoint final : PlacedJoint {
  enum class Origin { world, place };
  std::vector<Vector3d> points;  ///< m
  bool is_closed = false;
  Origin given_in = Origin::world;
  std::shared_ptr<const joints::SpaceCurve> curve;  ///< null after a complaint

  void check(const TableView& view, const Scope& scope);
  int n_multipliers() const override { return 2; }
  void check_gap(const PlaceFinder& places, std::vector<base::Diagnostic>& errors) const override;

 protected:
  TwoPoses poses(const PlaceFinder& places) const override;
  joints::JointRows rows(const Vector3d& drawn) const override { return placed(drawn).rows; }
  std::optional<bodies::Coordinate> coordinate(JointFreedom, const Vector3d& drawn) const override {
    return placed(drawn).arc_length;
  }

 private:
  joints::PointOnCurve placed(const Vector3d& drawn) const;
};

joints::PointOnCurve CurveJoint::placed(const Vector3d& drawn) const {
  try {
    return joints::point_on_curve(name, curve, drawn);
  } catch (const base::ComputationError& error) {
    throw base::InputError(fmt::format("joints.{}: as modelled {}", name, error.what()),
                           "draw the point on the curve, by `at`", where);
  }
}

// The first frame's axes and origin are those that the points are given in.
TwoPoses CurveJoint::poses(const PlaceFinder& places) const {
  FramePose first{Vector3d::Zero(), Eigen::Matrix3d::Identity()};
  if (given_in == Origin::place)
    first = {places.position(between[0]), places.orientation(between[0])};
  return {{first, {at.value_or(places.position(between[1])), Eigen::Matrix3d::Identity()}}};
}

void CurveJoint::check_gap(const PlaceFinder& places, std::vector<base::Diagnostic>& errors) const {
  constexpr double kOnIt = 1e-6;  // of the curve's length
  const TwoPoses drawn = poses(places);
  const Vector3d point = drawn[0].R.transpose() * (drawn[1].p - drawn[0].p);
  const joints::SpaceCurve::Values nearest = curve->at(curve->nearest(point));
  const Vector3d gap = point - nearest.value;
  if (gap.norm() <= kOnIt * curve->length()) return;
  if (std::abs(gap.dot(nearest.first.normalized())) > kOnIt * curve->length())
    errors.push_back(
        {where,
         fmt::format("joints.{}: its point is {:.3g} m beyond an end of the curve as modelled",
                     name, gap.norm()),
         "move the point by `at`, or give the curve more points"});
  else
    base::log_warning(
        "joints.{}: its point is {:.3g} m from the curve as modelled, and is brought onto it at the start",
        name, gap.norm());
}

void CurveJoint::check(const TableView& view, const Scope& scope) {
  PlacedJoint::check(view, scope);
  const std::string key = key_of_positions(view, "the curve");
  if (key.empty()) return;
  try {
    if (key == "file") points = read_positions_file(view, key);
    curve = std::make_shared<const joints::SpaceCurve>(points, is_closed);
  } catch (const base::InputError& error) {
    for (const base::Diagnostic& d : error.diagnostics())
      view.report().error(view.where(key), fmt::format("{}: {}", view.path(key), d.what), d.remedy);
    return;
  }
  if (const std::string warning = curve->warning(); !warning.empty())
    view.report().warning(view.where(key), fmt::format("{}: it {}", view.path(key), warning),
                          "give more points where the curve bends");
}

FrictionTraits friction_of_guide() {
  FrictionTraits friction;
  friction.turning = {};
  friction.carries_moments = false;
  friction.presses_any_way = true;
  return friction;
}

Fields<CurveJoint> curve_fields() {
  using Self = CurveJoint;
  using Origin = Self::Origin;
  static const Choice<bool> whether = {{"false", false}, {"true", true}};
  static const Choice<Origin> origins = {{"world", Origin::world}, {"place", Origin::place}};
  return {
      field(Key("points", Form::positions,
                "points of the curve in order, which is a cubic spline through them",
                "[[0, 0, 2], [1, 0, 0.5], [2, 0, 0], [3, 0, 0.5]]")
                .in(kLength),
            &Self::points),
      read_elsewhere<Self>(Key(
          "file", Form::path,
          "instead of `points`: a text file with x, y and z of a point in each line, columns apart by commas, semicolons or blanks, in the units of this file; of lines that begin with # only `# units: m, m, m` counts",
          "track.csv")),
      field(Key("closed", Form::word,
                "`true`: the curve goes on from the last point to the first, smoothly", "true")
                .or_default(),
            whether, &Self::is_closed),
      field(
          Key("given_in", Form::word,
              "where the points' coordinates are from: the `world` at t = 0, or the origin and axes of the first `place`",
              "place")
              .or_default(),
          origins, &Self::given_in)};
}

}  // namespace

JointType point_on_curve_row() {
  CurveJoint joint;
  joint.type = JointTraits("point_on_curve")
                   .at(JointTraits::Point::optional)
                   .leaves({JointFreedom::translation})
                   .rubs(friction_of_guide());
  return placed_joint_type(
      joint,
      PlaceFields{
          between_field(Key("between", Form::references,
                            "the place that the curve is fixed to, and that of the point",
                            "[ground, car]")
                            .sized(2)
                            .needed()),
          field(Key("at", Form::vector,
                    "world: the point on the second place, by default its origin; on the curve",
                    "[0, 0, 2]")
                    .in(kLength),
                &JointPlaces::at)},
      curve_fields());
}

}  // namespace solidyn::model
