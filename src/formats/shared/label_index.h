#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace solidyn::formats {

/// From a file's numbers (labels) of nodes or elements to their positions. Memory is proportional
/// to how many there are, not to the largest. Private to the readers.
class LabelIndex {
 public:
  /// The first of equal labels counts. @pre fewer than 2^31 - 1 labels; they are not negative.
  explicit LabelIndex(const std::vector<std::int64_t>& labels);
  LabelIndex() = default;

  /// The position of a label, or -1.
  std::int32_t find(std::int64_t label) const {
    if (!table_.empty())
      return label < 0 || label >= static_cast<std::int64_t>(table_.size()) ? -1 : table_[label];
    return slots_.empty() ? -1 : slots_[slot_of(label)].position;
  }
  /// Positions whose label an earlier one has, in order.
  const std::vector<std::int32_t>& repeated() const { return repeated_; }

 private:
  struct Slot {
    std::int64_t label = 0;
    std::int32_t position = -1;
  };
  std::size_t slot_of(std::int64_t label) const;

  std::vector<std::int32_t> table_;  // by label, where labels are close together
  std::vector<Slot> slots_;          // else a hash table with open addresses
  std::vector<std::int32_t> repeated_;
};

}  // namespace solidyn::formats
