#include "solvers/friction/cut_cone_solver.h"

#include <algorithm>

#include "solvers/friction/bounded_solver.h"

namespace solidyn::solvers::friction {

using Eigen::Vector3d;

namespace {

// Of the lift: normal forces below zero by less are round-off.
constexpr double kBelowZero = 1e-13;

}  // namespace

bool solve_cut_cone(const LocalSolver& cone, double bound, const Vector3d& q, LocalSolution& last) {
  LocalSolution parts{Vector3d::Zero(), ContactState::open};
  solve_bounded(cone.block(), bound, q, parts);
  if (cone.block().row(0).dot(parts.r) + q[0] >= 0.0) {
    parts.state = ContactState::open;
    last = parts;
    return true;
  }
  const double lift = bound / cone.coefficient();
  const Vector3d lifted = lift * Vector3d::UnitX();
  const LocalSolution* nearest = nullptr;
  const std::vector<LocalSolution> all = cone.enumerate(q - cone.block() * lifted);
  for (const LocalSolution& one : all) {
    if (one.state == ContactState::open || one.r[0] < lift * (1.0 - kBelowZero)) continue;
    const auto distance = [&](const LocalSolution& s) { return (s.r - lifted - last.r).norm(); };
    if (!nearest || distance(one) < distance(*nearest)) nearest = &one;
  }
  if (!nearest) return false;
  last = *nearest;
  last.r[0] = std::max(0.0, last.r[0] - lift);
  return true;
}

}  // namespace solidyn::solvers::friction
