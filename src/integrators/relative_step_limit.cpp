#include "integrators/relative_step_limit.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>

#include "integrators/relative_weights.h"
#include "solidyn/base/error.h"

namespace solidyn::integrators {

using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using system::State;

namespace {

// Of the mechanism's length (and of that per second): how far differences reach.
constexpr double kReachOfDifferences = 1e-6;
constexpr int kMaxProducts = 24, kLeastProducts = 4;
// Arnoldi's method ends where the rate changes by no more than this part, and where what a product
// adds to the others is this part of it.
constexpr double kSettledRate = 2e-3, kNothingNew = 1e-6;
// Of what a step may have: rates of less than this part are not looked at further, after the least
// number of products, from which one that is a thousand times as fast would have come out.
constexpr double kOfNoAccount = 1e-3;
// Of what grows, in a turn: less is a matter of accuracy.
constexpr double kGrowthTold = 1.15;
// Of what a step leaves of what it may have: what speeds that are extrapolated fill up. In so many
// parts of a step, so that estimates that differ by round-off, as after a restart, find the same.
constexpr double kFilled = 0.9, kParts = 64.0;
// Steps in which accelerations alternate, and what is no round-off of them.
constexpr int kTurns = 4;
constexpr double kLeastTurn = 1e-9;
// Of modes that move nothing.
constexpr double kLeastWeight = 1e-12;

void add_direction_of(const VectorXd& x, VectorXd& to) {
  const double size = x.norm();
  if (size > 0.0 && std::isfinite(size)) to += x / size;
}

// Something of all coordinates.
VectorXd broad(Eigen::Index n) {
  VectorXd x(n);
  for (Eigen::Index i = 0; i < n; ++i) x[i] = std::sin(1.0 + static_cast<double>(i));
  return x;
}

// Of the columns of V, orthonormal, from y; twice, for round-off.   @return their parts
VectorXd take_out(const Eigen::Ref<const MatrixXd>& V, VectorXd& y) {
  VectorXd parts = VectorXd::Zero(V.cols());
  for (int i = 0; i < 2; ++i) {
    const VectorXd part = V.transpose() * y;
    y -= V * part;
    parts += part;
  }
  return parts;
}

}  // namespace

RelativeStepLimit::RelativeStepLimit(recursive::Mechanism& mechanism, double length)
    : mechanism_(mechanism),
      weights_(increment_weights(mechanism.tree(), length).cwiseMax(kLeastWeight)) {}

void RelativeStepLimit::forget() {
  fastest_.resize(0);
  strongest_.resize(0);
  of_speeds_.resize(0);
  last_.resize(0);
  omega_ = c_ = longest_asked_ = 0.0;
  is_known_ = false;
  n_evaluations_ = 0;
}

bool RelativeStepLimit::alternates(const VectorXd& acceleration) {
  if (last_.size() == 0) {
    last_ = acceleration.cwiseProduct(weights_);
    change_ = bend_ = VectorXd::Zero(last_.size());
    n_turns_ = 0;
    return false;
  }
  double turn = 0.0, size = 0.0, before = 0.0, whole = 0.0;
  for (Eigen::Index i = 0; i < last_.size(); ++i) {
    const double a = acceleration[i] * weights_[i], change = a - last_[i],
                 bend = change - change_[i];
    turn += bend * bend_[i];
    size += bend * bend;
    before += bend_[i] * bend_[i];
    whole += a * a;
    last_[i] = a;
    change_[i] = change;
    bend_[i] = bend;
  }
  const bool turns = turn < 0.0 && size > before && size > kLeastTurn * kLeastTurn * whole;
  n_turns_ = turns ? n_turns_ + 1 : 0;
  if (n_turns_ < kTurns) return false;
  n_turns_ = 0;
  return true;
}

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
    ++n_evaluations_;
  }
  VectorXd y = (backward - forward) / (2.0 * by);
  for (const int i : mechanism_.tree().driven_links()) {
    const recursive::Link& k = mechanism_.tree().links()[i];
    for (int j = k.n_free; j < k.n_speeds; ++j) y[k.u + k.order[j]] = 0.0;
  }
  return y;
}

