#pragma once
#include <array>
#include <memory>

#include "solidyn/joints/joint.h"

namespace solidyn::joints {

/// A smooth curve through points: a cubic spline, twice continuously differentiable, over the
/// length u of the chords, m. Closed it continues from the last point to the first, with continuous
/// curvature; open its ends are not-a-knot, so that between points h apart it is within O(h^4) of
/// the smooth curve that they are on, up to the ends, and it is continued straight beyond them for
/// iterations alone. Proved by SpaceCurve.*.
class SpaceCurve {
 public:
  /// @param points in order, m; of a closed curve the first may stand once more at the end
  /// @throws base::InputError where there are too few, two that follow are one, or the curve turns
  /// too much between two of them
  SpaceCurve(std::vector<Eigen::Vector3d> points, bool is_closed);

  bool is_closed() const { return is_closed_; }
  double end() const { return knots_.back(); }                 ///< u of the last point, m
  double length() const { return lengths_.back(); }            ///< of arc, m
  const std::vector<double>& knots() const { return knots_; }  ///< u of each point; the first is 0

  /// A point or a vector along the curve and its derivatives by u.
  struct Values {
    Eigen::Vector3d value, first, second;
  };
  Values at(double u) const;
  Eigen::Vector3d third_derivative(double u) const;  ///< constant between points
  /// Two vectors that span the plane across the curve with its tangent, unit and normal to it and
  /// each other at the points, splines between them. They turn about the curve as little as they
  /// can; the second of a plane curve is the normal of its plane, and the first that cross the
  /// tangent.
  std::array<Values, 2> normals(double u) const;
  double curvature(double u) const;  ///< 1/m
  /// By which angle the tangent turns between two places, rad.
  double bend(double from, double to) const;
  double arc_length(double u) const;  ///< from the first point, over any number of laps, m

  /// Where the curve is nearest to p, of the places that are reached from `near` downhill.
  /// @throws base::ComputationError where p is about at the centre of its curvature
  double nearest(const Eigen::Vector3d& p, double near) const;
  double nearest(const Eigen::Vector3d& p) const;  ///< of all places

  /// What is doubtful in the points: "bends with a radius of ..."; empty when nothing is.
  std::string warning() const;

 private:
  /// A vector along the curve, component by component.
  using Spline = std::array<math::TimeFunction, 3>;
  Spline through(const std::vector<Eigen::Vector3d>& values) const;
  static Values values_of(const Spline& spline, double u);
  void set_normals();
  void require_smooth() const;
  std::size_t segment_of(double& u) const;
  double length_between(double from, double to) const;
  double step_to_nearest(const Eigen::Vector3d& p, double u) const;

  bool is_closed_;
  std::vector<double> knots_;
  std::vector<double> lengths_;  // of arc, up to each knot
  Spline curve_;
  std::vector<Eigen::Vector3d> second_;  // derivatives at the knots
  std::array<Spline, 2> normals_;
};

/// A point, B's origin, on a curve that is given in A's axes from A's origin. Two rows, the
/// point's distances from the nearest place of the curve along the curve's normals(), m; their
/// multipliers are forces along these, N. Which place is nearest is tracked from state to state, so
/// that curves may cross themselves and come close; steps in which the curve bends by more than a
/// radian are too long, and an open curve's ends end the motion with an error.
/// doc/theory/joints.md Proved by ConstraintContract.* and PointOnCurve.*.
struct PointOnCurve {
  JointRows rows;
  Coordinate arc_length;  ///< from where the point is drawn, over any number of laps, m
};
/// @param name of the joint, for messages    @param drawn the point from A's origin, in A's axes, m
PointOnCurve point_on_curve(const std::string& name, const std::shared_ptr<const SpaceCurve>& curve,
                            const Eigen::Vector3d& drawn);

}  // namespace solidyn::joints
