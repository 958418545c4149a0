#include "solidyn/recursive/dynamics_derivatives.h"

#include <cmath>

#include "recursive/absolute_part.h"
#include "recursive/body_motions.h"
#include "recursive/coordinate_pairs.h"
#include "solidyn/forces/visit_parts.h"
#include "solidyn/math/dense.h"

namespace solidyn::recursive {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// Of differences in time, s: what varies with 100 rad/s is met to 1e-9, and round-off is 1e-12.
constexpr double kTimeDifference = 1e-4;

// By differences of fourth order of what `at` gives so many differences later.
template <class At>
VectorXd rate_in_time(double t, At&& at) {
  const double h = kTimeDifference * std::max(1.0, std::abs(t));
  return (at(-2.0 * h) - at(2.0 * h) + 8.0 * (at(h) - at(-h))) / (12.0 * h);
}

// Elements learn of the time where they follow their nodes.
VectorXd rate_of_elements(const StepEquations& equations, const system::State& state) {
  const int n = equations.tree().n_speeds();
  if (equations.absolute_part().empty()) return VectorXd::Zero(n);
  system::State s = state.clone();
  VectorXd rate = rate_in_time(state.t, [&](double later) {
    s.t = state.t + later;
    equations.system().update(s);
    VectorXd r = VectorXd::Zero(n);
    equations.absolute_part().add_forces_of_elements(r);
    return r;
  });
  equations.system().update(state);
  return rate;
}

}  // namespace

DynamicsDerivatives::DynamicsDerivatives(StepEquations& equations)
    : pairs_(std::make_unique<CoordinatePairs>(equations)) {}
DynamicsDerivatives::~DynamicsDerivatives() = default;

void DynamicsDerivatives::evaluate(const VectorXd& q, const VectorXd& u, const VectorXd& du,
                                   const system::State& state) {
  pairs_->evaluate(q, u, du, state);
}

const MatrixXd& DynamicsDerivatives::by_q() const { return pairs_->by_q; }
const MatrixXd& DynamicsDerivatives::by_u() const { return pairs_->by_u; }
const MatrixXd& DynamicsDerivatives::by_du() const { return pairs_->by_du; }

VectorXd DynamicsDerivatives::by_t(const system::State& state) {
  const CoordinatePairs& p = *pairs_;
  const system::System& system = p.equations.system();
  VectorXd along = VectorXd::Zero(p.fields.size());
  const auto add = [&](const forces::Force& force) {
    int n = 0;
    for (const BodyIndex body : force.bodies()) n += system.body(body).n_velocities();
    const VectorXd rate = rate_in_time(state.t, [&](double later) {
      VectorXd r = VectorXd::Zero(n);
      force.add_residual(system.kinematics(), state.t + later, r);
      return r;
    });
    const VectorXd of_links = on_links(p.tree, force.bodies(), rate);
    int from = 0;
    for (const BodyIndex body : force.bodies()) {
      const Link& k = p.tree.link_of(body);
      VectorXd own = of_links.segment(from, p.tree.n_velocities(k));
      own.segment<3>(3) = Vector3d(k.R * own.segment<3>(3));
      own.head<6>() = force_at_point(own.head<6>(), p.fields.arm(k));
      p.add_force(static_cast<int>(&k - p.tree.links().data()), -1,
                  static_cast<int>(own.size()) - 6, own, along);
      from += p.tree.n_velocities(k);
    }
  };
  for (const forces::ForceIndex f : system.forces()) forces::visit_parts(system.force(f), add);
  VectorXd sum = rate_of_elements(p.equations, state);
  for (int e = 0; e < p.fields.size(); ++e) sum[p.fields.speed(e)] += along[e];
  return sum;
}

BodyMotions DynamicsDerivatives::body_motions() const {
  return motions_of_bodies(pairs_->tree, pairs_->fields);
}

void DynamicsDerivatives::divide_by_mass(MatrixXd& B, MatrixXd* inverse) {
  CoordinatePairs& p = *pairs_;
  if (p.tree.modes().empty() && p.tree.node_groups().empty())
    return p.mass.divide(p.fields.point(), B, inverse);
  std::vector<int> free;
  std::vector<bool> follows_law(p.tree.n_speeds(), false);
  for (const Link& k : p.tree.links())
    for (int j = k.n_free; j < k.n_speeds; ++j) follows_law[k.u + k.order[j]] = true;
  for (int i = 0; i < p.tree.n_speeds(); ++i)
    if (!follows_law[i]) free.push_back(i);
  const MatrixXd M = p.by_du(free, free), rows = B(free, Eigen::all);
  B.setZero();
  if (inverse) inverse->setZero(p.tree.n_speeds(), p.tree.n_speeds());
  if (free.empty()) return;
  const math::CholeskyFactor factor(M);
  B(free, Eigen::all) = factor.solve(rows);
  if (inverse)
    (*inverse)(free, free) = factor.solve(MatrixXd(MatrixXd::Identity(M.rows(), M.cols())));
}

ForwardDerivatives forward_derivatives(DynamicsDerivatives& inverse) {
  const auto n = inverse.by_q().rows();
  MatrixXd all(n, 2 * n), M_inverse;
  all << -inverse.by_q(), -inverse.by_u();
  inverse.divide_by_mass(all, &M_inverse);
  return {all.leftCols(n), all.rightCols(n), std::move(M_inverse)};
}

}  // namespace solidyn::recursive
