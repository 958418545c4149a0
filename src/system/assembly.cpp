#include "assembly.h"

#include <algorithm>

#include "solidyn/system/scales.h"
#include "violation.h"

namespace solidyn::system {
namespace {

using Eigen::VectorXd;

// Steps are short, and a coupling may ask for many turns.
constexpr int kMaxIterations = 1000;
// Below the singular values of rows that count as independent; the first one that helps where the
// undamped step fails; and one that leaves nothing of a step.
constexpr double kLeastDamping = 1e-9, kFirstDamping = 1e-2, kMostDamping = 1e3;
constexpr double kHarder = 4.0, kEasier = 1e-2;
// rad, or lengths of the mechanism.
constexpr double kLongestStep = 0.6;
// Of one row, likewise: the others keep what they have while a far one is brought near.
constexpr double kFarthestRow = 0.4;
// Of the decrease that the linearisation promises: with less the step is not taken, ...
constexpr double kLeastGain = 1e-3;
// ... and with more the next one is damped less.
constexpr double kGoodGain = 0.5;
// In so many parts the way of drives is gone where they are too far away.
constexpr int kParts[] = {8, 64};
// Steps that change the violation by less than this fraction of what they aim at lead nowhere.
constexpr double kNoProgress = 1e-3;

}  // namespace

Assembly::Assembly(System& system, State& state, double tolerance, Nodes nodes, Drives drives)
    : system_(system),
      state_(state),
      before_(state.clone()),
      tolerance_(std::max(tolerance, position_roundoff(state))),
      damping_(kLeastDamping),
      drives_(drives),
      nodes_(system.layout().nodal_bodies().empty() ? Nodes::move_along : nodes) {
  system_.update(state_);
  length_ = characteristic_length(system_);
  weights_ = increment_weights(system_, length_);
}

void Assembly::evaluate() {
  system_.update(state_);
  system_.compute_constraints(state_, phi_);
  for (Eigen::Index i = 0; i < phi_.size(); ++i)
    if (system_.layout().is_velocity_level()[i]) phi_[i] = 0.0;
  if (drives_ == Drives::let_go) let_drives_go(system_, phi_);
  if (postponed_.size() > 0) phi_ -= postponed_;
}

VectorXd Assembly::drives_part(const VectorXd& rows) const {
  VectorXd part = rows;
  let_drives_go(system_, part);
  return rows - part;
}

bool Assembly::is_assembled() const {
  return phi_.size() == 0 || phi_.lpNorm<Eigen::Infinity>() <= tolerance_;
}

// @return whether the mechanism is closer to being assembled; else it is where it was
bool Assembly::take_step(Mobility::Flexible flexible) {
  before_.copy_from(state_);
  scales_ = row_scales(system_, weights_);
  if (drives_ == Drives::let_go) let_drives_go(system_, scales_);
  const Mobility mobility(system_, state_, length_, flexible);
  const SparseMatrix B = scales_.asDiagonal() * (system_.sparse_G() * mobility.directions());
  const double size = scales_.cwiseProduct(phi_).norm();
  const VectorXd target =
      -scales_.cwiseProduct(phi_).cwiseMax(-kFarthestRow).cwiseMin(kFarthestRow);
  while (!try_step(mobility, B, target)) {
    if (damping_ >= kMostDamping || !target.allFinite()) return false;
    damping_ = std::max(kFirstDamping, kHarder * damping_);
  }
  return scales_.cwiseProduct(phi_).norm() < size - kNoProgress * target.norm();
}

bool Assembly::try_step(const Mobility& mobility, const SparseMatrix& B, const VectorXd& target) {
  VectorXd step = damped_solution(B, target, damping_);
  const double size = step.lpNorm<Eigen::Infinity>();
  if (!(size <= kLongestStep)) {
    // Damped, a screw of small pitch would hardly turn; its own direction leads far.
    if (postponed_.size() == 0 || damping_ > kLeastDamping || !step.allFinite()) return false;
    step *= kLongestStep / size;
  }
  const double before = scales_.cwiseProduct(phi_).squaredNorm();
  mobility.move(system_, state_, step);
  evaluate();
  const double promised = target.squaredNorm() - (B * step - target).squaredNorm();
  const double gained = before - scales_.cwiseProduct(phi_).squaredNorm();
  if (gained >= kLeastGain * promised) {
    if (gained >= kGoodGain * promised) damping_ = std::max(kLeastDamping, kEasier * damping_);
    state_.angles = system_.angles().values(system_.kinematics());
    return true;
  }
  state_.copy_from(before_);
  evaluate();
  return false;
}

bool Assembly::may_deform() const {
  if (nodes_ == Nodes::stay_behind) return true;
  if (drives_ == Drives::let_go) return false;
  bool has_elastic = false;
  for (const BodyIndex b : system_.bodies()) has_elastic |= system_.body(b).n_elastic() > 0;
  return has_elastic && system_.layout().nodal_bodies().empty();
}

VectorXd Assembly::run() {
  evaluate();
  for (const auto flexible : {Mobility::Flexible::stay, Mobility::Flexible::deform}) {
    if (flexible == Mobility::Flexible::deform && !may_deform()) break;
    if (flexible == Mobility::Flexible::stay && nodes_ == Nodes::stay_behind) continue;
    damping_ = kLeastDamping;
    for (int i = 0; i < kMaxIterations && !is_assembled(); ++i)
      if (!take_step(flexible)) break;
  }
  return phi_;
}

// @return whether all parts were reached
bool Assembly::run_in_parts(const State& start, int n_parts) {
  state_.copy_from(start);
  postponed_.resize(0);
  evaluate();
  const VectorXd way = drives_part(phi_);
  if (way.size() == 0 || !(way.lpNorm<Eigen::Infinity>() > tolerance_)) return false;
  for (int i = 1; i <= n_parts; ++i) {
    postponed_ = way * (1.0 - static_cast<double>(i) / n_parts);
    run();
    if (!is_assembled()) return false;
  }
  return true;
}

VectorXd Assembly::run_along_drives() {
  const State start = state_.clone();
  VectorXd left = run();
  if (is_assembled() || drives_ == Drives::let_go || !system_.layout().nodal_bodies().empty())
    return left;
  State nearest = state_.clone();
  for (int n_parts : kParts)
    if (run_in_parts(start, n_parts)) return phi_;
  postponed_.resize(0);
  state_.copy_from(nearest);
  evaluate();
  return left;
}

}  // namespace solidyn::system
