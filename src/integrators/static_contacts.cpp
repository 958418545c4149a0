#include "solidyn/integrators/static_contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "integrators/contact_points.h"
#include "integrators/contact_solution.h"
#include "integrators/contact_transitions.h"
#include "integrators/static_contact_newton.h"
#include "solidyn/base/error.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/math/dense.h"

namespace solidyn::integrators {

using Eigen::Index;
using Eigen::MatrixXd;
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
// Corrections by Newton's method go no farther, in lengths or rad: what is closed may be others
// there.
constexpr double kNear = 0.3;
// The proximal stiffness is that of the forces at the mechanism's length, times a factor that grows
// where that is not enough and falls while bodies move freely.
constexpr double kHarder = 4.0, kEasier = 0.25, kSoftest = 1e-6, kHardest = 1e8;
// Of the proximal stiffness: what is left for Newton's method, for what nothing holds in place.
constexpr double kNeutral = 1e-5;
// Where forces are zero, of the largest stiffness.
constexpr double kWithoutForces = 1e-6;
// A correction must be downhill by this part of what the proximal term alone would be.
constexpr double kDownhill = 0.5;
constexpr double kNoMove = 1e-13;
// Whether the tangent is stiffer than the proximal term against every motion: by power iterations.
constexpr int kPowerIterations = 8;
constexpr double kStiff = 0.25;
// Of the length: what has met before a correction.
constexpr double kTouches = 1e-6;
// Of A: an eigenvalue that is less than zero by more than this part is not round-off.
constexpr double kIndefinite = 1e-9;
// By how much a solution may miss gaps, relative to what its forces do.
constexpr double kMissed = 1e-7;
// Of the largest force: what an equilibrium may leave of the others.
constexpr double kOutOfBalance = 1e-8;
// Where it is told why there is no equilibrium.
constexpr std::size_t kNamedAtMost = 6;

// Else forces of contacts push further in what they shall push out.
bool is_definite(const MatrixXd& A) {
  const VectorXd values = math::symmetric_spectrum(MatrixXd(0.5 * (A + A.transpose()))).values;
  return values.minCoeff() >= -kIndefinite * values.maxCoeff();
}

}  // namespace

class StaticContacts::Implementation {
 public:
  Implementation(system::System& system, StaticEquations& equations)
      : system_(system), equations_(equations), points_(system) {}

  void begin(State& s);
  bool correct(const State& s, VectorXd& x);
  void take(const State& before, double fraction, const VectorXd& x, State& s);
  bool rubs() const;
  bool keeps_gaps(State& s);
  void finish(State& s);
  std::string describe(const State& s) const;

  system::System& system_;
  StaticEquations& equations_;
  ContactPoints points_;
  std::string failure_;
  bool was_exact_ = false;
  Totals totals_;

 private:
  StaticContactSet find_set(const State& s) const;
  bool is_near(int point) const;
  double forces_size(const State& s);
  double shift() const {
    const double force =
        force_ > 0.0 ? force_ : kWithoutForces * equations_.length() / equations_.row_scale();
    return factor_ * force / equations_.length();
  }
  VectorXd shift_diagonal(double shift) const;
  bool is_stiff(const State& s);
  StaticContactForces guess() const;
  void keep(const StaticContactForces& found);
  bool correct_exactly(const State& s, VectorXd& x);
  enum class Outcome { found, uphill, failed };
  Outcome correct_proximally(const State& s, double shift, VectorXd& x);
  bool keeps_open(const StaticContactForces& found, double size) const;
  bool is_downhill(const VectorXd& change, double shift, const VectorXd& rhs,
                   const VectorXd& x) const;

  StaticContactSet set_;
  StaticContactForces found_;         // for set_
  std::vector<ContactState> states_;  // of all points
  VectorXd coefficients_;
  std::vector<Vector3d> foreseen_;  // offsets, as the last correction foresaw them
  std::vector<bool> has_slipped_;   // since the last equilibrium
  std::vector<Vector3d> travel_;    // in W, of all points since the last equilibrium
  double force_ = 0.0, factor_ = 1.0;
  bool needs_shift_ = true;
};

// Rotations as arcs at the mechanism's length.
VectorXd StaticContacts::Implementation::shift_diagonal(double shift) const {
  return shift * equations_.length() * equations_.length() *
         equations_.weights().array().square().matrix();
}

