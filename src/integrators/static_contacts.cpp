#include "solidyn/integrators/static_contacts.h"

#include <algorithm>
#include <cmath>

#include "integrators/contact_points.h"
#include "integrators/contact_solution.h"
#include "integrators/contact_transitions.h"
#include "integrators/static_contact_history.h"
#include "integrators/static_proximal_term.h"
#include "solidyn/math/dense.h"

namespace solidyn::integrators {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using forces::SetValuedPoint;
using solvers::friction::ContactState;
using system::State;
using Law = forces::SetValuedLaw::Kind;

namespace {

// Corrections by Newton's method go no farther, in lengths or rad: what is closed may be others
// there.
constexpr double kNear = 0.3;
// Of the proximal stiffness: what is left for Newton's method, for what nothing holds in place.
constexpr double kNeutral = 1e-5;
// Of the length: what has met before a correction.
constexpr double kTouches = 1e-6;
// Of A: an eigenvalue that is less than zero by more than this part is not round-off.
constexpr double kIndefinite = 1e-9;
// By how much a solution may miss gaps, relative to what its forces do.
constexpr double kMissed = 1e-7;
// Of the length: errors of solutions that are none of the problem.
constexpr double kSolved = 1e-10;
// Of the largest force: what an equilibrium may leave of the others.
constexpr double kOutOfBalance = 1e-8;

// Else forces of contacts push further in what they shall push out.
bool is_definite(const MatrixXd& A) {
  const VectorXd values = math::symmetric_spectrum(MatrixXd(0.5 * (A + A.transpose()))).values;
  return values.minCoeff() >= -kIndefinite * values.maxCoeff();
}

}  // namespace

class StaticContacts::Implementation {
 public:
  Implementation(system::System& system, StaticEquations& equations)
      : system_(system),
        equations_(equations),
        points_(system),
        history_(system, points_),
        proximal_(system, equations, points_) {}

  void begin(State& s);
  bool correct(const State& s, VectorXd& x);
  void take(const State& before, double fraction, const VectorXd& x, State& s);
  std::vector<bool> rubbing() const;
  void look_for_pairs(State& s);
  bool keeps_gaps(State& s);
  void finish(State& s);

  system::System& system_;
  StaticEquations& equations_;
  ContactPoints points_;
  StaticContactHistory history_;
  StaticProximalTerm proximal_;
  std::string failure_;
  bool was_exact_ = false;
  Totals totals_;

 private:
  void keep(const StaticContactForces& found);
  bool correct_exactly(const State& s, VectorXd& x);
  enum class Outcome { found, uphill, failed };
  enum class Curvature { of_forces, none };
  Outcome correct_proximally(const State& s, double shift, Curvature curvature, VectorXd& x);
  State without_forces(const State& s) const;
  bool keeps_open(const StaticContactForces& found, double missed) const;

