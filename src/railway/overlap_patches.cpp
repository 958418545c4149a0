#include "overlap_patches.h"

#include <algorithm>

namespace solidyn::railway {

// A sample beyond a valley begins a basin.
OverlapSums& OverlapRun::next(double depth, std::size_t sample) {
  if (basins_.empty()) {
    basins_.emplace_back().first = sample;
    falls_ = false;
  } else if (falls_ && depth > last_) {
    basins_.back().valley = last_;
    basins_.emplace_back().first = sample;
    falls_ = false;
  } else if (depth < last_) {
    falls_ = true;
  }
  last_ = depth;
  Basin& basin = basins_.back();
  basin.summit = std::max(basin.summit, depth);
  basin.last = sample;
  return basin.sums;
}

// From the highest valley to the lowest, the lower summit of the two sides ends there: it stands
// out by its prominence. The share is 0 where a summit merges with its valley, and 1 where the
// valley is out of contact.
void OverlapRun::find_splits() {
  std::vector<std::size_t> order(basins_.size() - 1);
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return basins_[a].valley > basins_[b].valley; });
  std::vector<std::size_t> group(basins_.size());
  std::vector<double> highest(basins_.size());
  for (std::size_t i = 0; i < group.size(); ++i) {
    group[i] = i;
    highest[i] = basins_[i].summit;
  }
  for (const std::size_t i : order) {
    const std::size_t left = group[i], right = group[i + 1];
    const double lower = std::min(highest[left], highest[right]);
    const double x = std::clamp((lower - basins_[i].valley) / lower, 0.0, 1.0);
    basins_[i].split = x * x * (3.0 - 2.0 * x);
    highest[left] = std::max(highest[left], highest[right]);
    for (std::size_t& g : group)
      if (g == right) g = left;
  }
}

void OverlapRun::finish(std::vector<OverlapPatch>& patches) {
  constexpr double kLeastShare = 1e-14;
  if (basins_.empty()) return;
  if (basins_.size() > 1) find_splits();
  const std::size_t n = basins_.size();
  for (std::size_t from = 0; from < n; ++from) {
    OverlapPatch patch;
    patch.first = basins_[from].first;
    double uncut = from > 0 ? basins_[from - 1].split : 1.0;
    for (std::size_t to = from; to < n && uncut > kLeastShare; ++to) {
      patch.sums += basins_[to].sums;
      patch.last = basins_[to].last;
      const double end = to + 1 < n ? basins_[to].split : 1.0;
      patch.share = uncut * end;
      if (patch.share > kLeastShare) patches.push_back(patch);
      uncut *= 1.0 - end;
    }
  }
  basins_.clear();
}

}  // namespace solidyn::railway
