#include "integrators/static_contact_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "integrators/contact_transitions.h"

namespace solidyn::integrators {

using Eigen::Index;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using forces::SetValuedPoint;
using solvers::friction::ContactState;
using system::State;
using Law = forces::SetValuedLaw::Kind;

namespace {

// Up to so many points all take part, of more those whose gaps are within this part of the
// mechanism's length.
constexpr int kAllPoints = 64;
constexpr double kReach = 0.3;
// Where it is told why there is no equilibrium.
constexpr std::size_t kNamedAtMost = 6;
// Of the length: a slip that is not the reason.
constexpr double kSlipsNot = 1e-6;
// Likewise: overlaps that solutions do not leave; and of the largest force: what has a part in
// them.
constexpr double kSqueezed = 1e-7, kTakesPart = 0.1;
// Likewise: what has come as far as this to meet may have missed its equilibrium.
constexpr double kComesFar = 0.01;

}  // namespace

void StaticContactHistory::resize(int n) {
  states_.assign(n, ContactState::open);
  coefficients_.setZero(n);
  foreseen_.assign(n, Vector3d::Zero());
  travel_.assign(n, Vector3d::Zero());
  has_slipped_.assign(n, false);
}

void StaticContactHistory::begin(const State& s, double length) {
  length_ = length;
  const int n = points_.size();
  resize(n);
  for (int i = 0; i < n; ++i) {
    const SetValuedPoint point = points_.read(s, i);
    const forces::SetValuedLaw& law = points_.law(i);
    coefficients_[i] = law.static_coefficient;
    if (points_.moves(i)) coefficients_[i] = law.sliding_coefficient(points_.sliding_speed(i));
    if (!point.force.isZero(0.0) || law.kind == Law::friction)
      states_[i] = points_.moves(i) ? ContactState::slip : ContactState::stick;
  }
}

void StaticContactHistory::follow(const std::vector<std::string>& before) {
  const StaticContactHistory was = *this;
  std::unordered_map<std::string, int> places;
  for (std::size_t i = 0; i < before.size(); ++i) places.emplace(before[i], static_cast<int>(i));
  const int n = points_.size();
  resize(n);
  for (int i = 0; i < n; ++i) {
    const auto place = places.find(points_.name(i));
    if (place == places.end()) {
      coefficients_[i] = points_.law(i).static_coefficient;
      continue;
    }
    const int k = place->second;
    states_[i] = was.states_[k];
    coefficients_[i] = was.coefficients_[k];
    foreseen_[i] = was.foreseen_[k];
    travel_[i] = was.travel_[k];
    has_slipped_[i] = was.has_slipped_[k];
  }
}

bool StaticContactHistory::is_near(int i) const {
  if (!points_.law(i).has_gap()) return true;
  if (!points_.exists(i)) return false;
  if (points_.size() <= kAllPoints) return true;
  return points_.gap(i) <= kReach * (points_.is_angle(i) ? 1.0 : length_);
}

// @pre System::update(s)
StaticContactSet StaticContactHistory::find_set(const State& s) const {
  StaticContactSet set;
  for (int i = 0; i < points_.size(); ++i)
    if (is_near(i) || !points_.read(s, i).force.isZero(0.0)) set.points.push_back(i);
  const int n = set.size();
  set.W = points_.directions(set.points);
  set.W.prune(0.0);
  set.offsets.resize(3 * n);
  set.forces.resize(3 * n);
  for (int k = 0; k < n; ++k) {
    const int i = set.points[k];
    const Eigen::Matrix3d axes = points_.axes(i);
    set.axes.push_back(axes);
    set.forces.segment<3>(3 * k) = axes.transpose() * points_.read(s, i).force;
    set.offsets.segment<3>(3 * k) = axes.transpose() * travel_[i];
    if (points_.law(i).has_gap()) set.offsets[3 * k] = points_.gap(i);
    const Vector3d u = points_.velocity(i);
    set.running.push_back(points_.moves(i) ? Vector2d(u.tail<2>()) : Vector2d::Zero());
  }
  return set;
}

StaticContactForces StaticContactHistory::guess(const StaticContactSet& set) const {
  StaticContactForces guess;
  const int n = set.size();
  guess.coefficients.resize(n);
  guess.r = set.forces;
  guess.u.resize(3 * n);
  for (int k = 0; k < n; ++k) {
    guess.states.push_back(states_[set.points[k]]);
    guess.coefficients[k] = coefficients_[set.points[k]];
    guess.u.segment<3>(3 * k) = foreseen_[set.points[k]];
  }
  return guess;
}

void StaticContactHistory::keep(const StaticContactSet& set, const StaticContactForces& found) {
  std::fill(states_.begin(), states_.end(), ContactState::open);
  for (int k = 0; k < set.size(); ++k) {
    states_[set.points[k]] = found.states[k];
    coefficients_[set.points[k]] = found.coefficients[k];
    foreseen_[set.points[k]] = found.u.segment<3>(3 * k);
    if (found.states[k] == ContactState::slip && points_.law(set.points[k]).has_friction())
      has_slipped_[set.points[k]] = true;
  }
}

void StaticContactHistory::add_travel(const State& before, double fraction, const VectorXd& x,
                                      const State& s) {
  const Index n_v = system_.layout().n_velocities();
  State middle = before.clone();
  system_.advance(before.q, 0.5 * fraction * x.head(n_v), middle.q);
  for (std::size_t k = 0; k < middle.nodal.size(); ++k)
    SOLIDYN_PETSC(VecAXPBY(middle.nodal[k].u, 0.5, 0.5, s.nodal[k].u));
  system_.update(middle);
  std::vector<int> all;
  for (int i = 0; i < points_.size(); ++i)
    if (points_.exists(i)) all.push_back(i);
  const VectorXd moved = points_.directions(all).transpose() * (fraction * x.head(n_v));
  for (std::size_t k = 0; k < all.size(); ++k)
    travel_[all[k]] += points_.axes(all[k]) * moved.segment<3>(3 * static_cast<Index>(k));
}

void StaticContactHistory::give_forces(const StaticContactSet& set,
                                       const StaticContactForces& found, double fraction,
                                       State& s) const {
  for (int k = 0; k < set.size(); ++k) {
    SetValuedPoint point = points_.read(s, set.points[k]);
    const Vector3d r =
        (1.0 - fraction) * set.forces.segment<3>(3 * k) + fraction * found.r.segment<3>(3 * k);
    point.force = set.axes[k] * r;
    const bool is_closed = !point.force.isZero(0.0) || !points_.law(set.points[k]).has_gap();
    point.phase = is_closed ? SetValuedPoint::Phase::closed : SetValuedPoint::Phase::open;
    point.sticks = is_closed && found.states[k] != ContactState::slip;
    points_.write(s, set.points[k], point);
  }
}

// What touches is closed, also where others carry its share of the load.
void StaticContactHistory::finish(State& s, StaticContacts::Totals& totals) const {
  int n_closed = 0;
  for (int i = 0; i < points_.size(); ++i) {
    const forces::SetValuedLaw& law = points_.law(i);
    SetValuedPoint point = points_.read(s, i);
    const Vector3d travel = points_.axes(i).transpose() * travel_[i],
                   r = points_.axes(i).transpose() * point.force;
    const double size = points_.is_angle(i) ? 1.0 : std::max(1.0, length_);
    const bool is_closed = !law.has_gap() || !point.force.isZero(0.0) ||
                           (points_.exists(i) && points_.gap(i) <= kTouching * size);
    const bool turns =
        law.kind == Law::clutch && point.force.isZero(0.0) && travel[0] > kTouching * size;
    point.phase = is_closed ? SetValuedPoint::Phase::closed : SetValuedPoint::Phase::open;
    point.sticks = is_closed && law.can_stick() && !points_.moves(i) && !turns &&
                   states_[i] != ContactState::slip;
    point.impulse.setZero();
    points_.write(s, i, point);
    if (is_closed && law.has_gap()) ++n_closed;
    if (!point.sticks) totals.friction_loss -= r.tail<2>().dot(travel.tail<2>());
    if (!law.has_gap() || !points_.exists(i)) continue;
    double& deepest = points_.is_angle(i) ? totals.overrun : totals.penetration;
    deepest = std::max(deepest, -points_.gap(i));
  }
  totals.most_closed = std::max(totals.most_closed, n_closed);
}

// Where gaps cannot all be closed, forces grow in the attempt.
std::string StaticContactHistory::describe_squeezed(const State& s) const {
  double largest = 0.0;
  bool overlaps = false;
  std::vector<double> forces(points_.size(), 0.0);
  for (int i = 0; i < points_.size(); ++i) {
    if (!points_.law(i).has_gap() || !points_.exists(i)) continue;
    const double size = points_.is_angle(i) ? 1.0 : length_;
    const double gap = std::max(points_.gap(i), foreseen_[i][0]);  // what moves may yet close it
    overlaps = overlaps || gap < -kSqueezed * size;
    forces[i] = points_.read(s, i).force.norm() * (points_.is_angle(i) ? 1.0 / length_ : 1.0);
    largest = std::max(largest, forces[i]);
  }
  if (!overlaps || largest == 0.0) return "";
  std::string names;
  std::size_t n = 0;
  for (int i = 0; i < points_.size(); ++i)
    if (forces[i] >= kTakesPart * largest && n++ < kNamedAtMost)
      names += fmt::format("{}`{}`", n > 1 ? ", " : "", points_.name(i));
  if (n > kNamedAtMost) names += fmt::format(" and {} more", n - kNamedAtMost);
  return fmt::format(
      "\n  bodies are squeezed: their gaps cannot all be closed at {}; let something there give way (a spring, a flexible body, a penalty law), or move drives and supports less far",
      names);
}

// Boxes above each other tip by nothing that holds them on the way.
std::string StaticContactHistory::describe_far() const {
  double farthest = 0.0;
  int at = -1;
  for (int i = 0; i < points_.size(); ++i) {
    if (points_.law(i).kind != Law::contact || !points_.exists(i)) continue;
    const double way = -points_.normal(i).dot(travel_[i]);
    if (way > std::max(farthest, kComesFar * length_)) {
      farthest = way;
      at = i;
    }
  }
  if (at < 0) return "";
  return fmt::format(
      "\n  what meets at `{}` has come {:.3g} m nearer to each other; equilibria that are far from where bodies are drawn may not be found: draw them as they will stand, or let them fall in `dynamics` with damping",
      points_.name(at), farthest);
}

std::string StaticContactHistory::describe_slipping() const {
  std::string slipping;
  std::size_t n = 0;
  for (int i = 0; i < points_.size(); ++i) {
    if (!has_slipped_[i] || points_.moves(i)) continue;
    const double slip = (points_.axes(i).transpose() * travel_[i]).tail<2>().norm();
    if (slip <= kSlipsNot * (points_.is_angle(i) ? 1.0 : length_)) continue;  // by what tips
    if (n++ < kNamedAtMost)
      slipping += fmt::format("{}`{}` (by {:.3g} {} so far)", n > 1 ? ", " : "", points_.name(i),
                              slip, points_.is_angle(i) ? "rad" : "m");
  }
  if (n == 0) return "";
  if (n > kNamedAtMost) slipping += fmt::format(" and {} more", n - kNamedAtMost);
  return fmt::format(
      "\n  friction is at its limit and does not hold the load: it slips at {}; raise the coefficient of friction, reduce the load, add a spring, support or stop that ends the slip, or compute the motion with `dynamics`",
      slipping);
}

std::string StaticContactHistory::describe(const State& s) const {
  const std::string slipping = describe_slipping();
  return describe_far() + (slipping.empty() ? describe_squeezed(s) : slipping);
}

}  // namespace solidyn::integrators