  StaticContactSet set_;
  StaticContactForces found_;  // for set_
};

void StaticContacts::Implementation::begin(State& s) {
  system_.update(s);
  points_.follow(s);
  history_.begin(s, equations_.length());
  proximal_.begin(s);
}

void StaticContacts::Implementation::keep(const StaticContactForces& found) {
  found_ = found;
  history_.keep(set_, found);
}

bool StaticContacts::Implementation::correct_exactly(const State& s, VectorXd& x) {
  const VectorXd rhs = equations_.evaluate(s);
  set_ = history_.find_set(s);
  StaticContactNewton newton(points_, set_, history_.guess(set_), equations_.row_scale());
  if (!newton.solve(equations_.tangent(s, kNeutral * proximal_.stiffness()), rhs, x)) return false;
  const Index n_v = system_.layout().n_velocities();
  const double size = x.head(n_v).cwiseProduct(equations_.weights()).lpNorm<Eigen::Infinity>();
  if (!(size <= kNear) || !newton.meets_laws(equations_.length())) return false;
  keep(newton.found());
  return true;
}

State StaticContacts::Implementation::without_forces(const State& s) const {
  State without = s.clone();
  for (int i = 0; i < points_.size(); ++i) {
    SetValuedPoint point = points_.read(without, i);
    point.force.setZero();
    points_.write(without, i, point);
  }
  return without;
}

// Whether what carries nothing does not go into each other.
bool StaticContacts::Implementation::keeps_open(const StaticContactForces& found,
                                                double missed) const {
  for (int k = 0; k < set_.size(); ++k)
    if (points_.law(set_.points[k]).kind != Law::friction && found.u[3 * k] < -missed) return false;
  return true;
}

// Without the curvature of surfaces that press, which is that of rounded edges where such meet, so
// that no proximal term of a useful size outweighs it: Newton's method is simplified then.
StaticContacts::Implementation::Outcome StaticContacts::Implementation::correct_proximally(
    const State& s, double shift, Curvature curvature, VectorXd& x) {
  const Index n_v = system_.layout().n_velocities();
  const double scale = equations_.row_scale();
  if (curvature == Curvature::none)
    equations_.factor(without_forces(s), shift);
  else
    equations_.factor(s, shift);
  const VectorXd rhs = equations_.evaluate(s);
  equations_.solve(rhs, x);
  set_ = history_.find_set(s);
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
  const double missed = kMissed * (A * found.r).lpNorm<Eigen::Infinity>() +
                        std::min(solution.error, kSolved * equations_.length());
  if (!keeps_open(found, missed)) return Outcome::failed;
  if (shift > 0.0 && !proximal_.is_downhill(set_.W, change, shift, rhs, x)) return Outcome::uphill;
  keep(found);
  return Outcome::found;
}

bool StaticContacts::Implementation::correct(const State& s, VectorXd& x) {
  failure_.clear();
  was_exact_ = correct_exactly(s, x);
  if (was_exact_) return true;
  proximal_.begin_correction();
  do {
    const double shift = proximal_.needed_stiffness();
    Outcome outcome = correct_proximally(s, shift, Curvature::of_forces, x);
    if (outcome != Outcome::found && proximal_.is_hard())
      outcome = correct_proximally(s, shift, Curvature::none, x);
    if (outcome != Outcome::found) continue;
    const Index n_v = system_.layout().n_velocities();
    const double size = x.head(n_v).cwiseProduct(equations_.weights()).lpNorm<Eigen::Infinity>();
    if (size > kNear) proximal_.soften();
    return true;
  } while (proximal_.harden());
  return false;
}

void StaticContacts::Implementation::take(const State& before, double fraction, const VectorXd& x,
                                          State& s) {
  history_.add_travel(before, fraction, x, s);
  history_.give_forces(set_, found_, fraction, s);
  system_.update(s);
}

std::vector<bool> StaticContacts::Implementation::rubbing() const {
  const auto n_v = static_cast<std::size_t>(system_.layout().n_velocities());
  const Clusters& clusters = points_.clusters();
  std::vector<bool> rubs(clusters.unknowns.size(), false), of_velocities(n_v);
  for (int k = 0; k < set_.size(); ++k)
    if (points_.law(set_.points[k]).has_friction() && !found_.r.segment<3>(3 * k).isZero(0.0) &&
        (!points_.law(set_.points[k]).has_gap() ||
         set_.offsets[3 * k] <= kTouches * equations_.length()))
      for (int d = 0; d < 3; ++d)
        for (Eigen::SparseMatrix<double>::InnerIterator it(set_.W, 3 * k + d); it; ++it)
          rubs[clusters.of_unknown[it.row()]] = true;
  for (std::size_t i = 0; i < n_v; ++i) of_velocities[i] = rubs[clusters.of_unknown[i]];
  return of_velocities;
}

void StaticContacts::Implementation::look_for_pairs(State& s) {
  std::vector<std::string> names;
  for (int i = 0; i < points_.size(); ++i) names.push_back(points_.name(i));
  points_.find(system_, s);
  history_.follow(names);
  proximal_.harden();  // which the correction that led there was too far for
}

bool StaticContacts::Implementation::keeps_gaps(State& s) {
  const VectorXd rhs = equations_.evaluate(s);
  // Proximal corrections may be small because their term is large.
  const Index n_v = system_.layout().n_velocities();
  const VectorXd left = rhs.head(n_v).cwiseQuotient(equations_.length() * equations_.weights());
  if (!was_exact_ && n_v > 0 &&
      !(left.lpNorm<Eigen::Infinity>() <=
        kOutOfBalance * proximal_.force() * equations_.row_scale()))
    return false;
  for (int i = 0; i < points_.size(); ++i)
    if (points_.law(i).has_gap() && points_.exists(i) &&
        points_.gap(i) <
            -kTouching * (points_.is_angle(i) ? 1.0 : std::max(1.0, equations_.length())))
      return false;
  return true;
}

void StaticContacts::Implementation::finish(State& s) {
  system_.update(s);
  history_.finish(s, totals_);
  system_.update(s);
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
std::vector<bool> StaticContacts::rubbing() const { return self_->rubbing(); }
bool StaticContacts::misses_pairs(const State& s) const { return self_->points_.misses_pairs(s.t); }
void StaticContacts::look_for_pairs(State& s) { self_->look_for_pairs(s); }
void StaticContacts::take(const State& before, double fraction, const VectorXd& x, State& s) {
  self_->take(before, fraction, x, s);
}
bool StaticContacts::keeps_gaps(State& s) const { return self_->keeps_gaps(s); }
void StaticContacts::finish(State& s) { self_->finish(s); }
const std::string& StaticContacts::failure() const { return self_->failure_; }
std::string StaticContacts::describe(const State& s) const { return self_->history_.describe(s); }
const StaticContacts::Totals& StaticContacts::totals() {
  self_->totals_.solver.add(self_->points_.solver().take_totals());
  return self_->totals_;
}

}  // namespace solidyn::integrators
