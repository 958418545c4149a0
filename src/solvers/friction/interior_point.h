#pragma once
#include <Eigen/Dense>
#include <vector>

#include "solidyn/solvers/friction/contact_operator.h"
#include "solvers/friction/newton_matrix.h"
#include "solvers/friction/scaling.h"
#include "solvers/friction/second_order_cone.h"

namespace solidyn::solvers::friction {

/// Primal-dual interior points on r in K, y = u + mu |u_T| n in K*, r.y = 0, with Mehrotra's
/// predictor and corrector in Nesterov and Todd's scaling. With SlipRule::associated the term
/// mu |u_T| is left out, and the problem is convex; with coulomb it is part of the linearisation.
/// Starts from nothing, and needs no rank of W.
class InteriorPoint {
 public:
  InteriorPoint(const Problem& problem, const ContactBlocks& W, const Eigen::VectorXd& rho,
                SlipRule rule);
  struct Progress {
    int steps = 0;
    ContactError error;  ///< of the law of `rule`
  };
  /// Until the relative error is at most `tolerance`, or steps no longer gain. r: the best found.
  Progress run(Eigen::VectorXd& r, int max_steps, double tolerance);

 private:
  using Cones = std::vector<Eigen::Vector3d>;
  void start();
  /// r, u, the residual of y = u + mu |u_T| n, and the mean of x.y.
  void evaluate();
  bool factorise();
  /// From `target_`, the right-hand sides of H dx + dy = target.
  void find_direction(Cones& dx, Cones& dy);
  void aim_at_boundary();
  void aim_at_centre(double sigma);
  double longest_step(const Cones& dx, const Cones& dy) const;
  double gap_after(double step) const;

  const Problem& problem_;
  const ContactBlocks& W_;
  const Eigen::VectorXd& rho_;
  SlipRule rule_;
  NewtonMatrix matrix_;
  Eigen::VectorXd mu_;  // 1 for a contact without friction, whose tangents are left out
  std::vector<bool> is_frictionless_;
  Cones x_, y_;  // (mu r_N, r_T) and (y_N / mu, y_T), both within L
  Cones dx_, dy_, dx_affine_, dy_affine_, target_;
  std::vector<ConeScaling> scalings_;
  Eigen::VectorXd r_, u_, residual_;
  double gap_ = 0.0;
};

}  // namespace solidyn::solvers::friction
