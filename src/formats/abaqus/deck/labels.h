#pragma once
#include <cstdint>
#include <vector>

namespace solidyn::formats {

/// From the labels of a file, in any order and with gaps, to positions in its list of labels.
/// Memory is proportional to their number, whatever they are.
class AbaqusLabels {
 public:
  AbaqusLabels() = default;
  explicit AbaqusLabels(const std::vector<std::int32_t>& labels);

  /// -1 when there is no such label; the first position of one that is there more than once.
  std::int32_t find(std::int32_t label) const {
    if (by_label_.empty()) return find_sorted(label);
    const std::int64_t at = std::int64_t{label} - first_;
    return at < 0 || at >= static_cast<std::int64_t>(by_label_.size())
               ? -1
               : by_label_[static_cast<std::size_t>(at)];
  }
  /// Positions whose label an earlier position has.
  const std::vector<std::int32_t>& repeated() const { return repeated_; }
  /// Positions of the labels first, first + step, ... up to last that are there. Returns how many
  /// it looked at.
  std::int64_t append_range(std::int32_t first, std::int32_t last, std::int32_t step,
                            std::vector<std::int32_t>& positions) const;

 private:
  std::int32_t find_sorted(std::int32_t label) const;

  std::int32_t first_ = 0, last_ = -1;
  std::vector<std::int32_t> by_label_;                          // where labels are close together
  std::vector<std::int32_t> sorted_labels_, sorted_positions_;  // else
  std::vector<std::int32_t> repeated_;
};

}  // namespace solidyn::formats
