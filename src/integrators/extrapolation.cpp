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

void Extrapolation::extrapolate(double h, VectorXd& a, VectorXd& lambda) const {
  if (fit_ == 0) return;
  const int fit = fit_ == kNearest && !is_step(h) ? kNearest - 1 : fit_;
  if (fit == 1) {  // the line, whose round-off is that of the difference
    const double ratio = h / known_[0].age;
    a += ratio * (a - known_[0].a);
    lambda += ratio * (lambda - known_[0].lambda);
    return;
  }
  const Weights weights = weights_of(fit, h);
  a *= weights[0];
  lambda *= weights[0];
  for (int i = 1; i < kFits[fit].n_points; ++i) {
    a += weights[i] * known_[i - 1].a;
    lambda += weights[i] * known_[i - 1].lambda;
  }
}

void Extrapolation::note(double h, const VectorXd& a_before, const VectorXd& lambda_before,
                         const VectorXd& a, const VectorXd& of_differences, Most most) {
  const bool is_equal = is_step(h);
  if (most == Most::nearest && !(is_equal && n_equal_ >= kFits[kNearest].n_points - 1))
    most = Most::cubic;
  const int last = most == Most::nearest ? kNearest : most == Most::cubic ? kNearest - 1 : 1;
  double least = 0.0;
  fit_ = 0;
  for (int fit = 0; fit <= last; ++fit) {
    const int n = kFits[fit].n_points;
    if (n > n_known_ + 1) break;
    const Weights weights = weights_of(fit, h);
    guess_ = a - weights[0] * a_before;
    for (int i = 1; i < n; ++i) guess_ -= weights[i] * known_[i - 1].a;
    const double error =
        guess_.size() > 0 ? guess_.cwiseProduct(of_differences).lpNorm<Eigen::Infinity>() : 0.0;
    if (fit > 0 && !(error < least)) continue;
    least = error;
    fit_ = fit;
  }
  n_equal_ = is_equal ? n_equal_ + 1 : 1;
  std::rotate(known_.begin(), known_.end() - 1, known_.end());
  n_known_ = std::min(n_known_ + 1, static_cast<int>(known_.size()));
  known_[0].age = 0.0;
  known_[0].a = a_before;
  known_[0].lambda = lambda_before;
  for (int i = 0; i < n_known_; ++i) known_[i].age += h;
}

}  // namespace solidyn::integrators
