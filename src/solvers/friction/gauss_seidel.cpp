#include "solvers/friction/gauss_seidel.h"

#include <algorithm>
#include <cmath>

#include "solvers/friction/block_product.h"
#include "solvers/friction/bounded_solver.h"
#include "solvers/friction/cone.h"
#include "solvers/friction/cut_cone_solver.h"
#include "solvers/friction/scaling.h"

namespace solidyn::solvers::friction {

using Eigen::Vector3d;
using Eigen::VectorXd;

GaussSeidel::GaussSeidel(const Problem& problem, const ContactBlocks& W, const VectorXd& rho)
    : problem_(problem), W_(W), rho_(rho), r_(VectorXd::Zero(problem.q.size())) {
  contacts_.reserve(problem.n_contacts());
  for (int i = 0; i < problem.n_contacts(); ++i)
    contacts_.push_back({LocalSolver(W.diagonal_block(i), problem.laws[i].cone()),
                         problem.q.segment<3>(3 * i), 1.0 / rho[i],
                         LocalSolution{Vector3d::Zero(), ContactState::open}});
}

void GaussSeidel::set_forces(const VectorXd& r) {
  r_ = r;
  for (int i = 0; i < problem_.n_contacts(); ++i) {
    Contact& contact = contacts_[i];
    const ContactLaw& law = problem_.laws[i];
    const double mu = law.cone();
    Vector3d& r_i = contact.last.r;
    r_i = nearest_force(law, r_, r.segment<3>(3 * i));
    r_.segment<3>(3 * i) = r_i;
    const double t = std::hypot(r_i[1], r_i[2]);
    contact.last.state = r_i[0] <= 0.0                                  ? ContactState::open
                         : t < (1.0 - 1e-9) * (mu * r_i[0] + law.bound) ? ContactState::stick
                                                                        : ContactState::slip;
    if (t > 0.0) contact.last.direction = -r_i.tail<2>() / t;
  }
}

VectorXd GaussSeidel::forces() const { return r_; }

double GaussSeidel::visit(int i) {
  Contact& contact = contacts_[i];
  Lanes sum;
  sum << contact.q, 0.0;
  for (int k = W_.start(i) + 1; k < W_.start(i + 1); ++k)
    add_product(W_.values(k), r_.data() + 3 * W_.column(k), sum);
  const Vector3d q = sum.head<3>();
  const Vector3d before = contact.last.r;
  const ContactLaw& law = problem_.laws[i];
  if (law.type == ContactLaw::Type::bounded) {
    solve_bounded(W_.diagonal_block(i), largest_friction(law, r_), q, contact.last);
  } else if (!(law.bound > 0.0 ? solve_cut_cone(contact.solver, law.bound, q, contact.last)
                               : contact.solver.solve(q, contact.last))) {
    // No force solves this contact alone: one step of the projection, until others have moved.
    const Vector3d u = q + W_.diagonal_block(i) * before;
    contact.last.r = nearest_force(law, r_, before - rho_[i] * lifted_velocity(law.cone(), u));
  }
  r_.segment<3>(3 * i) = contact.last.r;
  return (contact.last.r - before).squaredNorm() * contact.velocity_per_force *
         contact.velocity_per_force;
}

double GaussSeidel::sweep() {
  double change = 0.0;
  for (int i = 0; i < problem_.n_contacts(); ++i) change += visit(i);
  return std::sqrt(change);
}

GaussSeidel::Progress GaussSeidel::run(int max_sweeps, double tolerance) {
  constexpr int kCheckEvery = 50;
  Progress progress;
  VectorXd u;
  const double goal = tolerance * problem_.q.norm();
  const auto is_solved = [&] {
    W_.multiply(r_, u);
    u += problem_.q;
    progress.error = contact_error(problem_, rho_, r_, u);
    return progress.error.velocity <= goal;
  };
  bool is_checked = false;
  while (progress.sweeps < max_sweeps) {
    const double change = sweep();
    ++progress.sweeps;
    is_checked = change <= goal || progress.sweeps % kCheckEvery == 0;
    if (is_checked && is_solved()) return progress;
  }
  if (!is_checked) is_solved();
  return progress;
}

}  // namespace solidyn::solvers::friction
