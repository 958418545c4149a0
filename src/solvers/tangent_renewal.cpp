#include "solvers/tangent_renewal.h"

#include <algorithm>
#include <cmath>

namespace solidyn::solvers {

bool TangentRenewal::is_too_slow(double correction, double allowed) {
  constexpr std::size_t kWindow = 4;
  corrections_.push_back(correction);
  if (corrections_.size() <= kWindow || !(correction > allowed)) return false;
  const double before = corrections_[corrections_.size() - 1 - kWindow];
  const double decades = std::log10(before / correction) / static_cast<double>(kWindow);
  if (!(decades > 0.0)) return true;
  return std::log10(correction / allowed) / decades > cost_;
}

void TangentRenewal::start_step() {
  corrections_.clear();
  is_of_this_step_ = false;
}

void TangentRenewal::renew() {
  corrections_.clear();
  steps_ = n_first_ = of_first_ = 0;
  wasted_ = 0.0;
  is_of_this_step_ = true;
}

void TangentRenewal::keep() {
  corrections_.clear();
  wasted_ = 0.0;
}

void TangentRenewal::finish_step(int iterations) {
  ++steps_;
  if (n_first_ < kFirstSteps) {
    ++n_first_;
    of_first_ += iterations;
    return;
  }
  const double usual = static_cast<double>(of_first_) / n_first_;
  wasted_ = std::max(0.0, wasted_ + iterations - usual);
}

}  // namespace solidyn::solvers
