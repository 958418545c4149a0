#include "integrators/moreau_contacts.h"

#include <algorithm>

#include "integrators/contact_passage.h"
#include "integrators/contact_transitions.h"
#include "integrators/energies_of_islands.h"
#include "integrators/held_contacts.h"
#include "solidyn/base/log.h"
#include "solidyn/integrators/set_valued_powers.h"
#include "solidyn/system/velocity_violation.h"

namespace solidyn::integrators {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using forces::SetValuedPoint;
using system::State;
using Kind = ContactEvent::Kind;
using Phase = SetValuedPoint::Phase;
using Law = forces::SetValuedLaw::Kind;

namespace {

// Velocities of the end are held to this part of the largest one ...
constexpr double kConsistent = 1e-15;
// ... by so many corrections with kept factors at most.
constexpr int kMaxCorrections = 10;
constexpr double kRankOfHeldSpeeds = 1e-10;
// Of what impulses do on the bodies: restitution is lowered by a little more.
constexpr double kMoreThanExcess = 1.05;
// Accelerations that change by less than this part from one step to the next are worth a guess.
// Those that steps do not resolve, or that impacts have a part in, change by more.
constexpr double kSteady = 0.5;

}  // namespace

MoreauContacts::MoreauContacts(system::System& system, ImplicitStage& stage, double theta)
    : system_(system),
      stage_(stage),
      points_(stage.contacts().points()),
      theta_(theta),
      reach_(2.0 - std::min(theta, 1.0 / (1.0 + points_.largest_restitution()))) {}

// Of the velocities of all contacts, m/s.
double MoreauContacts::speed_scale(const State& s) const {
  double scale = stage_.velocity_size(s) * stage_.length();
  for (const Start& start : start_) scale = std::max(scale, start.u.lpNorm<Eigen::Infinity>());
  return scale;
}

bool MoreauContacts::rebounds(int i) const {
  return has_restitution_[points_.island(i)] && is_active_[i] && start_[i].is_hit &&
         start_[i].restitution > 0.0;
}

// While the law acts a gap changes by -(1 - theta - theta e) h |u_N|, at most by that of e = 0: it
// acts at gaps from that on, so that nothing penetrates, and a step that it does not act in must
// leave that much.
void MoreauContacts::begin(const State& before, double h) {
  h_ = h;
  has_restitution_.assign(system_.connectivity().n_islands(), true);
  system_.update(before);
  kinetic_before_ = kinetic_energies(system_, before);
  total_before_ = total_energies(system_, before);
  start_.assign(points_.size(), {});
  is_active_.assign(points_.size(), false);
  normals_ = normals_of(points_);
  if (!is_empty()) {
    first_powers_ = system_.external_powers(before);
    first_loads_ = first_powers_ - set_valued_powers(system_).whole;
  }
  for (int i = 0; i < points_.size(); ++i) {
    Start& p = start_[i];
    p.exists = points_.exists(i);
    if (!p.exists) continue;
    const SetValuedPoint point = points_.read(before, i);
    p.is_closed = point.phase == Phase::closed;
    p.sticks = point.sticks;
    p.gap = points_.gap(i);
    p.u = points_.velocity(i);
    p.axes = points_.axes(i);
  }
  const double scale = speed_scale(before);
  for (int i = 0; i < points_.size(); ++i) {
    Start& p = start_[i];
    if (!p.exists) continue;
    const forces::SetValuedLaw& law = points_.law(i);
    if (points_.is_moment(i)) {  // with its contact, which comes before it
      is_active_[i] = is_active_[points_.contact_of(i)];
      continue;
    }
    if (!law.has_gap()) {  // always there, and never hit
      is_active_[i] = true;
      p.is_closed = true;
      continue;
    }
    const bool ends = approach(i) < law.slow_speed || points_.read(before, i).crowding >= kCrowded;
    p.restitution = ends ? 0.0 : law.restitution;
    p.speed = approach(i);
    const double none = std::max(kNoSpeed * scale, kHeld * law.slow_speed);
    p.is_hit = approach(i) > none;
    p.comes_back = p.u[0] > none;
    is_active_[i] = p.gap + reach_ * h * p.u[0] <= kTouching;
  }
}

bool MoreauContacts::lower_restitution(const State& before, const State& s, double theta,
                                       const VectorXd& excess) {
  std::vector<int> of;
  for (int i = 0; i < points_.size(); ++i)
    if (rebounds(i) && start_[i].speed > 0.0 && excess[points_.island(i)] > 0.0) of.push_back(i);
  if (of.empty()) return false;
  const VectorXd change = points_.directions(of).transpose() * (s.v - before.v);
  std::vector<bool> is_lowered(excess.size(), false);
  VectorXd given_back = VectorXd::Zero(excess.size());
  for (std::size_t k = 0; k < of.size(); ++k) {
    Start& p = start_[of[k]];
    const int island = points_.island(of[k]);
    const double at_end = std::max(0.0, change[3 * k] - points_.velocity(of[k])[0]);
    const Vector3d impulse = h_ * points_.read(s, of[k]).force;
    given_back[island] += theta * p.restitution * p.speed * points_.normal(of[k]).dot(impulse);
    if (at_end < p.speed) is_lowered[island] = true;
    p.speed = std::min(p.speed, at_end);
  }
  bool any = std::find(is_lowered.begin(), is_lowered.end(), true) != is_lowered.end();
  for (const int i : of) {
    const int island = points_.island(i);
    const double part = kMoreThanExcess * excess[island] / given_back[island];
    if (is_lowered[island] || !(part < 1.0)) continue;
    start_[i].speed *= 1.0 - part;
    any = true;
  }
  return any;
}

void MoreauContacts::leave_out_restitution(const std::vector<bool>& islands) {
  for (std::size_t k = 0; k < islands.size(); ++k)
    if (islands[k]) has_restitution_[k] = false;
}

void MoreauContacts::keep_of(const std::vector<bool>& islands, const Active& others) {
  for (int i = 0; i < points_.size(); ++i) {
    if (islands[points_.island(i)]) continue;
    is_active_[i] = others.is_active[i];
    stage_.contacts().demands[i] = others.demands[i];
  }
}

std::vector<int> MoreauContacts::islands_with_rebounds() const {
  std::vector<int> islands;
  for (int i = 0; i < points_.size(); ++i)
    if (rebounds(i)) islands.push_back(points_.island(i));
  std::sort(islands.begin(), islands.end());
  islands.erase(std::unique(islands.begin(), islands.end()), islands.end());
  return islands;
}

double MoreauContacts::theta_of_step() const {
  double e = 0.0;
  for (int i = 0; i < points_.size(); ++i)
    if (rebounds(i)) e = std::max(e, start_[i].restitution);
  return std::min(theta_, 1.0 / (1.0 + e));
}

bool MoreauContacts::goes_on() const {
  if (!is_smooth_) return false;
  for (int i = 0; i < points_.size(); ++i)
    if (is_active_[i] && (start_[i].is_hit || start_[i].comes_back)) return false;
  return true;
}

void MoreauContacts::note_change(const State& before, const State& s) {
  is_smooth_ = stage_.weighted_size(s.a - before.a) < kSteady * stage_.weighted_size(s.a);
}

std::vector<bool> MoreauContacts::islands_that_are_hit() const {
  std::vector<bool> is_hit(system_.connectivity().n_islands(), false);
  for (int i = 0; i < points_.size(); ++i)
    if (is_active_[i] && start_[i].is_hit) is_hit[points_.island(i)] = true;
  return is_hit;
}

void MoreauContacts::prepare(State& s, double theta) const {
  const std::vector<bool> is_hit = islands_that_are_hit();
  std::vector<ContactForces::Demand> demands(points_.size());
  for (int i = 0; i < points_.size(); ++i) {
    SetValuedPoint point = points_.read(s, i);
    const Start& p = start_[i];
    point.phase = is_active_[i] ? Phase::closed : Phase::open;
    point.force = is_active_[i] ? Vector3d(point.force / theta) : Vector3d::Zero();
    if (is_active_[i] && !p.is_closed) point.sticks = true;  // the static coefficient first
    points_.write(s, i, point);
    const int island = points_.island(i);
    if (!has_restitution_[island] || !is_active_[i] || !is_hit[island]) continue;
    if (rebounds(i)) demands[i].rebound = p.restitution * p.speed;
    demands[i].reversed =
        points_.law(i).tangential_restitution * (p.axes.rightCols<2>() * p.u.tail<2>());
  }
  stage_.contacts().demands = demands;
  stage_.contacts().unit = theta;
}

bool MoreauContacts::add_missed() {
  bool any = false;
  for (int i = 0; i < points_.size(); ++i) {
    if (is_active_[i] || !start_[i].exists || !points_.exists(i)) continue;
    if (points_.is_moment(i)) {
      is_active_[i] = is_active_[points_.contact_of(i)];
      continue;
    }
    const double approaching = std::min(0.0, points_.velocity(i)[0]);
    if (points_.gap(i) + (reach_ - 1.0) * h_ * approaching >= -kTouching) continue;
    is_active_[i] = true;
    any = true;
  }
  return any;
}

bool MoreauContacts::presses(const State& s, int i) const {
  return points_.has_force(s, i) && points_.normal(i).dot(points_.read(s, i).force) > 0.0;
}

void MoreauContacts::require_no_passage(const State& before, const State& s) const {
  integrators::require_no_passage(system_, points_, before, s, stage_.n, normals_,
                                  normals_of(points_));
}

void MoreauContacts::settle(State& s) const {
  const double scale = speed_scale(s);
  for (int i = 0; i < points_.size(); ++i) {
    if (!is_active_[i]) continue;
    SetValuedPoint point = points_.read(s, i);
    const Vector3d u = points_.velocity(i);
    const double none = std::max(kNoSpeed * scale, kHeld * points_.law(i).slow_speed);
    if (!points_.law(i).has_gap()) {
      point.sticks = point.phase == Phase::closed && points_.sliding_speed(i) <= none;
      points_.write(s, i, point);
      continue;
    }
    const bool rests = u[0] <= none;
    const bool touches = presses(s, i) || points_.gap(i) <= kTouching;
    point.phase = points_.exists(i) && rests && touches ? Phase::closed : Phase::open;
    const bool slips =
        u.tail<2>().norm() > none && !stage_.contacts().demands[i].reversed.isZero(0.0);
    point.sticks = point.phase == Phase::closed && point.sticks && !slips;
    points_.write(s, i, point);
  }
}

void MoreauContacts::open_gaps(State& s) const {
  for (int i = 0; i < points_.size(); ++i) {
    SetValuedPoint point = points_.read(s, i);
    if (point.phase == Phase::open || !points_.law(i).has_gap() || points_.gap(i) <= kTouching)
      continue;
    point.phase = Phase::open;
    point.sticks = false;
    points_.write(s, i, point);
  }
}

// In the metric of the iteration matrix, as gaps are closed: x + X mu with G (v + x) = nu, and no
// velocity in the directions that contacts hold.
void MoreauContacts::make_velocities_consistent(State& s) const {
  const int n_v = system_.layout().n_velocities(), n_l = system_.layout().n_constraints();
  std::vector<int> closed;
  for (int i = 0; i < points_.size(); ++i) {
    const bool presses_on = points_.is_moment(i) ? presses(s, points_.contact_of(i))
                                                 : presses(s, i) || !points_.law(i).has_gap();
    const bool carries = presses_on && (points_.law(i).has_gap() || points_.read(s, i).sticks);
    if (points_.is_closed(s, i) && carries) closed.push_back(i);
  }
  const std::vector<Eigen::Index> held = held_directions(points_, s, closed);
  if (n_l == 0 && closed.empty()) return;
  const auto n_c = static_cast<Eigen::Index>(closed.size());
  const ContactFactors factors = stage_.contact_factors(s);
  ContactCompliance compliance;
  DirectionsOfContacts directions;
  double before = 0.0;
  for (int k = 0; k < kMaxCorrections; ++k) {
    VectorXd phi, left = VectorXd::Zero(n_v + n_l), u(3 * n_c), x;
    system_.update(s);
    system_.compute_constraints(s, phi);
    left.tail(n_l) = -system::velocity_violation(system_, s);
    for (Eigen::Index c = 0; c < n_c; ++c)
      u.segment<3>(3 * c) = points_.velocity(closed[static_cast<std::size_t>(c)]);
    const VectorXd u_held = u(held);
    const double size = std::max(left.lpNorm<Eigen::Infinity>(),
                                 held.empty() ? 0.0 : u_held.lpNorm<Eigen::Infinity>());
    if (size <= kConsistent * s.v.lpNorm<Eigen::Infinity>() || (k > 0 && size >= before)) break;
    before = size;
    if (k == 0 && n_c > 0) {
      compliance = contact_compliance(points_, closed, factors, n_v + n_l);
      directions = DirectionsOfContacts(compliance.A, held, kRankOfHeldSpeeds);
    }
    factors.whole.solve(left, x);
    VectorXd step = x.head(n_v);
    if (n_c > 0) {
      const VectorXd missing = u + compliance.W.transpose() * step;
      step -= (compliance.X * directions.forces_for(missing(directions.directions()))).head(n_v);
    }
    s.v += step;
  }
  system_.update(s);
}

void MoreauContacts::warn_of_refused_restitution(double t) {
  if (has_warned_) return;
  for (int i = 0; i < points_.size(); ++i) {
    if (!start_[i].is_refused) continue;
    has_warned_ = true;
    base::log_warning(
        "t = {:.6g} s, {}: with the restitution of its law impulses would do work on the bodies, or have no solution, as where these are jammed or with friction; this impact has no restitution; try a smaller `step`, or smaller restitution or friction there; this is reported once",
        t, points_.path(i));
    return;
  }
}

// Where something is hit on an island, forces of its step are impulses.
std::vector<bool> MoreauContacts::finish(const State& before, State& s, ContactReport& report) {
  std::vector<bool> is_hit(system_.connectivity().n_islands(), false);
  for (int i = 0; i < points_.size(); ++i)
    if (is_active_[i] && (start_[i].is_hit || start_[i].comes_back) && presses(s, i))
      is_hit[points_.island(i)] = true;
  // Whichever opens its moments before these have been looked at.
  std::vector<Vector3d> forces;
  forces.reserve(points_.size());
  for (int i = 0; i < points_.size(); ++i) forces.push_back(points_.read(s, i).force);
  for (int i = 0; i < points_.size(); ++i) {
    SetValuedPoint point = points_.read(s, i);
    const SetValuedPoint was = points_.read(before, i);
    const double speed = points_.exists(i) ? points_.velocity(i)[0] : 0.0;
    const Vector3d impulse = h_ * forces[i];
    const bool presses_now = !impulse.isZero(0.0);
    point.crowding = std::max(0.0, was.crowding - 1.0);
    start_[i].is_refused =
        presses_now && start_[i].is_hit && !has_restitution_[points_.island(i)] &&
        (start_[i].restitution > 0.0 || points_.law(i).tangential_restitution > 0.0);
    if (presses_now && start_[i].is_hit) {
      point.crowding = std::min(point.crowding + kCrowdingOfImpact, kCrowded + kCrowdingOfImpact);
      report.events.push_back(points_.event(s.t, i, Kind::impact, start_[i].u[0], speed,
                                            points_.axes(i).col(0).dot(impulse)));
    }
    if (is_hit[points_.island(i)]) {
      point.impulse += impulse;
      point.force.setZero();
    }
    points_.write(s, i, point);
    if (points_.is_moment(i)) continue;
    if (was.phase == Phase::closed && point.phase == Phase::open)
      report.events.push_back(points_.event(s.t, i, Kind::opens, 0.0, speed));
    else if (point.phase == Phase::closed && points_.law(i).can_stick() &&
             (was.phase == Phase::open || was.sticks != point.sticks))
      report.events.push_back(points_.event(s.t, i, point.sticks ? Kind::sticks : Kind::slips));
    if (points_.holds(s, i)) ++report.n_closed;
    if (points_.exists(i)) report.note_gap(points_.gap(i), points_.is_angle(i));
  }
  system_.update(s);
  return is_hit;
}

}  // namespace solidyn::integrators
