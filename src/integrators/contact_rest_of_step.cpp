// Impacts at their own time within a step (doc/theory/nonsmooth.md, The rest of the step).
#include <algorithm>
#include <cmath>

#include "integrators/contact_transitions.h"
#include "integrators/directions_of_contacts.h"
#include "integrators/energies_of_islands.h"
#include "integrators/joined_clusters.h"
#include "solidyn/system/scales.h"

namespace solidyn::integrators {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using system::State;

// Of the step: points of a set that are hit within such a time of each other are hit at once.
constexpr double kAtOnce = 1e-3;
// Of the step: a rest that is shorter is none.
constexpr double kNoRest = 1e-6;
// The time is sought to this part of the step, in so many steps of Newton's method.
constexpr double kExact = 1e-12;
constexpr int kMaxSteps = 8;
// Of the kinetic energy: what the way back to the impact may change of the sum of energies. Where
// it is more, accelerations are those of stiff parts, and say nothing of the way.
constexpr double kChangeOfEnergy = 1e-4;
constexpr double kRankOfSpeeds = 1e-10;
// Of the accelerations: what they may change by in a step that resolves them; or this part of the
// velocities, which is round-off.
constexpr double kSmooth = 0.2, kRoundOffOfSpeeds = 1e-6;

}  // namespace

// Points that are hit, and sets of bodies that touch each other, of which all points are hit at
// once: of others it is not known which of them would be.
std::vector<ContactTransitions::Meeting> ContactTransitions::find_meetings(const State& s) const {
  std::vector<int> touching;
  std::vector<bool> is_hit;
  for (const int i : find_closing(s, nullptr)) {
    if (points_.velocity(i)[0] >= -speed_at_rest(s, i)) continue;
    touching.push_back(i);
    is_hit.push_back(true);
  }
  if (touching.empty()) return {};
  for (const int i : points_.closed(s)) {
    if (points_.is_moment(i)) continue;
    touching.push_back(i);
    is_hit.push_back(false);
  }
  const Clusters& clusters = points_.clusters();
  const JoinedClusters joined(clusters, points_.directions(touching));
  std::vector<int> place(clusters.unknowns.size(), -1);
  std::vector<Meeting> meetings;
  for (std::size_t k = 0; k < touching.size() && is_hit[k]; ++k) {
    const std::vector<int>& of = joined.of_point(static_cast<Index>(k));
    if (of.empty()) continue;
    int& at = place[joined.root(of.front())];
    if (at < 0) {
      at = static_cast<int>(meetings.size());
      meetings.emplace_back();
    }
    meetings[at].points.push_back(touching[k]);
  }
  for (std::size_t c = 0; c < clusters.unknowns.size(); ++c) {
    const int at = place[joined.root(static_cast<int>(c))];
    for (const int unknown : clusters.unknowns[c])
      if (at >= 0 && unknown < s.v.size()) meetings[at].unknowns.push_back(unknown);
  }
  return meetings;
}

// Positions go as they do by the velocities and accelerations of `from`.
void ContactTransitions::move_in_time(const State& from, const VectorXd& times, State& s) {
  s.v = from.v + times.cwiseProduct(from.a);
  const VectorXd way = times.cwiseProduct(from.v) + 0.5 * times.cwiseAbs2().cwiseProduct(from.a);
  system_.advance(from.q, way, s.q);
  system_.update(s);
}

// Whether the step resolves how the bodies move: else the way back is not that which they came.
bool ContactTransitions::is_smooth(const Meeting& meeting, const State& before, const State& s,
                                   double h, const VectorXd& weights) const {
  double change = 0.0, acceleration = 0.0, velocity = 0.0;
  for (const int i : meeting.unknowns) {
    change = std::max(change, weights[i] * std::abs(s.a[i] - before.a[i]));
    acceleration = std::max(acceleration, weights[i] * std::abs(s.a[i]));
    velocity = std::max(velocity, weights[i] * std::abs(s.v[i]));
  }
  return change <= std::max(kSmooth * acceleration, kRoundOffOfSpeeds * velocity / h);
}

