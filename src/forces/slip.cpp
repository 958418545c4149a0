#include "solidyn/forces/slip.h"

#include <algorithm>

namespace solidyn::forces {
namespace {

// Of the transition speed: slower slips are where friction is steep.
constexpr double kSteep = 0.5;

double share_before_reversal(const Slip& before, const Slip& after) {
  const Eigen::Vector3d change = after.velocity - before.velocity;
  if (before.transition_speed == 0.0 ||
      before.velocity.norm() <= kSteep * before.transition_speed ||
      before.velocity.dot(after.velocity) >= 0.0)
    return 1.0;
  return -before.velocity.dot(change) / change.squaredNorm();
}

}  // namespace

double share_before_reversal(const std::vector<Slip>& before, const std::vector<Slip>& after) {
  if (before.size() != after.size()) return 1.0;
  double share = 1.0;
  for (std::size_t i = 0; i < before.size(); ++i)
    share = std::min(share, share_before_reversal(before[i], after[i]));
  return share;
}

}  // namespace solidyn::forces
