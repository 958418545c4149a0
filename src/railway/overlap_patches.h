#pragma once
#include <vector>

#include "solidyn/railway/rail_overlap.h"

namespace solidyn::railway {

/// Between samples of the wheel's meridian, m; twice that on treads, whose patches are wide.
constexpr double kMeridianStep = 1e-4;

/// Neighbouring samples that all overlap: cut into basins at the valleys between summits, of which
/// patches are made.
class OverlapRun {
 public:
  /// The sums that the next sample goes to. @param depth  its overlap, >= 0  @param sample  its
  /// index
  OverlapSums& next(double depth, std::size_t sample);
  /// Appends the patches of what there was, and begins anew.
  void finish(std::vector<OverlapPatch>& patches);

 private:
  struct Basin {
    double summit = 0.0;  ///< m
    double valley = 0.0;  ///< before the next basin, m
    double split = 0.0;   ///< share by which it is a patch of its own, apart from the next
    std::size_t first = 0, last = 0;  ///< samples
    OverlapSums sums;
  };
  void find_splits();

  std::vector<Basin> basins_;
  double last_ = 0.0;
  bool falls_ = false;
};

}  // namespace solidyn::railway
