#pragma once
#include <utility>
#include <vector>

#include "solidyn/contact/contact_group.h"

namespace solidyn::contact {

/// Pairs of boxes that overlap, one of `first` and one of `second`, by their numbers; unordered.
/// Empty boxes overlap none.
std::vector<std::pair<int, int>> overlapping(const std::vector<Bounds>& first,
                                             const std::vector<Bounds>& second);

/// The same of one list, each pair once, the smaller number first.
std::vector<std::pair<int, int>> overlapping(const std::vector<Bounds>& boxes);

}  // namespace solidyn::contact
