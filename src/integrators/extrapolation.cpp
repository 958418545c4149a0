#include "solidyn/integrators/extrapolation.h"

#include <algorithm>

namespace solidyn::integrators {

using Eigen::VectorXd;

// Lagrange's, of the start of the step and what is known before it.
Extrapolation::Weights Extrapolation::weights_of(int order, double h) const {
  const auto time = [this](int i) { return i == 0 ? 0.0 : -known_[i - 1].age; };
  Weights weights{};
  for (int i = 0; i <= order; ++i) {
    weights[i] = 1.0;
    for (int j = 0; j <= order; ++j)
      if (j != i) weights[i] *= (h - time(j)) / (time(i) - time(j));
  }
  return weights;
}

void Extrapolation::extrapolate(double h, VectorXd& a, VectorXd& lambda) const {
  if (order_ == 0) return;
  const Weights weights = weights_of(order_, h);
  a *= weights[0];
  lambda *= weights[0];
  for (int i = 1; i <= order_; ++i) {
    a += weights[i] * known_[i - 1].a;
    lambda += weights[i] * known_[i - 1].lambda;
  }
}

void Extrapolation::note(double h, const VectorXd& a_before, const VectorXd& lambda_before,
                         const VectorXd& a, const VectorXd& of_differences) {
  double least = 0.0;
  order_ = 0;
  for (int order = 0; order <= n_known_; ++order) {
    const Weights weights = weights_of(order, h);
    guess_ = a - weights[0] * a_before;
    for (int i = 1; i <= order; ++i) guess_ -= weights[i] * known_[i - 1].a;
    const double error =
        guess_.size() > 0 ? guess_.cwiseProduct(of_differences).lpNorm<Eigen::Infinity>() : 0.0;
    if (order > 0 && !(error < least)) continue;
    least = error;
    order_ = order;
  }
  std::rotate(known_.begin(), known_.end() - 1, known_.end());
  n_known_ = std::min(n_known_ + 1, kMaxOrder);
  known_[0].age = 0.0;
  known_[0].a = a_before;
  known_[0].lambda = lambda_before;
  for (int i = 0; i < n_known_; ++i) known_[i].age += h;
}

}  // namespace solidyn::integrators
