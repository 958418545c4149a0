#include "integrators/explicit_limit.h"

#include <fmt/format.h>

#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/forces/set_valued.h"
#include "solidyn/system/force_memory.h"
#include "solidyn/system/scales.h"

namespace solidyn::integrators {

using Eigen::VectorXd;
using system::State;

namespace {

// Of the mechanism's length (and of that per second): how far differences reach.
constexpr double kReachOfDifferences = 1e-6;
constexpr int kMaxProducts = 60;
// Power iterations end where the rate changes by no more than this part.
constexpr double kSettledRate = 2e-3;

}  // namespace

// Contacts are laws, not forces.
VectorXd ExplicitLimit::multiply(State& s, const VectorXd& x, Product product) {
  const double by = kReachOfDifferences / weights_.cwiseProduct(x).lpNorm<Eigen::Infinity>();
  const VectorXd q = s.q, v = s.v;
  VectorXd forward, backward, phi;
  for (const double sign : {1.0, -1.0}) {
    if (product == Product::stiffness)
      system_.advance(q, sign * by * x, s.q);
    else
      s.v = v + sign * by * x;
    system_.update(s);
    system_.compute_residual(s, sign > 0.0 ? forward : backward, phi);
  }
  s.q = q;
  s.v = v;
  return (forward - backward) / (2.0 * by);
}

// Of M^-1 K, as sqrt(|y|^2 / |x|^2) with M y = K x in the metric of M, in which |x|^2 = x . f for
// the force f that x is the answer to: the same for symmetric matrices and those of gyroscopes.
double ExplicitLimit::largest_rate(State& s, SaddlePointSolve& mass, Product product) {
  const int n_v = system_.layout().n_velocities(), n_l = system_.layout().n_constraints();
  VectorXd rhs = VectorXd::Zero(n_v + n_l), solution;
  for (int i = 0; i < n_v; ++i) rhs[i] = std::sin(1.0 + i);
  double rate = 0.0;
  for (int i = 0; i <= kMaxProducts; ++i) {
    mass.solve(rhs, solution);
    const VectorXd x = solution.head(n_v);
    const double squared = x.dot(rhs.head(n_v));
    if (!(squared > 0.0)) return rate;
    const double size = std::sqrt(squared), before = rate;
    if (i > 0) rate = size;
    if (i > 2 && std::abs(rate - before) <= kSettledRate * rate) return rate;
    rhs.head(n_v) = multiply(s, x / size, product);
  }
  return rate;
}

void ExplicitLimit::estimate(const State& given, SaddlePointSolve& mass, double length) {
  State s = given.clone();
  weights_ = system::increment_weights(system_, length);
  s.a.setZero();
  const auto offsets = system::memory_offsets(system_, s.memory);
  for (const forces::ForceIndex f : system_.forces()) {
    const forces::SetValued* law = system_.force(f).as_set_valued();
    for (int k = 0; law && k < law->n_points(); ++k) {
      auto memory =
          s.memory.segment<forces::SetValuedPoint::kSize>(offsets[f] + law->memory_offset(k));
      forces::SetValuedPoint point = forces::SetValuedPoint::read(memory);
      point.force.setZero();
      point.write(memory);
    }
  }
  omega_ = std::sqrt(largest_rate(s, mass, Product::stiffness));
  c_ = largest_rate(s, mass, Product::damping);
  is_known_ = true;
  system_.update(given);
}

double ExplicitLimit::longest() const {
  if (omega_ == 0.0) return c_ > 0.0 ? 0.5 * kMost / c_ : INFINITY;
  const double both =
      (-c_ + std::sqrt(c_ * c_ + 4.0 * kMost * omega_ * omega_)) / (2.0 * omega_ * omega_);
  return c_ > 0.0 ? std::min(both, 0.5 * kMost / c_) : both;
}

void ExplicitLimit::require(double t, double h) const {
  if (allows(h)) return;
  const bool by_damping = h * c_ > 0.5 * kMost;
  throw base::ComputationError(fmt::format(
      "t = {:.6g} s: the step is too long: {:.3g} s is not stable with the explicit forces of `half_explicit`, whose {} has the rate {:.3g} 1/s here\n  use a `step` below {:.2g} s, or an implicit integrator such as `bathe`; fewer modes, softer springs or weaker dampers allow longer steps",
      t, h, by_damping ? "strongest damper" : "fastest vibration", by_damping ? c_ : omega_,
      longest()));
}

}  // namespace solidyn::integrators
