#include "formats/shared/label_index.h"

#include <algorithm>

namespace solidyn::formats {

namespace {

/// Spreads labels, which come in runs, over the table (the finaliser of splitmix64).
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace

LabelIndex::LabelIndex(const std::vector<std::int64_t>& labels) {
  if (labels.empty()) return;
  const std::int64_t largest = *std::max_element(labels.begin(), labels.end());
  const bool is_dense = largest <= static_cast<std::int64_t>(4 * labels.size() + 1024);
  std::size_t n_slots = 16;
  while (n_slots < 2 * labels.size()) n_slots *= 2;
  if (is_dense)
    table_.assign(largest + 1, -1);
  else
    slots_.resize(n_slots);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (find(labels[i]) >= 0) {
      repeated_.push_back(static_cast<std::int32_t>(i));
    } else if (is_dense) {
      table_[labels[i]] = static_cast<std::int32_t>(i);
    } else {
      slots_[slot_of(labels[i])] = {labels[i], static_cast<std::int32_t>(i)};
    }
  }
}

std::size_t LabelIndex::slot_of(std::int64_t label) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = mix(static_cast<std::uint64_t>(label)) & mask;
  while (slots_[slot].position >= 0 && slots_[slot].label != label) slot = (slot + 1) & mask;
  return slot;
}

}  // namespace solidyn::formats
