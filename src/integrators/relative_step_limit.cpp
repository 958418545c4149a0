#include "integrators/relative_step_limit.h"

#include <fmt/format.h>

#include <cmath>

#include "integrators/relative_weights.h"
#include "solidyn/base/error.h"

namespace solidyn::integrators {

using Eigen::VectorXd;

namespace {

// Of the mechanism's length (and of that per second): how far differences reach.
constexpr double kReachOfDifferences = 1e-6;
constexpr int kMaxProducts = 60;
// Power iterations end where the rate changes by no more than this part.
constexpr double kSettledRate = 2e-3;
// Of what a step may have: rates of less than this part are not looked at further, after so many
// products from which one that is a thousand times as fast would have come out.
constexpr double kOfNoAccount = 1e-3;
constexpr int kProductsOfSlow = 4;

}  // namespace

RelativeStepLimit::RelativeStepLimit(recursive::Mechanism& mechanism, double length)
    : mechanism_(mechanism), weights_(increment_weights(mechanism.tree(), length)) {}

double RelativeStepLimit::size_of(const VectorXd& increment) const {
  return increment.size() > 0 ? increment.cwiseProduct(weights_).lpNorm<Eigen::Infinity>() : 0.0;
}

// -d(du/dt) along x.
VectorXd RelativeStepLimit::multiply(Product product, const VectorXd& x) {
  const double by = kReachOfDifferences / x.cwiseProduct(weights_).lpNorm<Eigen::Infinity>();
  VectorXd forward, backward;
  for (const double sign : {1.0, -1.0}) {
    VectorXd q = *q_, u = *u_;
    if (product == Product::stiffness)
      mechanism_.tree().advance(sign * by * x, q);
    else
      u += sign * by * x;
    mechanism_.compute_accelerations(q, u, *state_, sign > 0.0 ? forward : backward);
  }
  VectorXd y = (backward - forward) / (2.0 * by);
  for (const int i : mechanism_.tree().driven_links()) {
    const recursive::Link& k = mechanism_.tree().links()[i];
    for (int j = k.n_free; j < k.n_speeds; ++j) y[k.u + k.order[j]] = 0.0;
  }
  return y;
}

// @param x  where to begin; what is fastest   @return the largest eigenvalue's size
double RelativeStepLimit::largest_rate(Product product, VectorXd& x, double of_no_account) {
  if (x.size() == 0) {
    x.resize(weights_.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = std::sin(1.0 + i) / weights_[i];
  }
  double rate = 0.0, logarithms = 0.0;
  for (int i = 0; i < kMaxProducts; ++i) {
    const double size = x.cwiseProduct(weights_).norm();
    if (!(size > 0.0)) return rate;
    VectorXd y = multiply(product, x / size);
    const double before = rate;
    rate = y.cwiseProduct(weights_).norm();
    if (!std::isfinite(rate))
      throw base::ComputationError("the motion diverges\n  try a smaller `step`");
    if (!(rate > 0.0)) return 0.0;
    x = std::move(y);
    if (i > 2 && std::abs(rate - before) <= kSettledRate * rate) return rate;
    if (i >= kProductsOfSlow && rate <= of_no_account) return rate;
    if (2 * i >= kMaxProducts) logarithms += std::log(rate);
  }
  // Pairs of complex ones, as of gyroscopes, never settle: their mean does.
  return std::exp(logarithms / (kMaxProducts / 2));
}

void RelativeStepLimit::estimate(const VectorXd& q, const VectorXd& u, system::State& state,
                                 double h) {
  q_ = &q;
  u_ = &u;
  state_ = &state;
  const double negligible = kOfNoAccount * kMost;
  omega_ = std::sqrt(largest_rate(Product::stiffness, fastest_, negligible / (h * h)));
  c_ = largest_rate(Product::damping, strongest_, 0.5 * negligible / h);
  is_known_ = true;
}

double RelativeStepLimit::longest() const {
  if (omega_ == 0.0) return 0.5 * kMost / c_;
  return (-c_ + std::sqrt(c_ * c_ + kMost * omega_ * omega_)) / (omega_ * omega_);
}

void RelativeStepLimit::require(double t, double h) const {
  if (size(h) <= kMost) return;
  const bool by_damping = 2.0 * h * c_ > 0.5 * kMost;
  throw base::ComputationError(fmt::format(
      "t = {:.6g} s: the step is too long: {:.3g} s is not stable with the explicit forces of `semi_implicit_euler`, whose {} has the rate {:.3g} 1/s here\n  use a `step` below {:.2g} s, or an implicit integrator such as `generalized_alpha`; fewer modes, softer springs or weaker dampers allow longer steps",
      t, h, by_damping ? "strongest damper" : "fastest vibration", by_damping ? c_ : omega_,
      longest()));
}

}  // namespace solidyn::integrators
