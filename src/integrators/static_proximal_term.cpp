#include "integrators/static_proximal_term.h"

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/base/resource_error.h"

namespace solidyn::integrators {

using Eigen::Index;
using Eigen::VectorXd;
using system::State;

namespace {

// Of the factor.
constexpr double kHarder = 4.0, kEasier = 0.25, kSoftest = 1e-6, kHardest = 1e8, kHard = 64.0;
// Where forces are zero, of the largest stiffness.
constexpr double kWithoutForces = 1e-6;
// A correction must be downhill by this part of what the proximal term alone would be.
constexpr double kDownhill = 0.5;
constexpr double kNoMove = 1e-13;
// Whether the tangent is stiffer than the proximal term against every motion: by power iterations.
constexpr int kPowerIterations = 8;
constexpr double kStiff = 0.25;

}  // namespace

void StaticProximalTerm::begin(const State& s) {
  force_ = std::max(force_, forces_size(s));
  factor_ = 1.0;
  is_needed_ = !is_stiff(s);
  equations_.evaluate(s);
}

double StaticProximalTerm::stiffness() const {
  const double force =
      force_ > 0.0 ? force_ : kWithoutForces * equations_.length() / equations_.row_scale();
  return factor_ * force / equations_.length();
}

void StaticProximalTerm::begin_correction() {
  if (factor_ > 1.0) factor_ = std::max(1.0, kEasier * factor_);
}

bool StaticProximalTerm::harden() {
  is_needed_ = true;
  factor_ *= kHarder;
  return factor_ <= kHardest;
}

bool StaticProximalTerm::is_hard() const { return factor_ > kHard; }

void StaticProximalTerm::soften() { factor_ = std::max(kSoftest, kEasier * factor_); }

// Rotations as arcs at the mechanism's length.
VectorXd StaticProximalTerm::diagonal(double stiffness) const {
  return stiffness * equations_.length() * equations_.length() *
         equations_.weights().array().square().matrix();
}

// Loads, and what bodies carry already: forces, or torques over the mechanism's length.
double StaticProximalTerm::forces_size(const State& s) {
  State free = s.clone();
  free.lambda.setZero();
  const VectorXd rhs = equations_.evaluate(free);
  const Index n_v = system_.layout().n_velocities();
  const VectorXd r = rhs.head(n_v) / equations_.row_scale();
  double size =
      n_v > 0
          ? r.cwiseQuotient(equations_.length() * equations_.weights()).lpNorm<Eigen::Infinity>()
          : 0.0;
  double of_contacts = 0.0;
  for (int i = 0; i < points_.size(); ++i)
    of_contacts +=
        points_.read(s, i).force.norm() / (points_.is_angle(i) ? equations_.length() : 1.0);
  return std::max(size, of_contacts);
}

// Then nothing needs to be held by a proximal term.
bool StaticProximalTerm::is_stiff(const State& s) {
  const Index n_v = system_.layout().n_velocities();
  if (n_v == 0 || !(force_ > 0.0)) return false;
  try {
    equations_.factor(s, 0.0);
  } catch (const base::ResourceError&) {
    throw;
  } catch (const base::ComputationError&) {
    return false;
  }
  const VectorXd D = diagonal(stiffness()), root = D.cwiseSqrt();
  VectorXd x(n_v), rhs = VectorXd::Zero(system_.layout().n_unknowns()), all;
  for (Index i = 0; i < n_v; ++i) x[i] = std::cos(1.0 + 2.0 * static_cast<double>(i)) / root[i];
  for (int k = 0; k < kPowerIterations; ++k) {
    const double before = root.cwiseProduct(x).norm();
    rhs.head(n_v) = equations_.row_scale() * D.cwiseProduct(x);
    equations_.solve(rhs, all);
    const double work = all.head(n_v).dot(D.cwiseProduct(x));
    x = all.head(n_v);
    const double after = root.cwiseProduct(x).norm();
    if (!(after <= kStiff * before) || !(work >= 0.0)) return false;
    if (after == 0.0) break;
    x /= after;
  }
  return true;
}

// Of the tangent without the term, along the correction.
bool StaticProximalTerm::is_downhill(const Eigen::SparseMatrix<double>& W, const VectorXd& change,
                                     double stiffness, const VectorXd& rhs,
                                     const VectorXd& x) const {
  const Index n_v = system_.layout().n_velocities(), n_l = system_.layout().n_constraints();
  const VectorXd n = x.head(n_v);
  if (!(n.cwiseProduct(equations_.weights()).lpNorm<Eigen::Infinity>() > kNoMove)) return true;
  const double s = equations_.row_scale();
  // n . (K + D) n = n . (R + W dr) - (G n) . dlambda, with G n = -Phi.
  const double work = n.dot(rhs.head(n_v)) / s + (W.transpose() * n).dot(change) -
                      rhs.tail(n_l).dot(x.tail(n_l)) / s;
  return work >= kDownhill * n.dot(diagonal(stiffness).cwiseProduct(n));
}

}  // namespace solidyn::integrators
