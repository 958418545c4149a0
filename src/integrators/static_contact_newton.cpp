#include "integrators/static_contact_newton.h"

#include <algorithm>

#include "solidyn/math/sparse_lu.h"

namespace solidyn::integrators {

using Eigen::Index;
using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::VectorXd;
using solvers::friction::ContactState;
using Law = forces::SetValuedLaw::Kind;
using SparseMatrix = Eigen::SparseMatrix<double>;

namespace {

// On the diagonal of contact rows, relative to their squares: they may depend on each other.
constexpr double kRegularization = 1e-10;
// What that leaves of them is made good by refinements, as in SaddlePointSolve.
constexpr int kMaxContactRefinements = 6;
constexpr double kContactsRefined = 1e-13;
// Of the largest force, and of the length: round-off of what is zero.
constexpr double kNoForce = 1e-10, kNoGap = 1e-12;
// Of a slip that the iteration before has foreseen: where less of it has been taken, its direction
// is that which was foreseen.
constexpr double kTaken = 0.5;

// As SaddlePointSolve: of rows that depend on each other what cannot be met is left out, and the
// last m unknowns are those of least norm.
VectorXd solve_dependent(const math::SparseLu& factors, VectorXd rhs, Index m, double epsilon) {
  if (m == 0) return factors.solve(rhs);
  const auto solve_rows = [&](const VectorXd& g) {
    VectorXd rows = VectorXd::Zero(rhs.size());
    rows.tail(m) = -epsilon * g;
    return factors.solve(rows);
  };
  rhs.tail(m) -= solve_rows(rhs.tail(m)).tail(m);
  VectorXd x = factors.solve(rhs), change = x.tail(m);
  for (int i = 0; i < kMaxContactRefinements && x.allFinite(); ++i) {
    const VectorXd more = solve_rows(change);
    const double size = more.tail(m).norm(), before = change.norm();
    if (!(size < before)) break;
    x += more;
    if (size * size <= kContactsRefined * before * x.tail(m).norm()) break;
    change = more.tail(m);
  }
  return x;
}

}  // namespace

StaticContactNewton::StaticContactNewton(const ContactPoints& contacts, const StaticContactSet& set,
                                         const StaticContactForces& guess, double row_scale)
    : contacts_(contacts),
      set_(set),
      found_(guess),
      row_scale_(row_scale),
      slips_(set.size(), Vector2d::Zero()),
      stiffnesses_(set.size(), Matrix2d::Zero()) {
  for (int k = 0; k < set.size(); ++k) add_point(k);
}

bool StaticContactNewton::has_direction(int k, int direction) const {
  return set_.W.col(3 * k + direction).nonZeros() > 0 && set_.W.col(3 * k + direction).norm() > 0.0;
}

void StaticContactNewton::add_point(int k) {
  const forces::SetValuedLaw& law = contacts_.law(set_.points[k]);
  const ContactState state = found_.states[k];
  if (state == ContactState::open) return;
  const bool slips = law.has_friction() && state == ContactState::slip;
  if (slips) slide(k);
  if (law.kind != Law::friction) rows_.push_back({k, 0});
  if (!law.has_friction() || slips) return;
  for (int d = 1; d < 3; ++d)
    if (has_direction(k, d)) rows_.push_back({k, d});
}

void StaticContactNewton::slide(int k) {
  if (!set_.running[k].isZero(0.0)) {
    slips_[k] = set_.running[k].normalized();
    return;
  }
  const Vector2d foreseen = found_.u.segment<2>(3 * k + 1);
  Vector2d slip = set_.offsets.segment<2>(3 * k + 1);
  if (!(slip.norm() >= kTaken * foreseen.norm())) slip = foreseen;
  if (slip.isZero(0.0)) slip = -set_.forces.segment<2>(3 * k + 1);
  if (slip.isZero(0.0)) return;
  slips_[k] = slip.normalized();
  const forces::SetValuedLaw& law = contacts_.law(set_.points[k]);
  const double pressing =
      law.kind == Law::friction ? law.pressing_force : std::max(0.0, set_.forces[3 * k]);
  stiffnesses_[k] = found_.coefficients[k] * pressing / slip.norm() *
                    (Matrix2d::Identity() - slips_[k] * slips_[k].transpose());
}

// Along which a force acts whose row is this one.
VectorXd StaticContactNewton::column(const Row& row) const {
  VectorXd w = set_.W.col(3 * row.point + row.direction);
  if (row.direction == 0 && !slips_[row.point].isZero(0.0))
    for (int d = 0; d < 2; ++d)
      w -=
          found_.coefficients[row.point] * slips_[row.point][d] * set_.W.col(3 * row.point + 1 + d);
  return w;
}

bool StaticContactNewton::solve(const SparseMatrix& tangent, const VectorXd& rhs, VectorXd& x) {
  const Index n = tangent.rows(), n_v = set_.W.rows(), m = static_cast<Index>(rows_.size());
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](Index i, Index j, double value) {
    if (value != 0.0) entries.emplace_back(static_cast<int>(i), static_cast<int>(j), value);
  };
  for (int j = 0; j < tangent.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(tangent, j); it; ++it) add(it.row(), j, it.value());
  VectorXd all = VectorXd::Zero(n + m), forces(m), constant = VectorXd::Zero(set_.forces.size());
  double squares = 0.0;
  for (Index i = 0; i < m; ++i) {
    const Row& row = rows_[i];
    const int at = 3 * row.point + row.direction;
    const VectorXd w = column(row);
    for (Index j = 0; j < n_v; ++j) add(j, n + i, -w[j]);
    for (SparseMatrix::InnerIterator it(set_.W, at); it; ++it) {
      add(n + i, it.row(), -it.value());
      squares += it.value() * it.value();
    }
    all[n + i] = set_.offsets[at];
    forces[i] = set_.forces[at];
  }
  for (int k = 0; k < set_.size(); ++k) {
    const forces::SetValuedLaw& law = contacts_.law(set_.points[k]);
    if (law.kind == Law::friction && !slips_[k].isZero(0.0))
      constant.segment<2>(3 * k + 1) = -found_.coefficients[k] * law.pressing_force * slips_[k];
    if (stiffnesses_[k].isZero(0.0)) continue;
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b)
        for (SparseMatrix::InnerIterator i(set_.W, 3 * k + 1 + a); i; ++i)
          for (SparseMatrix::InnerIterator j(set_.W, 3 * k + 1 + b); j; ++j)
            add(i.row(), j.row(), row_scale_ * stiffnesses_[k](a, b) * i.value() * j.value());
  }
  // Of what the forces of the state are, less what of them is kept: unknowns are their changes.
  all.head(n) = rhs;
  all.head(n_v) += row_scale_ * (set_.W * (constant - set_.forces));
  for (Index i = 0; i < m; ++i) all.head(n_v) += row_scale_ * forces[i] * column(rows_[i]);
  SparseMatrix regular(n + m, n + m);
  const double epsilon = m > 0 ? kRegularization * squares / static_cast<double>(m) : 0.0;
  for (Index i = 0; i < m; ++i) add(n + i, n + i, -epsilon);
  regular.setFromTriplets(entries.begin(), entries.end());
  const math::SparseLu factors(regular);
  if (factors.has_failed()) return false;
  const VectorXd y = solve_dependent(factors, all, m, epsilon);
  if (!y.allFinite()) return false;
  x = y.head(n);
  found_.u = set_.offsets + set_.W.transpose() * x.head(n_v);
  found_.r = constant;
  for (Index i = 0; i < m; ++i)
    found_.r[3 * rows_[i].point + rows_[i].direction] = forces[i] + y[n + i] / row_scale_;
  for (int k = 0; k < set_.size(); ++k) {
    if (slips_[k].isZero(0.0)) continue;
    const forces::SetValuedLaw& law = contacts_.law(set_.points[k]);
    const double pressing = law.kind == Law::friction ? law.pressing_force : found_.r[3 * k];
    Vector2d slip = found_.u.segment<2>(3 * k + 1);
    if (stiffnesses_[k].isZero(0.0) || slip.isZero(0.0)) slip = slips_[k];
    found_.r.segment<2>(3 * k + 1) = -found_.coefficients[k] * pressing * slip.normalized();
  }
  return true;
}

