#pragma once
#include <optional>
#include <vector>

#include "solidyn/railway/rail_head.h"

namespace solidyn::railway {

/// A point where a wheel touches its rail, both rigid and the axle across the track; y outwards, z
/// up, of that side.
struct WheelRailContact {
  double lift = 0.0;         ///< height of the wheelset's centre at which they touch there, m
  double u = 0.0;            ///< on the wheel, from the tape circle outwards, m
  double radius = 0.0;       ///< of the wheel there, m
  double y = 0.0, z = 0.0;   ///< in the track, of the wheelset lifted, m
  double angle = 0.0;        ///< rad, of the common tangent; positive as a flange leans
  double wheel_angle = 0.0;  ///< rad, of the wheel's meridian against its axle
  double wheel_curvature = 0.0, rail_curvature = 0.0;  ///< 1/m, positive where convex
};

/// A wheel over its rail.
class WheelOnRail {
 public:
  /// @param radius r0 on the tape circle, m; tape_circle its distance from the wheelset's middle, m
  WheelOnRail(Profile wheel, double radius, double tape_circle, RailHead rail);

  /// The highest of touching(). @throws base::ComputationError where wheel and rail do not meet
  /// within their profiles
  WheelRailContact contact(double y, double roll) const;
  /// All points at which the wheel would touch if the wheelset were lowered no further than `depth`
  /// below contact(), in the order of u: the local summits of the overlap of meridian and head.
  /// @param y, roll  of the wheelset, positive outwards and where the outer side rises (m, rad)
  std::vector<WheelRailContact> touching(double y, double roll, double depth) const;

  const RailHead& rail() const { return rail_; }
  double radius() const { return radius_; }
  double tape_circle() const { return tape_circle_; }

 private:
  struct Sample {
    std::size_t section = 0;
    double parameter = 0.0;
    Eigen::Vector2d p;  ///< from the wheelset's centre
  };
  struct Overlap {
    double value = 0.0, slope = 0.0;  ///< m, by the wheel's parameter
    CurvePoint wheel, rail;
  };
  /// Of the sample that was evaluated last, as the end of an interval and the start of the next.
  struct KnownOverlap {
    std::size_t sample = 0;
    std::optional<Overlap> overlap;
  };
  std::optional<Overlap> overlap(std::size_t section, double parameter, double y,
                                 const Eigen::Matrix2d& R) const;
  std::vector<double> approximate_overlaps(double y, const Eigen::Matrix2d& R) const;
  /// Those between sample i and the next, and at a joint of sections before it.
  void add_summits(std::size_t i, double y, const Eigen::Matrix2d& R, KnownOverlap& known,
                   std::vector<WheelRailContact>& found) const;
  static bool is_summit(const Overlap& side, double direction, const Overlap& other);
  WheelRailContact contact_of(const Overlap& overlap, std::size_t section, double parameter) const;

  Profile wheel_;
  double radius_, tape_circle_;
  RailHead rail_;
  std::vector<Sample> samples_;
};

/// A wheelset on two rails, both wheels touching, the axle across the track.
struct TwoSidedContact {
  double y = 0.0;     ///< of the wheelset's centre, to the left, m
  double roll = 0.0;  ///< about x, rad
  double z = 0.0;     ///< of its centre above the tops of the rails, m
  WheelRailContact left, right;
  double radius_difference() const { return left.radius - right.radius; }
};

class WheelsetOnTrack {
 public:
  WheelsetOnTrack(WheelOnRail left, WheelOnRail right);
  /// With both sides the mirror images of each other.
  explicit WheelsetOnTrack(const WheelOnRail& both) : WheelsetOnTrack(both, both) {}
  /// @throws base::ComputationError where there is none
  TwoSidedContact contact(double y) const;

 private:
  WheelOnRail left_, right_;
};

/// What a wheelset needs besides its profile.
struct WheelsetDimensions {
  double radius = 0.46;               ///< r0, m
  double flange_back = 1.36;          ///< distance between the backs of the flanges, m
  double back_to_tape_circle = 0.07;  ///< m
  double tape_circle() const { return 0.5 * flange_back + back_to_tape_circle; }
};

/// @throws base::InputError for dimensions that leave no clearance between flanges and rails
WheelsetOnTrack make_wheelset_on_track(const Profile& wheel, const WheelsetDimensions& dimensions,
                                       const Profile& rail, const RailPlacement& placement);

}  // namespace solidyn::railway
