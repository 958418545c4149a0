#include "solvers/friction/few_contacts.h"

#include <cmath>

#include "solvers/friction/cone.h"
#include "solvers/friction/scaling.h"

namespace solidyn::solvers::friction {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// Other guesses than the first: as many as contacts may change one after the other.
constexpr int kGuesses = 2 * FewContacts::kMost;
// Corrections with the same equations go on while each leaves no more than this.
constexpr double kGains = 0.25;
constexpr int kNewtonSteps = 8;
// Pivots below this part of the largest are those of redundant contacts.
constexpr double kRank = 1e-11;

template <class Square>
Eigen::CompleteOrthogonalDecomposition<Square> factorised(const Square& matrix) {
  Eigen::CompleteOrthogonalDecomposition<Square> factors(matrix.rows(), matrix.cols());
  factors.setThreshold(kRank);
  if (matrix.rows() > 0) factors.compute(matrix);
  return factors;
}

}  // namespace

FewContacts::FewContacts(const Problem& problem, const ContactBlocks& W, const VectorXd& rho)
    : problem_(problem), rho_(rho), roles_(problem.laws.size()) {
  const int n = problem.n_contacts();
  W_.setZero(3 * n, 3 * n);
  for (int row = 0; row < n; ++row)
    for (int k = W.start(row); k < W.start(row + 1); ++k)
      W_.block<3, 3>(3 * row, 3 * W.column(k)) = W.block(k);
}

// That of the point which the natural map projects.
FewContacts::Role FewContacts::role(int contact, const VectorXd& r) const {
  const ContactLaw& law = problem_.laws[contact];
  const Vector3d z = r.segment<3>(3 * contact) - rho_[contact] * u_.segment<3>(3 * contact);
  const double across = z.tail<2>().norm();
  const bool is_bounded = law.type == ContactLaw::Type::bounded;
  if (!is_bounded && z[0] <= 0.0) return {ContactState::open, Vector2d::Zero()};
  const double bound = is_bounded ? largest_friction(law, r) : law.cone() * z[0];
  if (bound == 0.0)
    return {ContactState::slip, Vector2d::Zero()};  // whichever way, without a force
  if (across <= bound) return {ContactState::stick, Vector2d::Zero()};
  return {ContactState::slip, -z.tail<2>() / across};
}

// @return whether any is another one than in the guess before
bool FewContacts::find_roles(const VectorXd& r) {
  roles_before_ = roles_;
  for (int i = 0; i < problem_.n_contacts(); ++i) roles_[i] = role(i, r);
  return n_guesses_ == 0 || !(roles_ == roles_before_);
}

void FewContacts::set_velocities(const VectorXd& r) {
  u_.noalias() = W_ * r;
  u_ += problem_.q;
}

void FewContacts::set_directions() {
  const int n = problem_.n_contacts();
  held_.clear();
  directions_.setZero(3 * n, 3 * n);
  given_.setZero(3 * n);
  column_of_normal_.assign(n, -1);
  for (int i = 0; i < n; ++i) {
    const Role& its = roles_[i];
    if (its.state == ContactState::open) continue;
    const ContactLaw& law = problem_.laws[i];
    const bool is_bounded = law.type == ContactLaw::Type::bounded;
    if (!is_bounded) {
      const auto y = static_cast<Eigen::Index>(held_.size());
      column_of_normal_[i] = static_cast<int>(y);
      held_.push_back(3 * i);
      directions_(3 * i, y) = 1.0;
      if (its.state == ContactState::slip)
        directions_.block<2, 1>(3 * i + 1, y) = -law.cone() * its.slip;
    } else if (its.state == ContactState::slip) {
      given_.segment<2>(3 * i + 1) = -law.bound * its.slip;
      if (law.partner >= 0 && column_of_normal_[law.partner] >= 0)
        directions_.block<2, 1>(3 * i + 1, column_of_normal_[law.partner]) = -law.mu * its.slip;
    }
    if (its.state != ContactState::stick) continue;
    for (const int row : {3 * i + 1, 3 * i + 2}) {
      directions_(row, static_cast<Eigen::Index>(held_.size())) = 1.0;
      held_.push_back(row);
    }
  }
  directions_.conservativeResize(Eigen::NoChange, static_cast<Eigen::Index>(held_.size()));
}

void FewContacts::set_forces(const Vector& y, VectorXd& r) {
  r = given_;
  r.noalias() += directions_ * y;
  set_velocities(r);
}

// Rows of u that are zero, by y.
FewContacts::Square FewContacts::equations() const {
  const auto n = static_cast<Eigen::Index>(held_.size());
  const Square moved = W_ * directions_;
  Square rows(n, n);
  for (Eigen::Index k = 0; k < n; ++k) rows.row(k) = moved.row(held_[k]);
  return rows;
}