// Of rigid bodies: flexible ones ring by what no step resolves.
bool ContactTransitions::go_back(const State& before, State& s, double h) {
  rest_.resize(0);
  met_.clear();
  if (!s.nodal.empty()) return false;
  std::vector<Meeting> meetings = find_meetings(s);
  if (meetings.empty()) return false;
  const std::vector<bodies::Energy> energies = system_.energies(s);
  const VectorXd weights =
      system::increment_weights(system_, system::characteristic_length(system_));
  meetings.erase(std::remove_if(meetings.begin(), meetings.end(),
                                [&](const Meeting& meeting) {
                                  const int island = points_.island(meeting.points.front());
                                  return energies[island].strain != 0.0 ||
                                         !is_smooth(meeting, before, s, h, weights);
                                }),
                 meetings.end());
  if (meetings.empty()) return false;
  const State end = s.clone();
  const double energy = total_energies(system_, s).sum(),
               kinetic = kinetic_energies(system_, s).sum();
  VectorXd times = VectorXd::Zero(s.v.size());
  const auto give = [&](const Meeting& meeting) {
    for (const int i : meeting.unknowns) times[i] = meeting.is_known ? meeting.time : 0.0;
  };
  for (Meeting& meeting : meetings) {
    for (const int i : meeting.points)
      meeting.time = std::max(meeting.time, points_.gap(i) / points_.velocity(i)[0]);
    meeting.is_known = meeting.time > kNoRest * h && meeting.time <= h;
    give(meeting);
  }
  for (int step = 0; step < kMaxSteps; ++step) {
    move_in_time(end, -times, s);
    bool goes_on = false;
    for (Meeting& meeting : meetings) {
      if (!meeting.is_known) continue;
      // Of the point that is hit first.
      double later = -h, earliest = -h;
      for (const int i : meeting.points) {
        const double speed = -points_.velocity(i)[0];
        meeting.is_known = meeting.is_known && points_.exists(i) && speed > 0.0;
        const double after = points_.gap(i) / speed;
        earliest = std::max(earliest, -after);
        later = std::max(later, after);
      }
      if (std::abs(earliest) > kExact * h) goes_on = true;
      meeting.time += earliest;
      meeting.is_known = meeting.is_known && meeting.time > kNoRest * h && meeting.time <= h &&
                         later + earliest <= kAtOnce * h;
      give(meeting);
    }
    if (!goes_on) break;
  }
  move_in_time(end, -times, s);
  const bool keeps_energy =
      std::abs(total_energies(system_, s).sum() - energy) <= kChangeOfEnergy * kinetic;
  if (times.isZero(0.0) || !keeps_energy) {
    s.copy_from(end);
    system_.update(s);
    return false;
  }
  rest_ = times;
  for (const Meeting& meeting : meetings)
    if (meeting.is_known) met_.insert(met_.end(), meeting.points.begin(), meeting.points.end());
  return true;
}