// Loads, and what bodies carry already: forces, or torques over the mechanism's length.
double StaticContacts::Implementation::forces_size(const State& s) {
  State free = s.clone();
  free.lambda.setZero();
  const VectorXd rhs = equations_.evaluate(free);
  const Index n_v = system_.layout().n_velocities();
  const VectorXd r = rhs.head(n_v) / equations_.row_scale();
  double size =
      n_v > 0
          ? r.cwiseQuotient(equations_.length() * equations_.weights()).lpNorm<Eigen::Infinity>()
          : 0.0;
  double of_contacts = 0.0;
  for (int i = 0; i < points_.size(); ++i)
    of_contacts +=
        points_.read(s, i).force.norm() / (points_.is_angle(i) ? equations_.length() : 1.0);
  return std::max(size, of_contacts);
}

void StaticContacts::Implementation::begin(State& s) {
  system_.update(s);
  points_.follow(s);
  const int n = points_.size();
  states_.assign(n, ContactState::open);
  coefficients_.setZero(n);
  foreseen_.assign(n, Vector3d::Zero());
  travel_.assign(n, Vector3d::Zero());
  has_slipped_.assign(n, false);
  for (int i = 0; i < n; ++i) {
    const SetValuedPoint point = points_.read(s, i);
    const forces::SetValuedLaw& law = points_.law(i);
    coefficients_[i] = law.static_coefficient;
    if (points_.moves(i)) coefficients_[i] = law.sliding_coefficient(points_.sliding_speed(i));
    if (!point.force.isZero(0.0) || law.kind == Law::friction)
      states_[i] = points_.moves(i) ? ContactState::slip : ContactState::stick;
  }
  force_ = std::max(force_, forces_size(s));
  factor_ = 1.0;
  needs_shift_ = !is_stiff(s);
  equations_.evaluate(s);
}

// Then nothing needs to be held by a proximal term.
bool StaticContacts::Implementation::is_stiff(const State& s) {
  const Index n_v = system_.layout().n_velocities();
  if (n_v == 0 || !(force_ > 0.0)) return false;
  try {
    equations_.factor(s, 0.0);
  } catch (const base::ResourceError&) {
    throw;
  } catch (const base::ComputationError&) {
    return false;
  }
  const VectorXd D = shift_diagonal(shift()), root = D.cwiseSqrt();
  VectorXd x(n_v), rhs = VectorXd::Zero(system_.layout().n_unknowns()), all;
  for (Index i = 0; i < n_v; ++i) x[i] = std::cos(1.0 + 2.0 * static_cast<double>(i)) / root[i];
  for (int k = 0; k < kPowerIterations; ++k) {
    const double before = root.cwiseProduct(x).norm();
    rhs.head(n_v) = equations_.row_scale() * D.cwiseProduct(x);
    equations_.solve(rhs, all);
    const double work = all.head(n_v).dot(D.cwiseProduct(x));
    x = all.head(n_v);
    const double after = root.cwiseProduct(x).norm();
    if (!(after <= kStiff * before) || !(work >= 0.0)) return false;
    if (after == 0.0) break;
    x /= after;
  }
  return true;
}

bool StaticContacts::Implementation::is_near(int i) const {
  if (!points_.law(i).has_gap()) return true;
  if (!points_.exists(i)) return false;
  if (points_.size() <= kAllPoints) return true;
  return points_.gap(i) <= kReach * (points_.is_angle(i) ? 1.0 : equations_.length());
}

