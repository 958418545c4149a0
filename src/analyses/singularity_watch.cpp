#include "singularity_watch.h"

#include <algorithm>
#include <utility>

#include "solidyn/system/scales.h"

namespace solidyn::analyses {
namespace {

// Relative to the largest value so far: near a singular position, however the looks fall.
constexpr double kNear = 0.02;
// So small at least where it falls as if to zero within the distance of two looks.
constexpr double kFalling = 0.2;
// Between two looks, of the distance to a singular position as the last one saw it.
constexpr double kMoved = 0.1;

}  // namespace

SingularityWatch::SingularityWatch(const system::System& system,
                                   const system::Redundancy& redundancy)
    : condition_(system, redundancy.rows),
      weights_(increment_weights(system, characteristic_length(system))) {}

bool SingularityWatch::is_due(const system::State& state) {
  if (last_ && state.v.size() > 0)
    moved_ += (state.t - moved_until_) * state.v.cwiseProduct(weights_).lpNorm<Eigen::Infinity>();
  moved_until_ = state.t;
  return !last_ || moved_ * largest_ >= kMoved * last_->value;
}

SingularityWatch::Passage SingularityWatch::passage_at(const Look& look) const {
  return {look.t, look.value / largest_, condition_.participants(look.combination)};
}

std::optional<SingularityWatch::Passage> SingularityWatch::look(const system::State& state) {
  moved_ = 0.0;
  Look now{state.t, condition_.estimate(), condition_.orientation(), {}};
  largest_ = std::max(largest_, now.value);
  if (now.value < kFalling * largest_ || now.orientation != 0)
    now.combination = condition_.combination();
  std::optional<Passage> passage;
  if (last_ && last_->orientation * now.orientation < 0) {
    passage = passage_at(last_->value < now.value ? *last_ : now);
  }
  if (before_ && last_->value < before_->value && last_->value <= now.value) {
    const bool is_near = last_->value < kNear * largest_;
    const bool falls = last_->value < kFalling * largest_ &&
                       last_->value < 0.5 * std::min(before_->value, now.value);
    if (is_near || falls) passage = passage_at(*last_);
  }
  before_ = std::exchange(last_, std::move(now));
  return passage;
}

}  // namespace solidyn::analyses