bool ContactTransitions::go_on(State& s, const std::function<void(State&)>& close_gaps) {
  if (rest_.size() == 0) return false;
  const State kept = s.clone();
  system_.update(s);
  system_.update_accelerations();
  const double before = total_energies(system_, s).sum(), power = system_.external_powers(s).sum();
  std::vector<bool> is_apart(points_.size());
  for (int i = 0; i < points_.size(); ++i)
    is_apart[i] = !points_.is_closed(s, i) && points_.exists(i) && points_.gap(i) > kTouching;
  // Closed points of these bodies are at rest; those that rebound have the speed that their
  // accelerations leave them.
  std::vector<int> of;
  std::vector<bool> has_speed(points_.size(), false);
  VectorXd speeds = VectorXd::Zero(points_.size());
  for (const int i : met_)
    if (!points_.is_closed(s, i)) has_speed[i] = true;
  for (int i = 0; i < points_.size(); ++i) {
    if (!points_.law(i).has_gap() || !(has_speed[i] || points_.holds(s, i))) continue;
    const Eigen::SparseMatrix<double> W = points_.directions({i});
    double time = 0.0;
    for (Index column = 0; column < 3; ++column)
      for (Eigen::SparseMatrix<double>::InnerIterator it(W, column); it; ++it)
        time = std::max(time, rest_[it.row()]);
    if (time == 0.0) continue;
    of.push_back(i);
    if (has_speed[i]) speeds[i] = points_.velocity(i)[0] + time * points_.acceleration(i)[0];
  }
  const auto take_back = [&] {
    s.copy_from(kept);
    system_.update(s);
    return false;
  };
  move_in_time(kept, rest_, s);
  close_gaps(s);
  system_.update(s);
  for (int i = 0; i < points_.size(); ++i)
    if (is_apart[i] && points_.exists(i) && points_.gap(i) <= kTouching) return take_back();
  factorise_mass(s);
  satisfy_joints(s);
  const ContactCompliance c =
      contact_compliance(points_, of, solve_, 1.0, system_.layout().n_unknowns());
  std::vector<Index> directions;
  std::vector<double> missing, rebound;
  const auto hold = [&](std::size_t k, Index direction, double speed) {
    directions.push_back(static_cast<Index>(3 * k) + direction);
    missing.push_back(speed - points_.velocity(of[k])[direction]);
    rebound.push_back(direction == 0 ? speed : 0.0);
  };
  for (std::size_t k = 0; k < of.size(); ++k) {
    hold(k, 0, speeds[of[k]]);
    const bool sticks = !has_speed[of[k]] && points_.read(s, of[k]).sticks;
    for (Index t = 1; sticks && t < 3; ++t) hold(k, t, 0.0);
  }
  const DirectionsOfContacts held(c.A, directions, kRankOfSpeeds);
  const auto made_by = [&](const std::vector<double>& u) {
    const VectorXd speeds_of = Eigen::Map<const VectorXd>(u.data(), static_cast<Index>(u.size()));
    return VectorXd((c.X * held.forces_for(speeds_of)).head(s.v.size()));
  };
  s.v += made_by(missing);
  system_.update(s);
  if (!has_foreign_energy() &&
      !keep_energy(s, before + rest_.maxCoeff() * std::max(0.0, power), made_by(rebound)))
    return take_back();
  renew_accelerations(s);
  return true;
}

// Of what moves without asking for its energy: drives and moving surfaces.
bool ContactTransitions::has_foreign_energy() const {
  if (!driven_rates_.isZero(0.0)) return true;
  for (int i = 0; i < points_.size(); ++i)
    if (points_.moves(i)) return true;
  return false;
}

// The way on is exact to order two and has no energy of its own. What it gives is taken from the
// rebound, by impulses; in mechanisms, whose rebound may be little beside all that moves, from all
// of their velocities.
bool ContactTransitions::keep_energy(State& s, double allowed, const VectorXd& rebound) {
  const double gained = total_energies(system_, s).sum() - allowed;
  if (!(gained > 0.0)) return true;
  VectorXd y = rebound;
  if (system_.layout().n_constraints() > 0) y = (rest_.array() > 0.0).select(s.v, 0.0);
  const VectorXd v = s.v;
  const auto energy_along = [&](double part) {
    s.v = v + part * y;
    system_.update(s);
    return kinetic_energies(system_, s).sum();
  };
  const double here = energy_along(0.0), ahead = energy_along(1.0), behind = energy_along(-1.0);
  const double slope = 0.5 * (ahead - behind), curvature = ahead + behind - 2.0 * here;
  const double root = slope * slope - 2.0 * curvature * gained;
  if (!(slope > 0.0 && curvature > 0.0 && root >= 0.0)) return false;
  energy_along(-2.0 * gained / (slope + std::sqrt(root)));
  return true;
}

}  // namespace solidyn::integrators
