#pragma once
#include <vector>

namespace solidyn::track {

/// A function of the distance along the track that is linear between points and constant beyond
/// them; it may jump at points. Corners are rounded over `blend`, half on each side, such that the
/// second derivative is continuous, jumps such that the first is. With blend = 0 derivatives are
/// those from the left of corners.
class RoundedLine {
 public:
  struct Knot {
    double s = 0.0;                    ///< m
    double before = 0.0, after = 0.0;  ///< values on both sides
  };
  struct Values {
    double integral = 0.0;  ///< from the first knot
    double value = 0.0, first = 0.0, second = 0.0;
  };
  /// @param knots  in increasing order, one or more   @param blend >= 0, m
  RoundedLine(std::vector<Knot> knots, double blend);
  Values at(double s) const;

 private:
  struct Corner {
    double s = 0.0, jump = 0.0, bend = 0.0;  ///< of the value, of the slope
  };
  double start_ = 0.0, value_ = 0.0, half_ = 0.0;
  double start_integral_ = 0.0;  // of what is rounded before the first knot
  std::vector<Corner> corners_;
};

}  // namespace solidyn::track
