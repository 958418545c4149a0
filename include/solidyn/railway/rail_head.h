#pragma once
#include <array>
#include <limits>
#include <vector>

#include "solidyn/railway/profile.h"

namespace solidyn::railway {

/// How rails lie in the track: each is turned about the direction of the track by
/// atan(inclination), its top inwards, then moved so that the top is at z = 0 and the gauge is
/// measured `gauge_depth` below it.
struct RailPlacement {
  double gauge = 1.435;             ///< m
  double inclination = 1.0 / 40.0;  ///< 0 for a profile that was measured in the track
  double gauge_depth = 0.014;       ///< m
};

/// The head of a rail in its place, in the track's axes (y outwards from the centre line, z up):
/// that part on both sides of its top whose height is a function of y.
class RailHead {
 public:
  /// @throws base::InputError if the head does not reach down to the gauge's depth, or the gauge is
  /// too narrow for it
  RailHead(const Profile& rail, const RailPlacement& placement);
  /// Placed already: no inclination, the origin of the profile at (y, 0).
  RailHead(const Profile& rail, double y);

  double first() const { return places_.front().y; }
  double last() const { return places_.back().y; }
  bool reaches(double y) const { return y > first() && y < last(); }
  /// The point above y. @pre reaches(y)
  CurvePoint at(double y) const;
  /// Height between samples 0.05 mm apart, or 0.1 mm along the head where it is steeper than 75
  /// degrees; minus infinity beside the head.
  double approximate_height(double y) const {
    const double cell = (y - first_) * chords_per_metre_;
    if (!(cell > 0.0 && cell < n_chords_)) return -std::numeric_limits<double>::infinity();
    const Chord& chord = chords_[static_cast<std::size_t>(cell)];
    return chord.is_steep ? height_between_places(y) : chord.height + chord.slope * y;
  }
  /// By how much approximate_height() may be too low where the head has about this slope, m.
  double height_error(double slope) const;
  /// Where the origin of the profile, its crown as a rule, came to lie: y, z, m.
  const Eigen::Vector2d& origin() const { return origin_; }

 private:
  struct Place {
    double y = 0.0, z = 0.0;
    std::size_t section = 0;
    double parameter = 0.0;
  };
  /// The head over a cell as a straight line over y.
  struct Chord {
    double height = 0.0, slope = 0.0;
    bool is_steep = false;
  };
  void find_places();
  void find_chords();
  double height_between_places(double y) const;
  /// Index of the last place that is not beyond y, and not the very last.
  std::size_t place_before(double y) const;

  Profile profile_;
  Eigen::Vector2d origin_;
  std::vector<Place> places_;          ///< in the order of y
  std::vector<std::size_t> in_cells_;  ///< by equal cells of y: where to look for a place
  double cells_per_metre_ = 0.0;
  std::vector<Chord> chords_;
  std::array<double, 4> errors_{};  ///< of chords, by classes of slope, m
  double first_ = 0.0, chords_per_metre_ = 0.0, n_chords_ = 0.0;
};

}  // namespace solidyn::railway
