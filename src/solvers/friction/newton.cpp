#include "solvers/friction/newton.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include "solvers/friction/cone.h"

namespace solidyn::solvers::friction {

namespace {

/// The first shift that is tried where Newton's own direction fails, in parts of trace W_ii.
constexpr double kFirst = 1e-6;

}  // namespace

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

ContactEquation coulomb_equation(double mu, double rho, const Vector3d& r, const Vector3d& u,
                                 double bound) {
  if (bound > 0.0 && r[0] - rho * u[0] <= 0.0) return bounded_equation(bound, rho, r, u);
  ContactEquation e;
  e.A.setZero();
  e.C.setZero();
  const Vector3d z = r - rho * u;
  if (z[0] <= 0.0) {
    e.state = ContactState::open;
    e.value = r / rho;
    e.A = Matrix3d::Identity() / rho;
    return e;
  }
  const double size = std::hypot(z[1], z[2]), limit = mu * z[0] + bound;
  if (size <= limit) {
    e.state = ContactState::stick;
    e.value = u;
    e.C.setIdentity();
    return e;
  }
  e.state = ContactState::slip;
  const Vector2d t = z.tail<2>() / size;
  e.value[0] = u[0];
  e.value.tail<2>() = (r.tail<2>() - limit * t) / rho;
  e.C(0, 0) = 1.0;
  const Matrix2d turn = limit / size * (Matrix2d::Identity() - t * t.transpose());
  e.A.block<2, 1>(1, 0) = -mu / rho * t;
  e.A.block<2, 2>(1, 1) = (Matrix2d::Identity() - turn) / rho;
  e.C.block<2, 1>(1, 0) = mu * t;
  e.C.block<2, 2>(1, 1) = turn;
  return e;
}

ContactEquation associated_equation(double mu, double rho, const Vector3d& r, const Vector3d& u) {
  ContactEquation e;
  const Vector3d z = r - rho * u;
  const double size = std::hypot(z[1], z[2]);
  Matrix3d P = Matrix3d::Zero();  // derivative of the projection
  if (mu * size <= -z[0]) {
    e.state = ContactState::open;
  } else if (size <= mu * z[0]) {
    e.state = ContactState::stick;
    P.setIdentity();
  } else {
    e.state = ContactState::slip;
    const Vector2d t = z.tail<2>() / size;
    const double normal = (z[0] + mu * size) / (1.0 + mu * mu);
    const Vector3d edge(1.0, mu * t[0], mu * t[1]);
    P = edge * edge.transpose() / (1.0 + mu * mu);
    P.block<2, 2>(1, 1) += mu * normal / size * (Matrix2d::Identity() - t * t.transpose());
  }
  e.value = (r - project_on_cone(mu, z)) / rho;
  e.A = (Matrix3d::Identity() - P) / rho;
  e.C = P;
  return e;
}

ContactEquation bounded_equation(double bound, double rho, const Vector3d& r, const Vector3d& u) {
  ContactEquation e;
  e.A.setZero();
  e.C.setZero();
  e.value[0] = r[0] / rho;
  e.A(0, 0) = 1.0 / rho;
  const Vector2d z = r.tail<2>() - rho * u.tail<2>();
  const double size = std::hypot(z[0], z[1]);
  if (size <= bound) {
    e.state = ContactState::stick;
    e.value.tail<2>() = u.tail<2>();
    e.C.block<2, 2>(1, 1).setIdentity();
    return e;
  }
  e.state = ContactState::slip;
  const Vector2d t = z / size;
  const Matrix2d turn = bound / size * (Matrix2d::Identity() - t * t.transpose());
  e.value.tail<2>() = (r.tail<2>() - bound * t) / rho;
  e.A.block<2, 2>(1, 1) = (Matrix2d::Identity() - turn) / rho;
  e.C.block<2, 2>(1, 1) = turn;
  return e;
}

NewtonMethod::NewtonMethod(const Problem& problem, const ContactBlocks& W, const VectorXd& rho,
                           SlipRule rule)
    : problem_(problem), W_(W), rho_(rho), rule_(rule), matrix_(W) {
  equations_.reserve(problem.n_contacts());
}

ContactEquation NewtonMethod::equation(int i, const VectorXd& r, const VectorXd& u) const {
  const ContactLaw& law = problem_.laws[i];
  if (law.type == ContactLaw::Type::bounded)
    return bounded_equation(largest_friction(law, r), rho_[i], r.segment<3>(3 * i),
                            u.segment<3>(3 * i));
  if (rule_ == SlipRule::associated)
    return associated_equation(law.cone(), rho_[i], r.segment<3>(3 * i), u.segment<3>(3 * i));
  return coulomb_equation(law.cone(), rho_[i], r.segment<3>(3 * i), u.segment<3>(3 * i), law.bound);
}

/// d value of a bounded contact by the force of its partner.
Matrix3d NewtonMethod::by_partner(int i, const VectorXd& r, const VectorXd& u) const {
  Matrix3d d = Matrix3d::Zero();
  const Vector2d z = r.segment<2>(3 * i + 1) - rho_[i] * u.segment<2>(3 * i + 1);
  const double size = z.norm();
  if (size > 0.0) d.block<2, 1>(1, 0) = -problem_.laws[i].mu / (rho_[i] * size) * z;
  return d;
}

double NewtonMethod::residual(const VectorXd& r, VectorXd& u) const {
  W_.multiply(r, u);
  u += problem_.q;
  double sum = 0.0;
  for (int i = 0; i < problem_.n_contacts(); ++i) sum += equation(i, r, u).value.squaredNorm();
  return std::sqrt(sum);
}

bool NewtonMethod::find_direction(const VectorXd& r, const VectorXd& u, double shift,
                                  VectorXd& dr) {
  const int n = problem_.n_contacts();
  equations_.clear();
  matrix_.begin();
  dr.setZero(3 * n);
  for (int i = 0; i < n; ++i) {
    equations_.push_back(equation(i, r, u));
    const ContactEquation& e = equations_.back();
    if (e.state == ContactState::open)
      dr.segment<3>(3 * i) = -r.segment<3>(3 * i);
    else
      matrix_.set_row(i, e.A + shift / rho_[i] * e.C, e.C);
    const int partner = problem_.laws[i].partner;
    if (partner >= 0 && e.state == ContactState::slip && r[3 * partner] >= 0.0)
      matrix_.couple(i, partner, by_partner(i, r, u));
  }
  VectorXd u_of_open, rhs(3 * matrix_.n_rows()), x;
  W_.multiply(dr, u_of_open);
  for (int a = 0; a < matrix_.n_rows(); ++a) {
    const int i = matrix_.contact(a);
    rhs.segment<3>(3 * a) = -equations_[i].value - equations_[i].C * u_of_open.segment<3>(3 * i);
  }
  for (const NewtonMatrix::Coupling& c : matrix_.to_open())
    rhs.segment<3>(3 * c.row) -= c.value * dr.segment<3>(3 * c.contact);
  if (!matrix_.factorise()) return false;
  matrix_.solve(rhs, x);
  for (int a = 0; a < matrix_.n_rows(); ++a)
    dr.segment<3>(3 * matrix_.contact(a)) = x.segment<3>(3 * a);
  return dr.allFinite();
}

bool NewtonMethod::search(const VectorXd& dr, double limit, Iterate& at, double& step) const {
  constexpr double kShortest = 1.0 / 64.0, kEnough = 1e-4;
  Iterate trial;
  for (step = 1.0; step >= kShortest; step *= 0.5) {
    trial.r = at.r + step * dr;
    trial.merit = residual(trial.r, trial.u);
    if (trial.merit < (1.0 - kEnough * step) * limit) {
      at = std::move(trial);
      return true;
    }
  }
  return false;
}

NewtonMethod::Progress NewtonMethod::run(VectorXd& r, int max_steps, double tolerance,
                                         int patience) {
  constexpr double kLeast = 1e-10, kMost = 1.0, kGain = 0.5;
  constexpr std::size_t kMemory = 4;
  Progress progress;
  Iterate now;
  now.r = r;
  now.merit = residual(now.r, now.u);
  Eigen::VectorXd dr;
  std::deque<double> merits{now.merit};
  const double goal = tolerance * problem_.q.norm();
  progress.error = contact_error(problem_, rho_, now.r, now.u, rule_);
  double shift = kLeast, last_gain = progress.error.velocity;
  int idle = 0;
  while (progress.error.velocity > goal && progress.steps < max_steps) {
    ++progress.steps;
    double step = 0.0;
    const double limit = *std::max_element(merits.begin(), merits.end());
    const bool gains = find_direction(now.r, now.u, shift, dr) && search(dr, limit, now, step);
    if (!gains) {
      if (shift >= kMost) {
        progress.is_stuck = true;
        return progress;
      }
      shift = std::max(kFirst, 10.0 * shift);
      continue;
    }
    shift = step == 1.0 ? std::max(kLeast, 0.1 * shift) : shift;
    merits.push_back(now.merit);
    if (merits.size() > kMemory) merits.pop_front();
    const ContactError error = contact_error(problem_, rho_, now.r, now.u, rule_);
    if (error.velocity < progress.error.velocity) r = now.r;
    if (error.velocity < progress.error.velocity) progress.error = error;
    idle = progress.error.velocity < kGain * last_gain ? 0 : idle + 1;
    if (idle == 0) last_gain = progress.error.velocity;
    if (patience > 0 && idle >= patience) {
      progress.is_idle = true;
      return progress;
    }
  }
  return progress;
}

}  // namespace solidyn::solvers::friction
