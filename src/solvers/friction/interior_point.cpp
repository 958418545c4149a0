#include "solvers/friction/interior_point.h"

#include <algorithm>
#include <cmath>

namespace solidyn::solvers::friction {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

InteriorPoint::InteriorPoint(const Problem& problem, const ContactBlocks& W, const VectorXd& rho,
                             SlipRule rule)
    : problem_(problem),
      W_(W),
      rho_(rho),
      rule_(rule),
      matrix_(W),
      mu_(problem.n_contacts()),
      is_frictionless_(problem.n_contacts()) {
  const std::size_t n = problem.laws.size();
  for (std::size_t i = 0; i < n; ++i) {
    const double mu = problem.laws[i].cone();
    is_frictionless_[i] = mu == 0.0;
    mu_[static_cast<Eigen::Index>(i)] = mu == 0.0 ? 1.0 : mu;
  }
  for (Cones* cones : {&x_, &y_, &dx_, &dy_, &dx_affine_, &dy_affine_, &target_})
    cones->assign(n, Vector3d::Zero());
  r_.resize(3 * mu_.size());
  residual_.resize(r_.size());
}

void InteriorPoint::start() {
  constexpr double kInside = 10.0;  // forces that would stop ten times the mean velocity
  const double n = static_cast<double>(mu_.size());
  const double velocity = problem_.q.norm() / std::sqrt(n);
  for (Eigen::Index i = 0; i < mu_.size(); ++i) {
    x_[i] << mu_[i] * rho_[i] * kInside * velocity, 0.0, 0.0;
    y_[i] << velocity / mu_[i], 0.0, 0.0;
  }
}

void InteriorPoint::evaluate() {
  gap_ = 0.0;
  for (Eigen::Index i = 0; i < mu_.size(); ++i)
    r_.segment<3>(3 * i) << x_[i][0] / mu_[i], x_[i].tail<2>();
  W_.multiply(r_, u_);
  u_ += problem_.q;
  for (Eigen::Index i = 0; i < mu_.size(); ++i) {
    const Vector3d u = u_.segment<3>(3 * i);
    const bool lifts = rule_ == SlipRule::coulomb && !is_frictionless_[i];
    const double lift = lifts ? mu_[i] * std::hypot(u[1], u[2]) : 0.0;
    residual_.segment<3>(3 * i) << u[0] + lift - mu_[i] * y_[i][0], u.tail<2>() - y_[i].tail<2>();
    if (is_frictionless_[i]) residual_.segment<2>(3 * i + 1).setZero();
    gap_ += x_[i].dot(y_[i]);
  }
  gap_ /= static_cast<double>(mu_.size());
}

bool InteriorPoint::factorise() {
  scalings_.clear();
  matrix_.begin();
  for (int i = 0; i < problem_.n_contacts(); ++i) {
    scalings_.emplace_back(x_[i], y_[i]);
    Matrix3d H = scalings_.back().hessian(), C = Matrix3d::Identity();
    H.row(0) *= mu_[i];
    H.col(0) *= mu_[i];
    const Eigen::Vector2d u_T = u_.segment<2>(3 * i + 1);
    const double slip = u_T.norm();
    if (is_frictionless_[i])
      C.diagonal() << 1.0, 0.0, 0.0;
    else if (rule_ == SlipRule::coulomb && slip > 0.0)
      C.block<1, 2>(0, 1) = mu_[i] / slip * u_T.transpose();
    matrix_.set_row(i, H, C);
  }
  return matrix_.factorise();
}

void InteriorPoint::find_direction(Cones& dx, Cones& dy) {
  VectorXd rhs = -residual_, dr;
  for (Eigen::Index i = 0; i < mu_.size(); ++i)
    rhs.segment<3>(3 * i) += Vector3d(mu_[i] * target_[i][0], target_[i][1], target_[i][2]);
  matrix_.solve(rhs, dr);
  for (Eigen::Index i = 0; i < mu_.size(); ++i) {
    dx[i] << mu_[i] * dr[3 * i], dr.segment<2>(3 * i + 1);
    dy[i] = target_[i] - scalings_[i].hessian() * dx[i];
  }
}

void InteriorPoint::aim_at_boundary() {
  for (std::size_t i = 0; i < y_.size(); ++i) target_[i] = -y_[i];
}

void InteriorPoint::aim_at_centre(double sigma) {
  for (std::size_t i = 0; i < y_.size(); ++i) {
    const Matrix3d S = scalings_[i].matrix(), inverse = scalings_[i].inverse();
    const Vector3d lambda = S * y_[i];
    Vector3d aim =
        -cone_product(lambda, lambda) - cone_product(inverse * dx_affine_[i], S * dy_affine_[i]);
    aim[0] += sigma * gap_;
    target_[i] = inverse * cone_quotient(lambda, aim);
  }
}

double InteriorPoint::longest_step(const Cones& dx, const Cones& dy) const {
  double step = HUGE_VAL;
  for (std::size_t i = 0; i < x_.size(); ++i)
    step = std::min({step, cone_step(x_[i], dx[i]), cone_step(y_[i], dy[i])});
  return step;
}

double InteriorPoint::gap_after(double step) const {
  double gap = 0.0;
  for (std::size_t i = 0; i < x_.size(); ++i)
    gap += (x_[i] + step * dx_affine_[i]).dot(y_[i] + step * dy_affine_[i]);
  return gap / static_cast<double>(x_.size());
}

InteriorPoint::Progress InteriorPoint::run(VectorXd& r, int max_steps, double tolerance) {
  constexpr double kShort = 1e-3, kBack = 0.99;
  Progress progress;
  const double goal = tolerance * problem_.q.norm();
  start();
  for (int n_short = 0; n_short < 3; ++progress.steps) {
    evaluate();
    const ContactError error = contact_error(problem_, rho_, r_, u_, rule_);
    if (progress.steps == 0 || error.velocity < progress.error.velocity) {
      progress.error = error;
      r = r_;
    }
    if (error.velocity <= goal || progress.steps == max_steps || !factorise()) return progress;
    aim_at_boundary();
    find_direction(dx_affine_, dy_affine_);
    const double affine = std::min(1.0, longest_step(dx_affine_, dy_affine_));
    const double sigma = std::pow(std::max(0.0, gap_after(affine) / gap_), 3);
    aim_at_centre(std::clamp(sigma, 1e-6, 1.0));
    find_direction(dx_, dy_);
    const double step = std::min(1.0, kBack * longest_step(dx_, dy_));
    if (!(step > 0.0)) return progress;  // NaN too: the matrix has lost its digits
    for (std::size_t i = 0; i < x_.size(); ++i) {
      x_[i] += step * dx_[i];
      y_[i] += step * dy_[i];
    }
    n_short = step < kShort ? n_short + 1 : 0;
  }
  return progress;
}

}  // namespace solidyn::solvers::friction