bool StaticContactNewton::meets_laws(double length) const {
  double largest = 0.0;
  for (Index i = 0; i < found_.r.size(); ++i) largest = std::max(largest, std::abs(found_.r[i]));
  const double no_force = kNoForce * largest;
  for (int k = 0; k < set_.size(); ++k) {
    const int point = set_.points[k];
    const forces::SetValuedLaw& law = contacts_.law(point);
    const double no_gap = kNoGap * (contacts_.is_angle(point) ? 1.0 : length);
    const double r_N = found_.r[3 * k], r_T = found_.r.segment<2>(3 * k + 1).norm();
    if (found_.states[k] == ContactState::open) {
      if (law.kind != Law::friction && found_.u[3 * k] < -no_gap) return false;
      continue;
    }
    if (r_N < -no_force) return false;
    if (!law.has_friction()) continue;
    const double pressing = law.kind == Law::friction ? law.pressing_force : r_N;
    if (found_.states[k] == ContactState::stick) {
      if (r_T > law.static_coefficient * pressing + no_force) return false;
    } else if (set_.running[k].isZero(0.0) &&
               found_.u.segment<2>(3 * k + 1).dot(slips_[k]) <= 0.0) {
      return false;
    }
  }
  return true;
}

}  // namespace solidyn::integrators
