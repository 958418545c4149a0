// Newton's method of Statics, at one load or for one step of the path.
#include <algorithm>

#include "arc_length.h"
#include "equilibrium.h"
#include "solidyn/analyses/statics.h"
#include "solidyn/base/error.h"
#include "solidyn/base/resource_error.h"

namespace solidyn::analyses {
namespace {

using system::State;

constexpr double kViolated = 1e-9;  // relative to the tolerance's displacement or 1 m
// The shortest fraction of a correction that the line search tries is 2^-8.
constexpr int kMaxHalvings = 8;
// Corrections of this size, relative to the displacement or to the length, are as good as the
// round-off of internal forces allows when they stop shrinking: slender bodies amplify it.
constexpr double kStagnated = 1e-6;
constexpr double kNoise = 1e-10;
constexpr double kRoundOffOfPositions = 1e-13;  // of positions, relative to the length
constexpr double kNearDisplacement = 1e-2;      // relative to the displacement
constexpr double kDiverged = 1e2;               // lengths, or rad

}  // namespace

bool Statics::is_small(double size) const {
  return size <= std::max(kRoundOffOfPositions, options_.tolerance * equilibrium_->size(*moved_));
}

// Is the correction with the same tangent worth having? Far away it says nothing: in a slender body
// it is of the stretch that a rotation by the last correction left.
bool Statics::is_near(double size) const {
  return size <= kNearDisplacement * equilibrium_->size(*moved_) || may_be_noise(size);
}

// May a correction be nothing but round-off?
bool Statics::may_be_noise(double size) const {
  return size <= std::max(kNoise, kStagnated * equilibrium_->size(*moved_));
}

// What leads back to the path, where the step is one of the path.
void Statics::complete(const Move& travel, Move& correction) {
  if (on_path_) path_->complete(travel, correction);
}

void Statics::take(double fraction, const Move& correction) {
  travel_->add(fraction, correction);
  moved_->add(fraction, correction);
}

// The correction that would follow with the same tangent.
void Statics::find_next() {
  equilibrium_->find_correction(state_, *next_);
  complete(*travel_, *next_);
  next_size_ = equilibrium_->size(*next_);
}

// 1, or the fraction of the correction that inverts no element; state_ is there afterwards.
bool Statics::find_admissible_fraction(const State& before) {
  fraction_ = 1.0;
  for (int i = 0; i <= kMaxHalvings; ++i, fraction_ *= 0.5) {
    equilibrium_->apply(before, fraction_, *correction_, state_);
    if (equilibrium_->is_admissible(state_)) return true;
  }
  return false;
}

bool Statics::take_whole(const State& before, double size) {
  if (!find_admissible_fraction(before)) return false;
  take(fraction_, *correction_);
  next_size_ = size;
  if (is_near(size)) find_next();
  return true;
}

// A fraction after which the next correction is shorter: the natural monotonicity test.
bool Statics::search(const State& before, double size) {
  fraction_ = 1.0;
  for (int i = 0; i <= kMaxHalvings; ++i, fraction_ *= 0.5) {
    equilibrium_->apply(before, fraction_, *correction_, state_);
    if (!equilibrium_->is_admissible(state_)) continue;
    take(fraction_, *correction_);
    find_next();
    if (next_size_ <= (1.0 - 0.25 * fraction_) * size || may_be_noise(size)) return true;
    take(-fraction_, *correction_);
    ++statistics_.shortened_corrections;
  }
  return false;
}

// Newton's method at this load, or for this step of the path.
bool Statics::iterate(Corrections corrections) {
  statistics_.corrections.clear();
  for (int i = 0; i < options_.max_iterations; ++i) {
    ++statistics_.newton_iterations;
    equilibrium_->linearise(state_);
    equilibrium_->find_correction(state_, *correction_);
    if (on_path_) path_->linearise(state_);
    complete(*travel_, *correction_);
    const double size = equilibrium_->size(*correction_);
    if (!(size < kDiverged)) return false;
    statistics_.corrections.push_back(size);
    const State before = state_.clone();
    if (!(corrections == Corrections::whole ? take_whole(before, size) : search(before, size)))
      return false;
    const bool stagnates = i > 0 && next_size_ > 0.5 * size && may_be_noise(next_size_);
    if (fraction_ < 1.0 || !is_near(size) || !(is_small(next_size_) || stagnates)) continue;
    // The simplified correction is known, so it is taken too.
    statistics_.corrections.push_back(next_size_);
    const State last = state_.clone();
    equilibrium_->apply(last, 1.0, *next_, state_);
    take(1.0, *next_);
    equilibrium_->find_correction(state_, *next_);
    return meets_constraints();
  }
  return false;
}

// Of the last correction's or evaluation's state.
bool Statics::meets_constraints() const { return equilibrium_->violation() <= kViolated; }

// With whole corrections, and where these fail with searched ones from the same state.
bool Statics::find_equilibrium() {
  if (has_contacts()) return iterate_with_contacts();
  if (options_.nonlinear == solvers::Nonlinear::snes) return iterate_by_snes();
  const State before = state_.clone();
  Move travel = equilibrium_->make_move();
  travel.add(1.0, *travel_);
  try {
    if (iterate(Corrections::whole)) return true;
  } catch (const base::ResourceError&) {
    throw;
  } catch (const base::ComputationError&) {
    // Whatever became singular there need not be met on the way of shorter corrections.
  }
  travel.add(-1.0, *travel_);
  take(1.0, travel);
  state_.copy_from(before);
  return iterate(Corrections::searched);
}

}  // namespace solidyn::analyses