// @pre System::update(s)
StaticContactSet StaticContacts::Implementation::find_set(const State& s) const {
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

StaticContactForces StaticContacts::Implementation::guess() const {
  StaticContactForces guess;
  const int n = set_.size();
  guess.coefficients.resize(n);
  guess.r = set_.forces;
  guess.u.resize(3 * n);
  for (int k = 0; k < n; ++k) {
    guess.states.push_back(states_[set_.points[k]]);
    guess.coefficients[k] = coefficients_[set_.points[k]];
    guess.u.segment<3>(3 * k) = foreseen_[set_.points[k]];
  }
  return guess;
}

void StaticContacts::Implementation::keep(const StaticContactForces& found) {
  found_ = found;
  std::fill(states_.begin(), states_.end(), ContactState::open);
  for (int k = 0; k < set_.size(); ++k) {
    states_[set_.points[k]] = found.states[k];
    coefficients_[set_.points[k]] = found.coefficients[k];
    foreseen_[set_.points[k]] = found.u.segment<3>(3 * k);
    if (found.states[k] == ContactState::slip) has_slipped_[set_.points[k]] = true;
  }
}

bool StaticContacts::Implementation::correct_exactly(const State& s, VectorXd& x) {
  const VectorXd rhs = equations_.evaluate(s);
  set_ = find_set(s);
  StaticContactNewton newton(points_, set_, guess(), equations_.row_scale());
  if (!newton.solve(equations_.tangent(s, kNeutral * shift()), rhs, x)) return false;
  const Index n_v = system_.layout().n_velocities();
  const double size = x.head(n_v).cwiseProduct(equations_.weights()).lpNorm<Eigen::Infinity>();
  if (!(size <= kNear) || !newton.meets_laws(equations_.length())) return false;
  keep(newton.found());
  return true;
}

// Whether what carries nothing does not go into each other.
bool StaticContacts::Implementation::keeps_open(const StaticContactForces& found,
                                                double size) const {
  for (int k = 0; k < set_.size(); ++k)
    if (points_.law(set_.points[k]).kind != Law::friction && found.u[3 * k] < -kMissed * size)
      return false;
  return true;
}

// Of the tangent without the proximal term, along the correction.
bool StaticContacts::Implementation::is_downhill(const VectorXd& change, double shift,
                                                 const VectorXd& rhs, const VectorXd& x) const {
  const Index n_v = system_.layout().n_velocities(), n_l = system_.layout().n_constraints();
  const VectorXd n = x.head(n_v);
  if (!(n.cwiseProduct(equations_.weights()).lpNorm<Eigen::Infinity>() > kNoMove)) return true;
  const double s = equations_.row_scale();
  // n . (K + D) n = n . (R + W dr) - (G n) . dlambda, with G n = -Phi.
  const double work = n.dot(rhs.head(n_v)) / s + (set_.W.transpose() * n).dot(change) -
                      rhs.tail(n_l).dot(x.tail(n_l)) / s;
  return work >= kDownhill * n.dot(shift_diagonal(shift).cwiseProduct(n));
}

StaticContacts::Implementation::Outcome StaticContacts::Implementation::correct_proximally(
    const State& s, double shift, VectorXd& x) {
  const Index n_v = system_.layout().n_velocities();
  const double scale = equations_.row_scale();
  equations_.factor(s, shift);
  const VectorXd rhs = equations_.evaluate(s);
  equations_.solve(rhs, x);
  set_ = find_set(s);
  const int n = set_.size();
  if (n == 0) {
    keep({});
    return Outcome::found;
  }
  MatrixXd X(x.size(), 3 * n);
  VectorXd load, column;
  for (int j = 0; j < 3 * n; ++j) {
    load.setZero(x.size());
    load.head(n_v) = scale * set_.W.col(j);
    if (load.isZero(0.0)) {
      X.col(j).setZero();
      continue;
    }
    equations_.solve(load, column);
    X.col(j) = column;
  }
  const MatrixXd A = set_.W.transpose() * X.topRows(n_v);
  if (!A.allFinite()) return Outcome::failed;
  if (!is_definite(A)) return Outcome::uphill;
  const VectorXd q = set_.offsets + set_.W.transpose() * x.head(n_v) - A * set_.forces;
  ContactCompliance compliance;
  compliance.points = set_.points;
  std::vector<bool> sticks(n);
  for (int k = 0; k < n; ++k) sticks[k] = set_.running[k].isZero(0.0);
  const KnownSlips known = find_known_slips(points_, s, set_.points);
  const ContactSolution solution =
      solve_contacts(points_, compliance, solvers::friction::ContactBlocks::from_dense(A), q,
                     set_.forces, sticks, VectorXd::Zero(n), &known);
  failure_ = solution.failure;
  if (!failure_.empty()) return Outcome::failed;
  StaticContactForces found{solution.states, solution.coefficients, solution.r, {}};
  for (int k = 0; k < n; ++k)
    if (known.slips[k] && found.r[3 * k] > 0.0) {
      found.states[k] = ContactState::slip;
      found.coefficients[k] =
          points_.law(set_.points[k]).sliding_coefficient(set_.running[k].norm());
    }
  const VectorXd change = found.r - set_.forces;
  x += X * change;
  found.u = set_.offsets + set_.W.transpose() * x.head(n_v);
  if (!keeps_open(found, (A * found.r).lpNorm<Eigen::Infinity>())) return Outcome::failed;
  if (shift > 0.0 && !is_downhill(change, shift, rhs, x)) return Outcome::uphill;
  keep(found);
  return Outcome::found;
}

bool StaticContacts::Implementation::correct(const State& s, VectorXd& x) {
  failure_.clear();
  was_exact_ = correct_exactly(s, x);
  if (was_exact_) return true;
  if (factor_ > 1.0) factor_ = std::max(1.0, kEasier * factor_);
  for (; factor_ <= kHardest; factor_ *= kHarder) {
    const Outcome outcome = correct_proximally(s, needs_shift_ ? shift() : 0.0, x);
    if (outcome == Outcome::found) {
      const Index n_v = system_.layout().n_velocities();
      const double size = x.head(n_v).cwiseProduct(equations_.weights()).lpNorm<Eigen::Infinity>();
      if (size > kNear) factor_ = std::max(kSoftest, kEasier * factor_);
      return true;
    }
    needs_shift_ = true;
  }
  return false;
}

void StaticContacts::Implementation::take(const State& before, double fraction, const VectorXd& x,
                                          State& s) {
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
  for (int k = 0; k < set_.size(); ++k) {
    SetValuedPoint point = points_.read(s, set_.points[k]);
    const Vector3d r =
        (1.0 - fraction) * set_.forces.segment<3>(3 * k) + fraction * found_.r.segment<3>(3 * k);
    point.force = set_.axes[k] * r;
    const bool is_closed = !point.force.isZero(0.0) || !points_.law(set_.points[k]).has_gap();
    point.phase = is_closed ? SetValuedPoint::Phase::closed : SetValuedPoint::Phase::open;
    point.sticks = is_closed && found_.states[k] != ContactState::slip;
    points_.write(s, set_.points[k], point);
  }
  system_.update(s);
}

bool StaticContacts::Implementation::rubs() const {
  for (int k = 0; k < set_.size(); ++k)
    if (points_.law(set_.points[k]).has_friction() && !found_.r.segment<3>(3 * k).isZero(0.0) &&
        (!points_.law(set_.points[k]).has_gap() ||
         set_.offsets[3 * k] <= kTouches * equations_.length()))
      return true;
  return false;
}

bool StaticContacts::Implementation::keeps_gaps(State& s) {
  const VectorXd rhs = equations_.evaluate(s);
  // Proximal corrections may be small because their term is large.
  const Index n_v = system_.layout().n_velocities();
  const VectorXd left = rhs.head(n_v).cwiseQuotient(equations_.length() * equations_.weights());
  if (!was_exact_ && n_v > 0 &&
      !(left.lpNorm<Eigen::Infinity>() <= kOutOfBalance * force_ * equations_.row_scale()))
    return false;
  for (int i = 0; i < points_.size(); ++i)
    if (points_.law(i).has_gap() && points_.exists(i) &&
        points_.gap(i) <
            -kTouching * (points_.is_angle(i) ? 1.0 : std::max(1.0, equations_.length())))
      return false;
  return true;
}

// What touches is closed, also where others carry its share of the load.
void StaticContacts::Implementation::finish(State& s) {
  system_.update(s);
  int n_closed = 0;
  for (int i = 0; i < points_.size(); ++i) {
    const forces::SetValuedLaw& law = points_.law(i);
    SetValuedPoint point = points_.read(s, i);
    const Vector3d travel = points_.axes(i).transpose() * travel_[i],
                   r = points_.axes(i).transpose() * point.force;
    const double size = points_.is_angle(i) ? 1.0 : std::max(1.0, equations_.length());
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
    if (!point.sticks) totals_.friction_loss -= r.tail<2>().dot(travel.tail<2>());
    if (!law.has_gap() || !points_.exists(i)) continue;
    double& deepest = points_.is_angle(i) ? totals_.overrun : totals_.penetration;
    deepest = std::max(deepest, -points_.gap(i));
  }
  totals_.most_closed = std::max(totals_.most_closed, n_closed);
  system_.update(s);
}

// @pre System::update(s)
std::string StaticContacts::Implementation::describe(const State&) const {
  std::string slipping;
  std::size_t n = 0;
  for (int i = 0; i < points_.size(); ++i) {
    if (!has_slipped_[i] || points_.moves(i)) continue;
    const double slip = (points_.axes(i).transpose() * travel_[i]).tail<2>().norm();
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

StaticContacts::StaticContacts(system::System& system, StaticEquations& equations)
    : self_(std::make_unique<Implementation>(system, equations)) {}
StaticContacts::~StaticContacts() = default;
bool StaticContacts::is_empty() const { return self_->points_.is_empty(); }
void StaticContacts::refuse_overlaps(const State& s) {
  self_->system_.update(s);
  self_->points_.follow(s);
  self_->points_.refuse_overlaps(s);
}
void StaticContacts::begin(State& s) { self_->begin(s); }
bool StaticContacts::correct(const State& s, VectorXd& x) { return self_->correct(s, x); }
bool StaticContacts::was_exact() const { return self_->was_exact_; }
bool StaticContacts::rubs() const { return self_->rubs(); }
void StaticContacts::take(const State& before, double fraction, const VectorXd& x, State& s) {
  self_->take(before, fraction, x, s);
}
bool StaticContacts::keeps_gaps(State& s) const { return self_->keeps_gaps(s); }
void StaticContacts::finish(State& s) { self_->finish(s); }
const std::string& StaticContacts::failure() const { return self_->failure_; }
std::string StaticContacts::describe(const State& s) const { return self_->describe(s); }
const StaticContacts::Totals& StaticContacts::totals() {
  self_->totals_.solver.add(self_->points_.solver().take_totals());
  return self_->totals_;
}

}  // namespace solidyn::integrators
