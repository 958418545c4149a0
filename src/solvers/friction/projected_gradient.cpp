#include "solvers/friction/projected_gradient.h"

#include <algorithm>
#include <cmath>

#include "solvers/friction/cone.h"

namespace solidyn::solvers::friction {

using Eigen::Vector3d;
using Eigen::VectorXd;

ProjectedGradient::ProjectedGradient(const Problem& problem, const VectorXd& rho)
    : problem_(problem), rho_(rho) {}

/// Of diag(rho) W, by the power method from a vector without symmetry.
double ProjectedGradient::largest_eigenvalue(int& products) const {
  constexpr int kProducts = 20;
  VectorXd x(problem_.q.size()), Wx;
  for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = 1.0 + 0.5 * std::sin(1.7 * double(i + 1));
  double value = 0.0;
  for (int k = 0; k < kProducts; ++k, ++products) {
    problem_.W->multiply(x, Wx);
    for (Eigen::Index i = 0; i < rho_.size(); ++i) Wx.segment<3>(3 * i) *= rho_[i];
    value = Wx.norm() / x.norm();
    if (!(value > 0.0)) return 1.0;  // W = 0
    x = Wx / Wx.norm();
  }
  return value;
}

void ProjectedGradient::project(const VectorXd& z, double step, VectorXd& r) {
  problem_.W->multiply(z, u_);
  u_ += problem_.q;
  for (int i = 0; i < problem_.n_contacts(); ++i) {
    const double mu = problem_.laws[i].cone();
    const Vector3d gradient = lifted_velocity(mu, u_.segment<3>(3 * i));
    r.segment<3>(3 * i) =
        nearest_force(problem_.laws[i], r, z.segment<3>(3 * i) - step * rho_[i] * gradient);
  }
}

ProjectedGradient::Progress ProjectedGradient::run(VectorXd& best, int max_products,
                                                   double tolerance) {
  constexpr int kCheckEvery = 10;
  constexpr double kMargin = 1.1, kGrown = 10.0;
  Progress progress;
  const double goal = tolerance * problem_.q.norm();
  double step = 1.0 / (kMargin * largest_eigenvalue(progress.products));
  VectorXd r = best, z = r, next = r, u;
  const auto error_of = [&](const VectorXd& forces) {
    problem_.W->multiply(forces, u);
    u += problem_.q;
    ++progress.products;
    return contact_error(problem_, rho_, forces, u);
  };
  progress.error = error_of(best);
  // Momentum makes errors that come and go, above all from a start that is good already: what has
  // become larger than without forces diverges.
  const double limit = kGrown * std::max(problem_.q.norm(), progress.error.velocity);
  double momentum = 1.0;
  for (int k = 1; progress.error.velocity > goal && progress.products < max_products; ++k) {
    project(z, step, next);
    ++progress.products;
    double uphill = 0.0;
    for (Eigen::Index i = 0; i < rho_.size(); ++i)
      uphill += (z - next).segment<3>(3 * i).dot((next - r).segment<3>(3 * i)) / rho_[i];
    if (uphill > 0.0) momentum = 1.0;
    const double grown = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
    z = next + (momentum - 1.0) / grown * (next - r);
    momentum = grown;
    std::swap(r, next);
    if (k % kCheckEvery != 0) continue;
    const ContactError error = error_of(r);
    if (error.velocity < progress.error.velocity) {
      progress.error = error;
      best = r;
    } else if (!(error.velocity < limit)) {
      step *= 0.5;
      r = z = best;
      momentum = 1.0;
    }
  }
  return progress;
}

}  // namespace solidyn::solvers::friction
