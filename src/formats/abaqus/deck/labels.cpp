#include "formats/abaqus/deck/labels.h"

#include <algorithm>
#include <numeric>

namespace solidyn::formats {

AbaqusLabels::AbaqusLabels(const std::vector<std::int32_t>& labels) {
  if (labels.empty()) return;
  const auto [low, high] = std::minmax_element(labels.begin(), labels.end());
  first_ = *low;
  last_ = *high;
  const auto n = static_cast<std::int32_t>(labels.size());
  const std::int64_t span = std::int64_t{last_} - first_ + 1;
  if (span <= 4 * std::int64_t{n} + 1024) {
    by_label_.assign(static_cast<std::size_t>(span), -1);
    for (std::int32_t i = 0; i < n; ++i) {
      std::int32_t& position = by_label_[static_cast<std::size_t>(labels[i] - first_)];
      if (position < 0)
        position = i;
      else
        repeated_.push_back(i);
    }
    return;
  }
  sorted_positions_.resize(labels.size());
  std::iota(sorted_positions_.begin(), sorted_positions_.end(), 0);
  if (!std::is_sorted(labels.begin(), labels.end()))
    std::stable_sort(sorted_positions_.begin(), sorted_positions_.end(),
                     [&labels](std::int32_t a, std::int32_t b) { return labels[a] < labels[b]; });
  sorted_labels_.reserve(labels.size());
  for (std::int32_t position : sorted_positions_) {
    if (!sorted_labels_.empty() && sorted_labels_.back() == labels[position])
      repeated_.push_back(position);
    sorted_labels_.push_back(labels[position]);
  }
}

std::int32_t AbaqusLabels::find_sorted(std::int32_t label) const {
  const auto found = std::lower_bound(sorted_labels_.begin(), sorted_labels_.end(), label);
  if (found == sorted_labels_.end() || *found != label) return -1;
  return sorted_positions_[static_cast<std::size_t>(found - sorted_labels_.begin())];
}

std::int64_t AbaqusLabels::append_range(std::int32_t first, std::int32_t last, std::int32_t step,
                                        std::vector<std::int32_t>& positions) const {
  last = std::min(last, last_);
  if (first > last || step < 1) return 0;
  std::int64_t label = first, n_looked_at = 0;
  if (label < first_) label += (first_ - label + step - 1) / step * step;
  if (!by_label_.empty()) {
    for (; label <= last; label += step, ++n_looked_at) {
      const std::int32_t position = find(static_cast<std::int32_t>(label));
      if (position >= 0) positions.push_back(position);
    }
    return n_looked_at;
  }
  auto at = std::lower_bound(sorted_labels_.begin(), sorted_labels_.end(), label);
  for (std::int32_t previous = -1; at != sorted_labels_.end() && *at <= last; ++at, ++n_looked_at) {
    if ((std::int64_t{*at} - first) % step == 0 && *at != previous)
      positions.push_back(sorted_positions_[static_cast<std::size_t>(at - sorted_labels_.begin())]);
    previous = *at;
  }
  return n_looked_at;
}

}  // namespace solidyn::formats
