// Impacts and accelerations where the masses that are factorised are not quite those of full-mesh
// bodies: repeated with the residual, as Newton's method.
#include <algorithm>
#include <cmath>

#include "integrators/contact_transitions.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/system/velocity_violation.h"

namespace solidyn::integrators {
namespace {

using Eigen::Index;
using Eigen::Vector3d;
using Eigen::VectorXd;
using forces::SetValuedPoint;
using system::State;

// Each leaves of what it corrects about the ratio of deformations to the size of the body.
constexpr int kMaxCorrections = 10;
constexpr double kRoundOff = 1e-14;

}  // namespace

// Velocities after the impact, in `s`, which has those before it. @pre demand()
ImpactSolution ContactTransitions::solve_impact_of_meshes(State& s, const Impact& impact,
                                                          const ContactCompliance& c, double h) {
  const auto n = static_cast<Index>(impact.of.size());
  const Index n_v = s.v.size();
  JumpCorrection correction(system_, s, solve_);
  system_.update(s);
  const auto velocities = [&] {
    VectorXd u(3 * n);
    for (Index k = 0; k < n; ++k) u.segment<3>(3 * k) = points_.velocity(impact.of[k]);
    return u;
  };
  // What the laws have beside them, whatever the impulses are.
  const VectorXd leaning = impact.before - velocities();
  ImpactSolution solution;
  solution.r = VectorXd::Zero(3 * n);
  VectorXd p = VectorXd::Zero(system_.layout().n_constraints());
  const VectorXd first = s.v;
  double before = 0.0;
  for (int i = 0; i < kMaxCorrections; ++i) {
    VectorXd x = correction.solve(s, p, c.W * solution.r);
    const VectorXd u = leaning + velocities() + c.W.transpose() * x.head(n_v) - c.A * solution.r;
    ImpactSolution next = solve_laws(s, impact, u, c, h);
    x += c.X * (next.r - solution.r);
    solution = std::move(next);
    correction.apply(x, s);
    p += x.tail(p.size());
    const double size = x.head(n_v).norm();
    if (!std::isfinite(size) || size <= kRoundOff * (s.v - first).norm() ||
        (i > 1 && size >= before))
      break;
    before = size;
  }
  work_of_drives_ = -driven_rates_.dot(p);
  return solution;
}

// @param[in,out] solution  of forces that `s` has the accelerations of
void ContactTransitions::correct_accelerations(State& s, const ContactCompliance& c,
                                               const KnownSlips& known, ContactSolution& solution) {
  const auto n = static_cast<Index>(c.points.size());
  const Index n_v = s.v.size(), n_l = system_.layout().n_constraints();
  double before = 0.0;
  for (int i = 0; i < kMaxCorrections; ++i) {
    for (Index k = 0; k < n; ++k) {
      SetValuedPoint point = points_.read(s, c.points[k]);
      point.force = points_.axes(c.points[k]) * solution.r.segment<3>(3 * k);
      points_.write(s, c.points[k], point);
    }
    system_.update(s);
    VectorXd r, phi, nu, gamma, Ga, x, rhs(n_v + n_l), q(3 * n);
    system_.compute_residual(s, r, phi);
    system_.update_accelerations();
    system_.compute_rates(s, nu, gamma);
    system_.multiply_G(s.a, Ga);
    rhs << -r, gamma - Ga;
    solve_.solve(rhs, x);
    for (Index k = 0; k < n; ++k) q.segment<3>(3 * k) = points_.acceleration(c.points[k]);
    q += c.W.transpose() * x.head(n_v) - c.A * solution.r;
    ContactSolution next = solve_contacts(points_, c, c.A, q, solution.r,
                                          std::vector<bool>(n, true), VectorXd::Zero(n), &known,
                                          1.0, nullptr, ContactSolver::Unknowns::accelerations);
    x += c.X * (next.r - solution.r);
    solution = std::move(next);
    if (!solution.failure.empty()) return;
    s.a += x.head(n_v);
    s.lambda += x.tail(n_l);
    for (std::size_t k = 0; k < s.nodal.size(); ++k) {
      bodies::NodalBody* body = system_.layout().nodal_bodies()[k];
      const bodies::BodyIndex b = system_.layout().body_of_nodal(static_cast<int>(k));
      base::Vec increment;
      SOLIDYN_PETSC(VecDuplicate(s.nodal[k].u, increment.out()));
      body->recover(
          x.segment(system_.layout().velocity_offset(b) + body->n_rigid(), body->n_elastic()),
          increment);
      SOLIDYN_PETSC(VecAXPY(s.nodal[k].ddu, 1.0, increment));
    }
    const double size = x.head(n_v).norm();
    if (!std::isfinite(size) || size <= kRoundOff * s.a.norm() || (i > 1 && size >= before)) break;
    before = size;
  }
}

}  // namespace solidyn::integrators
