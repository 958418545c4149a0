#include "singularity_watch.h"

#include <algorithm>
#include <utility>

namespace solidyn::analyses {
namespace {

// Relative to the largest value so far: near a singular position, however the looks fall.
constexpr double kNear = 0.02;
// So small at least where it falls as if to zero within the distance of two looks.
constexpr double kFalling = 0.2;

}  // namespace

std::optional<SingularityWatch::Passage> SingularityWatch::look(double t) {
  Look now{t, condition_.estimate(), condition_.orientation(), {}};
  largest_ = std::max(largest_, now.value);
  if (now.value < kFalling * largest_ || now.orientation != 0)
    now.constraints = condition_.participants();
  std::optional<Passage> passage;
  if (last_ && last_->orientation * now.orientation < 0) {
    const Look& nearer = last_->value < now.value ? *last_ : now;
    passage = Passage{nearer.t, nearer.value / largest_, nearer.constraints};
  }
  if (before_ && last_->value < before_->value && last_->value <= now.value) {
    const bool is_near = last_->value < kNear * largest_;
    const bool falls = last_->value < kFalling * largest_ &&
                       last_->value < 0.5 * std::min(before_->value, now.value);
    if (is_near || falls) passage = Passage{last_->t, last_->value / largest_, last_->constraints};
  }
  before_ = std::exchange(last_, std::move(now));
  return passage;
}

}  // namespace solidyn::analyses
