// Statics with set-valued contacts: Newton's method around the problem of their forces.
#include <algorithm>
#include <cmath>

#include "equilibrium.h"
#include "rubbing_way.h"
#include "solidyn/analyses/statics.h"
#include "solidyn/base/error.h"
#include "solidyn/integrators/static_contacts.h"
#include "static_tangent.h"

namespace solidyn::analyses {
namespace {

using system::State;

// Proximal corrections, which look for what is closed, do not count as iterations, but have an end.
constexpr int kMaxProximal = 100;
constexpr double kNotMet = 1e-9;
constexpr double kLost = 1e4;  // lengths, or rad: what falls comes to rest far away, or never
// A proximal correction leaves a part of the distance: it must be smaller than one of Newton's.
constexpr double kOfProximal = 1e-2;
// Of the last correction, in lengths or rad: what moves no more is not the reason.
constexpr double kNoMotion = 1e-6;
// Where friction carries something a step goes no farther, in lengths or rad: where a motion would
// end depends on it then, and on more than loads.
constexpr double kFarthest = 0.3;
// Of that: what has gone so far and would go on does not come back.
constexpr double kNearlyThere = 0.8;
// Of a correction that is shortened.
constexpr double kSmallestFraction = 1e-12;

}  // namespace

bool Statics::has_contacts() const { return contacts_ && !contacts_->is_empty(); }

void Statics::take_with_contacts(const State& before, const Eigen::VectorXd& x) {
  equilibrium_->apply(before, fraction_, *correction_, state_);
  take(fraction_, *correction_);
  contacts_->take(before, fraction_, x, state_);
}

// @param way  since friction carries something
bool Statics::is_far(const Move& way) const { return equilibrium_->size(way) > kFarthest; }

// Why there is no equilibrium, while the state still shows it.
void Statics::explain_contacts() {
  const Eigen::VectorXd motion = correction_->small.head(system_.layout().n_velocities());
  system_.update(state_);
  contact_reason_ = contacts_->describe(state_);
  if (contact_reason_.empty() && equilibrium_->size(*correction_) > kNoMotion)
    contact_reason_ =
        "\n  " + describe_motion(system_, state_, motion, "still moves") +
        ": add what holds it there (a contact, joint or support), or compute the motion with `dynamics`";
}

bool Statics::iterate_with_contacts() {
  statistics_.corrections.clear();
  contact_reason_.clear();
  contacts_->begin(state_);
  int n_exact = 0, n_proximal = 0;
  Eigen::VectorXd x;
  RubbingWay rubbed(system_, *equilibrium_);
  while (n_exact < options_.max_iterations && n_proximal < kMaxProximal) {
    ++statistics_.newton_iterations;
    if (!contacts_->correct(state_, x)) {
      contact_reason_ = contacts_->describe(state_);
      throw base::ComputationError("no contact forces were found" +
                                   (contacts_->failure().empty() ? std::string(" that lead to one")
                                                                 : ": " + contacts_->failure()));
    }
    ++(contacts_->was_exact() ? n_exact : n_proximal);
    equilibrium_->set_move(x, *correction_);
    const double size = equilibrium_->size(*correction_);
    if (!(size < kLost)) {
      explain_contacts();
      return false;
    }
    const double last =
        statistics_.corrections.empty() ? 2.0 * size : statistics_.corrections.back();
    statistics_.corrections.push_back(size);
    rubbed.note(contacts_->rubbing(), *travel_);
    const State before = state_.clone();
    if (!find_admissible_fraction(before)) return false;
    // Bodies of groups that were too far apart to be looked at do not meet: they come near first.
    const auto misses_pairs = [&] { return contacts_->misses_pairs(state_); };
    // Into what gives way, as a penalty contact does, a correction may overshoot and come back: one
    // that goes too far is taken half of the way that is left.
    const auto way_after = [&](double part) {
      Move travel = equilibrium_->make_move();
      travel.add(1.0, *travel_);
      travel.add(part, *correction_);
      return rubbed.way(travel);
    };
    const bool would_miss_pairs = misses_pairs(), would_go_far = is_far(way_after(fraction_));
    const double gone = equilibrium_->size(way_after(0.0)),
                 farthest = would_go_far ? 0.5 * (gone + kFarthest) : kFarthest;
    while (!(equilibrium_->size(way_after(fraction_)) <= farthest) || misses_pairs()) {
      fraction_ *= 0.5;
      if (fraction_ < kSmallestFraction) return false;
      equilibrium_->apply(before, fraction_, *correction_, state_);
      system_.update(state_);
    }
    take_with_contacts(before, x);
    if (would_miss_pairs) contacts_->look_for_pairs(state_);
    if (would_go_far && equilibrium_->size(rubbed.way(*travel_)) > kNearlyThere * kFarthest) {
      explain_contacts();
      throw base::ComputationError(
          "there is none near the last one: where friction would let it come to rest depends on the motion");
    }
    const double allowed = contacts_->was_exact() ? size : size / kOfProximal;
    const bool stagnates = size > 0.5 * last && may_be_noise(size);
    if (fraction_ < 1.0 || !(is_small(allowed) || stagnates) || !contacts_->keeps_gaps(state_))
      continue;
    equilibrium_->evaluate(state_);
    if (!(equilibrium_->violation() <= kNotMet)) continue;
    if (const std::string reason = system_.rejection(state_.t); !reason.empty())
      throw base::ComputationError(reason);
    contacts_->finish(state_);
    return true;
  }
  explain_contacts();
  return false;
}

}  // namespace solidyn::analyses
