#pragma once
#include <Eigen/Dense>

#include "solvers/friction/scaling.h"

namespace solidyn::solvers::friction {

/// Nesterov's accelerated projected gradients on z -> P_K(z - t rho (u + mu |u_T| n)), with
/// restarts where the momentum leads uphill (O'Donoghue and Candes 2015) and shorter steps where
/// the error grows. Needs products with W only.
class ProjectedGradient {
 public:
  ProjectedGradient(const Problem& problem, const Eigen::VectorXd& rho);
  struct Progress {
    int products = 0;
    ContactError error;
  };
  /// From r, until the relative error is at most `tolerance`; r: the best found.
  Progress run(Eigen::VectorXd& r, int max_products, double tolerance);

 private:
  double largest_eigenvalue(int& products) const;
  /// P_K(z - step rho (u(z) + mu |u_T| n))
  void project(const Eigen::VectorXd& z, double step, Eigen::VectorXd& r);

  const Problem& problem_;
  const Eigen::VectorXd& rho_;
  Eigen::VectorXd u_;
};

}  // namespace solidyn::solvers::friction
