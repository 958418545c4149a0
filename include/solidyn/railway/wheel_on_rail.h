#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "solidyn/railway/rail_head.h"

namespace solidyn::railway {

/// A wheelset over the track, in the axes of one side (x forward, y outwards, z up): where its
/// centre, the middle of the axle, is, and how the axle is turned. The axle points outwards along
/// (-sin yaw, cos yaw cos roll, cos yaw sin roll). On the right side, y, roll and yaw are those of
/// the left with the other sign.
struct WheelPosition {
  double y = 0.0, z = 0.0;       ///< m
  double roll = 0.0, yaw = 0.0;  ///< rad
};

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

/// Samples first to last of a wheel's meridian.
struct SampleRun {
  std::uint16_t first = 0, last = 0;
};

/// An extremum of the overlap of meridian and head.
struct WheelPlace {
  std::size_t section = 0;  ///< of the profile
  double parameter = 0.0;   ///< in the section
  double lift = 0.0;        ///< m, as in WheelRailContact
  std::size_t sample = 0;   ///< the last one that is not behind it
  bool is_joint = false;    ///< a corner between two sections
};

/// A wheel over its rail. The rail does not change along the track, and the wheel is a surface of
/// revolution: it can touch along the line on which its normal is across the track, of which the
/// projection onto the track's cross section is compared with the head (doc/theory/wheel_rail.md).
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

  /// How low summits may be.
  struct Lowest {
    double lift = -std::numeric_limits<double>::infinity();      ///< m
    double below_top = std::numeric_limits<double>::infinity();  ///< m
  };
  /// Appends the summits of the overlap in the order of u.
  /// @param runs  where to look; in none, everywhere
  /// @returns lift of the highest of the samples there, within kSampleError; minus infinity where
  /// the wheel is beside the rail
  double find_summits(const WheelPosition& at, const Lowest& lowest, const SampleRun* runs,
                      std::size_t n_runs, std::vector<WheelPlace>& found) const;
  /// The lowest point of the overlap between two summits.
  WheelPlace valley_between(const WheelPosition& at, const WheelPlace& a,
                            const WheelPlace& b) const;
  static constexpr double kSampleError = 1.5e-5;  ///< m, of a summit by the samples beside it

  const Profile& wheel() const { return wheel_; }
  const RailHead& rail() const { return rail_; }
  double radius() const { return radius_; }
  double tape_circle() const { return tape_circle_; }

  struct Sample {
    std::size_t section = 0;
    double parameter = 0.0;
    double e = 0.0, r = 0.0;  ///< along the axle from its middle, and radius, m
    double tangent =
        0.0;  ///< tan of the meridian's angle; infinite where it is vertical or leans over
    double angle = 0.0;         ///< of the meridian, rad
    double height_error = 0.0;  ///< of RailHead::approximate_height() where the rail leans so, m
    CurvePoint point;
  };
  const std::vector<Sample>& samples() const { return samples_; }

 private:
  struct Turn;
  struct Overlap;
  struct Known;
  std::optional<Overlap> overlap(std::size_t section, double parameter, const Turn& turn) const;
  std::optional<Overlap> overlap(const CurvePoint& wheel, const Turn& turn) const;
  void approximate_overlaps(int first, int last, const Turn& turn, double* overlaps) const;
  void approximate_high_overlaps(double lift, const Turn& turn, double* overlaps) const;
  void add_summits(std::size_t i, const Turn& turn, Known& known,
                   std::vector<WheelPlace>& found) const;
  double extremum(std::size_t section, const Turn& turn, double a, double b, double start,
                  bool is_summit) const;
  WheelRailContact contact_of(const WheelPlace& place, const Turn& turn) const;

  Profile wheel_;
  double radius_, tape_circle_;
  RailHead rail_;
  std::vector<Sample> samples_;
};

}  // namespace solidyn::railway
