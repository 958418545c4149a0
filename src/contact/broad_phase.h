#pragma once
#include <utility>
#include <vector>

#include "solidyn/contact/contact_group.h"

namespace solidyn::contact {

/// A box with its faces moved outwards by so much.
inline Bounds grown(const Bounds& box, double by) {
  return {box.min() - Eigen::Vector3d::Constant(by), box.max() + Eigen::Vector3d::Constant(by)};
}

/// Pairs of boxes that overlap, one of `first` and one of `second`, by their numbers; unordered.
/// Empty boxes overlap none.
std::vector<std::pair<int, int>> overlapping(const std::vector<Bounds>& first,
                                             const std::vector<Bounds>& second);

/// The same of one list, each pair once, the smaller number first.
std::vector<std::pair<int, int>> overlapping(const std::vector<Bounds>& boxes);

}  // namespace solidyn::contact
