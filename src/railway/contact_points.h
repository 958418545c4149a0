#pragma once
#include <optional>
#include <vector>

#include "solidyn/railway/contact_search.h"

namespace solidyn::railway {

/// The contact points of a wheel that looks for its summits in some of its samples, in all if
/// n_runs is 0.
/// @param deepest overlap for which the samples are enough, m
/// @returns false if they are not
bool find_points(const WheelOnRail& pair, const ContactOptions& options, const WheelPosition& at,
                 double deepest, const SampleRun* runs, std::size_t n_runs,
                 std::vector<ContactPoint>& points);

/// Wheel and rail over one another at a point of the wheel that stays.
struct FixedOverlap {
  PositionDual overlap;         ///< in the vertical, m
  double y = 0.0, slope = 0.0;  ///< across the track, m; of the overlap over y
};
/// Nothing beside the rail, or where the wheel cannot touch.
std::optional<FixedOverlap> fixed_overlap(const WheelOnRail& pair, const WheelPosition& at,
                                          std::size_t section, double parameter);

/// Divides connected overlaps among their summits. With the overlap over the wheel as a landscape,
/// a summit has what is above the last saddle for itself; what is below, down to the next saddle,
/// it shares with the others there in proportion to the lengths of the tree of summits and saddles
/// above it. So a summit's part is zero when it is swallowed, whatever the others do.
/// @param summits [n], positive   @param saddles [n - 1] between neighbours
/// @returns [n] m
std::vector<PositionDual> divide_overlap(const std::vector<PositionDual>& summits,
                                         const std::vector<PositionDual>& saddles);

}  // namespace solidyn::railway
