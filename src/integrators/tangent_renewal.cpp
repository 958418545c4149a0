#include "tangent_renewal.h"

#include <algorithm>
#include <cmath>

namespace solidyn::integrators {

bool TangentRenewal::is_too_slow(double correction, double allowed) {
  constexpr std::size_t kWindow = 4;
  corrections_.push_back(correction);
  if (corrections_.size() <= kWindow || !(correction > allowed)) return false;
  const double before = corrections_[corrections_.size() - 1 - kWindow];
  const double decades = std::log10(before / correction) / static_cast<double>(kWindow);
  if (!(decades > 0.0)) return true;
  return std::log10(correction / allowed) / decades > kCost;
}

void TangentRenewal::start_step() {
  corrections_.clear();
  is_of_this_step_ = false;
}

void TangentRenewal::renew() {
  corrections_.clear();
  fewest_ = -1;
  wasted_ = 0;
  is_of_this_step_ = true;
}

void TangentRenewal::keep() {
  corrections_.clear();
  wasted_ = 0;
}

void TangentRenewal::finish_step(int iterations) {
  fewest_ = fewest_ < 0 ? iterations : std::min(fewest_, iterations);
  wasted_ += iterations - fewest_;
}

}  // namespace solidyn::integrators