// Into the directions of u_. @return whether all still go forward
bool FewContacts::turn_slips() {
  for (int i = 0; i < problem_.n_contacts(); ++i) {
    Role& its = roles_[i];
    if (its.slip.isZero(0.0)) continue;
    const Vector2d slip = u_.segment<2>(3 * i + 1);
    const double speed = slip.norm();
    if (speed == 0.0) continue;
    if (!(slip.dot(its.slip) > 0.0)) return false;
    its.slip = slip / speed;
  }
  return true;
}

// Corrections by the equations of the first directions of slip; they are exact but for what those
// still turn.
bool FewContacts::follow_slips(double allowed, VectorXd& r, ContactError& error) {
  set_directions();
  const auto n = static_cast<Eigen::Index>(held_.size());
  Vector y(n), left(n);
  for (Eigen::Index k = 0; k < n; ++k) y[k] = r[held_[k]];
  const auto factors = factorised(equations());
  set_forces(y, r);
  for (double before = HUGE_VAL;; before = error.velocity) {
    for (Eigen::Index k = 0; k < n; ++k) left[k] = u_[held_[k]];
    if (n > 0) y -= factors.solve(left);
    set_forces(y, r);
    error = contact_error(problem_, rho_, r, u_);
    if (error.velocity <= allowed) return true;
    if (!(error.velocity <= kGains * before) || !turn_slips()) return false;
    set_directions();
    set_forces(y, r);
  }
}

// With t' across t: t'.u_T = 0, where t turns by an angle phi, t := t + phi t', so that
// d(t'.u_T) = t'.du_T - phi t.u_T, and r_T turns by -c t' phi with its size c = mu r_N (or given).
bool FewContacts::find_slips(double allowed, VectorXd& r, ContactError& error) {
  std::vector<int> turning;
  for (int i = 0; i < problem_.n_contacts(); ++i)
    if (!roles_[i].slip.isZero(0.0)) turning.push_back(i);
  const auto n_turning = static_cast<Eigen::Index>(turning.size());
  if (n_turning == 0) return false;
  set_directions();
  const auto n = static_cast<Eigen::Index>(held_.size());
  Vector y(n);
  for (Eigen::Index k = 0; k < n; ++k) y[k] = r[held_[k]];
  set_forces(y, r);
  for (int step = 0; step < kNewtonSteps; ++step) {
    Square matrix(n + n_turning, n + n_turning);
    Vector left(n + n_turning);
    const Square moved = W_ * directions_;
    matrix.topLeftCorner(n, n) = equations();
    for (Eigen::Index k = 0; k < n; ++k) left[k] = u_[held_[k]];
    for (Eigen::Index j = 0; j < n_turning; ++j) {
      const int at = 3 * turning[j] + 1;
      const Vector2d t = roles_[turning[j]].slip, across(-t[1], t[0]);
      const ContactLaw& law = problem_.laws[turning[j]];
      const double size =
          law.type == ContactLaw::Type::bounded ? largest_friction(law, r) : law.cone() * r[at - 1];
      const Vector turned = W_.middleCols<2>(at) * (-size * across);
      for (Eigen::Index k = 0; k < n; ++k) matrix(k, n + j) = turned[held_[k]];
      for (Eigen::Index k = 0; k < n_turning; ++k) {
        const Vector2d other = roles_[turning[k]].slip, its_across(-other[1], other[0]);
        matrix(n + k, n + j) = its_across.dot(turned.segment<2>(3 * turning[k] + 1));
      }
      matrix(n + j, n + j) -= t.dot(u_.segment<2>(at));
      matrix.row(n + j).head(n) = across.transpose() * moved.middleRows<2>(at);
      left[n + j] = across.dot(u_.segment<2>(at));
    }
    const Vector change = factorised(matrix).solve(left);
    y -= change.head(n);
    for (Eigen::Index j = 0; j < n_turning; ++j) {
      Vector2d& t = roles_[turning[j]].slip;
      t = (t - change[n + j] * Vector2d(-t[1], t[0])).normalized();
    }
    set_directions();
    set_forces(y, r);
    error = contact_error(problem_, rho_, r, u_);
    if (error.velocity <= allowed) return true;
  }
  return false;
}

// What the second guess of the same roles would leave as it is, turns.
bool FewContacts::solve(double allowed, VectorXd& r, ContactError& error) {
  VectorXd tried = r;
  ContactError reached;
  set_velocities(tried);
  bool had_new = true;
  for (n_guesses_ = 0; n_guesses_ < kGuesses; ++n_guesses_) {
    const bool has_new = find_roles(tried);
    if (!has_new && !had_new) return false;
    had_new = has_new;
    if (has_new ? follow_slips(allowed, tried, reached) : find_slips(allowed, tried, reached)) {
      r = tried;
      error = reached;
      return true;
    }
    if (!tried.allFinite()) return false;
  }
  return false;
}

}  // namespace solidyn::solvers::friction
