#include "solidyn/integrators/extrapolation.h"

#include <algorithm>
#include <cmath>

namespace solidyn::integrators {

using Eigen::VectorXd;

// By polynomials p that are orthogonal on equidistant points x: sum p_k(x_i) p_k(x) / sum p_k^2 at
// x, one beyond the last. Those with leading coefficient one follow from
//   p_k+1 = x p_k - k^2 (m^2 - k^2) / (4 (4 k^2 - 1)) p_k-1
// (Gram's; Hildebrand, Introduction to Numerical Analysis, 1974, section 7.13).
Extrapolation::Weights Extrapolation::weights_of_nearest() {
  constexpr int m = kMostPoints;
  using Values = Eigen::Array<double, m + 1, 1>;  // at the points, the last one first, and at x
  Values x;
  for (int i = 0; i < m; ++i) x[i] = 0.5 * (m - 1) - i;
  x[m] = 0.5 * (m + 1);
  Values before = Values::Zero(), p = Values::Ones();
  Weights weights{};
  for (int k = 0; k <= kFits[kNearest].order; ++k) {
    const double by = p[m] / p.head<m>().square().sum();
    for (int i = 0; i < m; ++i) weights[i] += by * p[i];
    const double factor = k * k * (m * m - k * k) / (4.0 * (4.0 * k * k - 1.0));
    const Values next = x * p - factor * before;
    before = p;
    p = next;
  }
  return weights;
}

// Lagrange's, of the start of the step and what is known before it.
Extrapolation::Weights Extrapolation::weights_of(int fit, double h) const {
  if (fit == kNearest) {
    static const Weights nearest = weights_of_nearest();
    return nearest;
  }
  const auto time = [this](int i) { return i == 0 ? 0.0 : -known_[i - 1].age; };
  Weights weights{};
  const int n = kFits[fit].n_points;
  for (int i = 0; i < n; ++i) {
    weights[i] = 1.0;
    for (int j = 0; j < n; ++j)
      if (j != i) weights[i] *= (h - time(j)) / (time(i) - time(j));
  }
  return weights;
}

// Of the length of the last one.
bool Extrapolation::is_step(double h) const {
  constexpr double kSame = 1e-9;  // steps that differ by round-off
  return n_known_ > 0 && std::abs(h - known_[0].age) <= kSame * h;
}

// x = (2 + 2 k) x_0 - (1 + 4 k + k^2) x_1 + (2 k + 2 k^2) x_2 - k^2 x_3: what follows its own guess
// is of (z - 1)^2 (z - k)^2 = 0, a line and what dies out; with k = 1 it is the cubic. Of a smooth
// function the error is (1 - k)^2 that of the line.
Extrapolation::Weights Extrapolation::weights_of_damped() {
  constexpr double k = 0.9;
  return {2.0 + 2.0 * k, -(1.0 + 4.0 * k + k * k), 2.0 * k * (1.0 + k), -k * k};
}

void Extrapolation::go_along(const Weights& weights, int n_points, VectorXd Known::*of,
                             VectorXd& x) const {
  x *= weights[0];
  for (int i = 1; i < n_points; ++i) x += weights[i] * known_[i - 1].*of;
}

// Whose round-off is that of the difference.
void Extrapolation::go_along_line(double h, VectorXd Known::*of, VectorXd& x) const {
  x += h / known_[0].age * (x - known_[0].*of);
}

void Extrapolation::extrapolate(double h, VectorXd& a, VectorXd& lambda) const {
  if (fit_ == 0) return;
  const int fit = fit_ == kNearest && !is_step(h) ? kNearest - 1 : fit_;
  if (fit == 1) {
    go_along_line(h, &Known::a, a);
    go_along_line(h, &Known::lambda, lambda);
    return;
  }
  const Weights weights = weights_of(fit, h);
  go_along(weights, kFits[fit].n_points, &Known::a, a);
  if (!is_clear_)
    go_along(weights, kFits[fit].n_points, &Known::lambda, lambda);
  else if (has_damped_ && is_step(h))
    go_along(weights_of_damped(), kPointsOfDamped, &Known::lambda, lambda);
  else
    go_along_line(h, &Known::lambda, lambda);
}

// Clearly, of multipliers at the end of the step that began with known_[0], than the line. After
// steps of one length.
bool Extrapolation::guesses_damped_better(const Ends& before, const Ends& now) const {
  constexpr double kClearly = 0.55;
  const Weights weights = weights_of_damped();
  const VectorXd line = 2.0 * before.lambda - known_[1].lambda;
  VectorXd damped = weights[0] * before.lambda;
  for (int i = 1; i < kPointsOfDamped; ++i) damped += weights[i] * known_[i].lambda;
  return (now.lambda - damped).norm() < kClearly * (now.lambda - line).norm();
}

void Extrapolation::note(double h, const Ends& before, const Ends& now,
                         const VectorXd& of_differences, Most most) {
  constexpr double kClearly = 0.3;  // of the error of the line
  const bool is_equal = is_step(h);
  if (most == Most::nearest && !(is_equal && n_equal_ >= kFits[kNearest].n_points - 1))
    most = Most::cubic;
  is_clear_ = most == Most::clearly;
  const int last = most == Most::nearest ? kNearest : kNearest - 1;
  double least = 0.0, of_line = 0.0;
  std::uint8_t clearly = 0;
  fit_ = 0;
  for (int fit = 0; fit <= last; ++fit) {
    const int n = kFits[fit].n_points;
    if (n > n_known_ + 1) break;
    const Weights weights = weights_of(fit, h);
    guess_ = now.a - weights[0] * before.a;
    for (int i = 1; i < n; ++i) guess_ -= weights[i] * known_[i - 1].a;
    const double error =
        guess_.size() > 0 ? guess_.cwiseProduct(of_differences).lpNorm<Eigen::Infinity>() : 0.0;
    if (fit == 1) of_line = error;
    if (fit > 1 && is_clear_) {
      const auto bit = static_cast<std::uint8_t>(1U << fit);
      if (!(error < kClearly * of_line)) continue;
      clearly |= bit;
      if ((clearly_ & bit) == 0) continue;
    }
    if (fit > 0 && !(error < least)) continue;
    least = error;
    fit_ = fit;
  }
  clearly_ = clearly;
  const bool is_damped_better = is_clear_ && is_equal && n_equal_ >= kPointsOfDamped &&
                                guesses_damped_better({known_[0].a, known_[0].lambda}, before);
  has_damped_ = is_damped_better && has_damped_before_;
  has_damped_before_ = is_damped_better;
  n_equal_ = is_equal ? n_equal_ + 1 : 1;
  std::rotate(known_.begin(), known_.end() - 1, known_.end());
  n_known_ = std::min(n_known_ + 1, static_cast<int>(known_.size()));
  known_[0].age = 0.0;
  known_[0].a = before.a;
  known_[0].lambda = before.lambda;
  for (int i = 0; i < n_known_; ++i) known_[i].age += h;
}

}  // namespace solidyn::integrators