// @param[in,out] fastest  where to begin; what is fastest   @return the largest eigenvalue's size
double RelativeStepLimit::largest_rate(Product product, const VectorXd& suspect,
                                       double of_no_account, VectorXd& fastest,
                                       VectorXcd& eigenvalues) {
  eigenvalues.resize(0);
  const Eigen::Index n = weights_.size();
  const int most = static_cast<int>(std::min<Eigen::Index>(n, kMaxProducts));
  if (most == 0) return 0.0;
  VectorXd y = broad(n).normalized();
  if (suspect.size() > 0) add_direction_of(suspect.cwiseProduct(weights_), y);
  if (fastest.size() > 0) add_direction_of(fastest.cwiseProduct(weights_), y);
  MatrixXd V(n, most), H = MatrixXd::Zero(most, most);
  double rate = 0.0, size = y.norm();
  for (int i = 0; i < most; ++i) {
    V.col(i) = y / size;
    y = multiply(product, V.col(i).cwiseQuotient(weights_)).cwiseProduct(weights_);
    if (!y.allFinite()) throw base::ComputationError("the motion diverges\n  try a smaller `step`");
    H.col(i).head(i + 1) = take_out(V.leftCols(i + 1), y);
    size = y.norm();
    const Eigen::EigenSolver<MatrixXd> of_H(H.topLeftCorner(i + 1, i + 1));
    const double before = rate;
    Eigen::Index largest = 0;
    rate = of_H.eigenvalues().cwiseAbs().maxCoeff(&largest);
    const bool is_settled = i >= kLeastProducts && std::abs(rate - before) <= kSettledRate * rate;
    const bool is_slow = i + 1 >= kLeastProducts && rate <= of_no_account;
    if (i + 1 == most || is_settled || is_slow || !(size > kNothingNew * H.norm())) {
      eigenvalues = of_H.eigenvalues();
      const VectorXcd x = of_H.eigenvectors().col(largest);
      fastest = (V.leftCols(i + 1) * (x.real() + x.imag())).cwiseQuotient(weights_);
      break;
    }
    H(i + 1, i) = size;
  }
  return rate;
}

void RelativeStepLimit::estimate(const VectorXd& q, const VectorXd& u, const VectorXd& suspect,
                                 State& state, double h) {
  q_ = &q;
  u_ = &u;
  state_ = &state;
  // Parts of a step are followed by whole ones.
  longest_asked_ = std::max(longest_asked_, h);
  const double negligible = kOfNoAccount * kMost;
  VectorXcd of_stiffness;
  omega_ = std::sqrt(largest_rate(Product::stiffness, suspect,
                                  negligible / (longest_asked_ * longest_asked_), fastest_,
                                  of_stiffness));
  c_ = largest_rate(Product::damping, suspect, 0.5 * negligible / longest_asked_, strongest_,
                    of_speeds_);
  is_known_ = true;
}

double RelativeStepLimit::extrapolation(double h) const {
  const double left = kFilled * (kMost - least_size(h)), of_damper = 4.0 * h * c_;
  if (left >= 0.5 * of_damper) return 0.5;
  return std::max(0.0, std::floor(kParts * left / of_damper) / kParts);
}

RelativeStepLimit::Growth RelativeStepLimit::growth(double h) const {
  Growth fastest;
  const double theta = extrapolation(h), turn = 2.0 * std::acos(-1.0);
  for (const std::complex<double>& c : of_speeds_) {
    const double rate = std::abs(c.imag());
    if (rate <= std::abs(c.real())) continue;
    const std::complex<double> b = 0.5 * (1.0 - (1.0 + theta) * h * c),
                               root = std::sqrt(b * b + theta * h * c);
    // Beside what the motion grows by itself.
    const double by_step =
                     std::max(std::abs(b + root), std::abs(b - root)) * std::exp(h * c.real()),
                 by_turn = std::pow(by_step, turn / (h * rate));
    if (by_turn > std::max(kGrowthTold, fastest.by_turn)) fastest = {rate, by_turn};
  }
  return fastest;
}

double RelativeStepLimit::longest() const {
  if (omega_ == 0.0) return 0.5 * kMost / c_;
  return (-c_ + std::sqrt(c_ * c_ + kMost * omega_ * omega_)) / (omega_ * omega_);
}

void RelativeStepLimit::require(double t, double h) const {
  if (least_size(h) <= kMost) return;
  const bool by_damping = 2.0 * h * c_ > 0.5 * kMost;
  throw base::ComputationError(fmt::format(
      "t = {:.6g} s: the step is too long: {:.3g} s is not stable with the explicit forces of `semi_implicit_euler`, whose {} has the rate {:.3g} 1/s here\n  use a `step` below {:.2g} s, or an implicit integrator such as `generalized_alpha`; fewer modes, softer springs or weaker dampers allow longer steps",
      t, h, by_damping ? "strongest damper" : "fastest vibration", by_damping ? c_ : omega_,
      longest()));
}

}  // namespace solidyn::integrators
