#include "solidyn/analyses/steady_running.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "carried_tangent.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/element_body.h"
#include "solidyn/bodies/superelement.h"
#include "solidyn/math/dense.h"
#include "solidyn/math/rotation.h"
#include "solidyn/system/linearisation.h"
#include "solidyn/system/scales.h"
#include "solidyn/system/velocity_violation.h"

namespace solidyn::analyses {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using forces::RunningMotion;
using forces::RunsOnTrack;
using system::State;
using system::System;

constexpr int kMostCorrections = 60;
// Corrections relative to the mechanism; below the second one, growing again is round-off.
constexpr double kRunsSteadily = 1e-12, kRunningNoise = 1e-9;
constexpr int kMostHalvings = 10;
constexpr double kFreeWhenRunning = 1e-12;  // directions without stiffness or constraint
// Of the speed: the same motion as seen from two wheelsets, and what constraints allow.
constexpr double kSameMotion = 1e-6, kAllowed = 1e-6;
constexpr double kUniform = 1e-9;     // rad/m^2
constexpr double kOffTheAxle = 1e-6;  // m

// The unknowns are positions and multipliers, then the wheelsets' speeds about their axles, in
// place of their angles, and the traction, in place of the vehicle's place along the track.
class Running {
 public:
  Running(System& system, const forces::Wheelsets& wheelsets, const State& start, double speed)
      : system_(system),
        wheelsets_(wheelsets),
        speed_(speed),
        n_v_(system.layout().n_velocities()),
        n_l_(system.layout().n_constraints()),
        n_w_(static_cast<Eigen::Index>(wheelsets_.size())) {
    now_.state = start.clone();
    now_.spins.resize(n_w_);
    system_.update(now_.state);
    for (Eigen::Index k = 0; k < n_w_; ++k) now_.spins[k] = motion_of(k).spin;
    length_ = characteristic_length(system_);
    weights_ = increment_weights(system_, length_);
    find_vehicle();
  }

  SteadyRunning find() {
    evaluate(now_);
    find_what_keeps_the_speed();
    VectorXd x = correction(true);
    for (int i = 0; i < kMostCorrections; ++i) {
      const double size = size_of(x);
      if (!std::isfinite(size)) break;
      double next = 0.0;
      const VectorXd following = take(x, size, next);
      const bool is_noise = size <= kRunningNoise && next > 0.5 * size;
      if (next <= kRunsSteadily || is_noise) return finish(i + 1);
      last_ = next;
      x = following.size() > 0 ? correction(true) : following;
      if (x.size() == 0) break;
    }
    throw base::ComputationError(fmt::format(
        "no steady running with {:.6g} m/s was found (last correction {:.3g} of the characteristic length)\n  let `dynamics` run from a straight track into the curve, or draw the vehicle nearer to how it runs there",
        speed_, last_));
  }

 private:
  // What hangs together with the wheelsets; rails that move, and what stands beside the track,
  // rest.
  void find_vehicle() {
    std::vector<std::vector<bodies::BodyIndex>> groups;
    for (const auto c : system_.constraints()) groups.push_back(system_.constraint(c).bodies());
    for (const auto f : system_.forces()) {
      const forces::Force* force = &system_.force(f);
      if (std::none_of(wheelsets_.begin(), wheelsets_.end(),
                       [force](const RunsOnTrack* w) { return &w->force() == force; }))
        groups.push_back(force->bodies());
    }
    // Bodies that share nodes, as Connectivity has them.
    const system::Connectivity& shared = system_.connectivity();
    for (std::size_t k = 0; k < shared.superelements().size(); ++k) {
      groups.push_back(shared.superelements()[k]->carriers());
      groups.back().push_back(shared.body_of_superelement(static_cast<int>(k)));
    }
    for (std::size_t k = 0; k < shared.element_bodies().size(); ++k) {
      groups.push_back(shared.element_bodies()[k]->nodes());
      groups.back().push_back(shared.body_of_elements(static_cast<int>(k)));
    }
    for (const RunsOnTrack* w : wheelsets_) vehicle_.insert(w->wheelset());
    const auto runs = [this](bodies::BodyIndex b) { return vehicle_.count(b) > 0; };
    for (std::size_t before = 0; before != vehicle_.size();) {
      before = vehicle_.size();
      for (const auto& group : groups)
        if (std::any_of(group.begin(), group.end(), runs))
          for (const bodies::BodyIndex b : group)
            if (b != bodies::kGround) vehicle_.insert(b);
    }
  }
  bool is_of_vehicle(bodies::BodyIndex b) const {
    return system_.body(b).n_rigid() > 0 && vehicle_.count(b) > 0;
  }

  struct Iterate {
    State state;
    VectorXd spins;  // rad/s
    double traction = 0.0;
  };

  RunningMotion motion_of(Eigen::Index k) const {
    return wheelsets_[k]->running_motion(system_.kinematics(), speed_);
  }

  // The one motion of the whole vehicle. @pre System::update()
  RunningMotion common_motion() const {
    RunningMotion first = motion_of(0);
    const double extent = length_ + first.p.norm();
    for (Eigen::Index k = 0; k < n_w_; ++k) {
      const RunningMotion motion = motion_of(k);
      const double differs =
          (motion.v + motion.w.cross(first.p) - first.v - first.w.cross(first.p)).norm() +
          extent * (motion.w - first.w).norm();
      if (motion.change > kUniform || differs > kSameMotion * std::abs(speed_))
        throw base::ComputationError(fmt::format(
            "{}: the track changes along the vehicle, whose steady running is asked for\n  place all wheelsets on the same straight, arc or slope, away from its ends by half of the track's `blend`",
            wheelsets_[k]->force().name()));
    }
    return first;
  }

  int velocity_of(Eigen::Index k) const {
    return system_.layout().velocity_offset(wheelsets_[k]->wheelset());
  }

  // Velocities and accelerations of running. A wheelset's body lies on its axle.
  void set_rates(Iterate& at) {
    State& s = at.state;
    system_.update(s);
    const RunningMotion m = common_motion();
    s.v.setZero();
    s.a.setZero();
    for (const bodies::BodyIndex b : system_.bodies()) {
      if (!is_of_vehicle(b)) continue;
      const int v = system_.layout().velocity_offset(b),
                q = system_.layout().configuration_offset(b);
      const Matrix3d R = system_.kinematics().bodies[b].R_WB;
      s.v.segment<3>(v) = m.v + m.w.cross(Vector3d(s.q.segment<3>(q)));
      s.v.segment<3>(v + 3) = R.transpose() * m.w;
      s.a.segment<3>(v) = m.w.cross(Vector3d(s.v.segment<3>(v)));
    }
    along_ = s.v / speed_;
    w_ = m.w;
    for (Eigen::Index k = 0; k < n_w_; ++k) {
      const RunningMotion own = motion_of(k);
      const int v = velocity_of(k),
                q = system_.layout().configuration_offset(wheelsets_[k]->wheelset());
      const Matrix3d R = system_.kinematics().bodies[wheelsets_[k]->wheelset()].R_WB;
      const Vector3d arm = Vector3d(s.q.segment<3>(q)) - own.p;
      if (own.axle.cross(arm).norm() > kOffTheAxle && own.spin != 0.0)
        throw base::ComputationError(fmt::format(
            "{}: the origin of the body is {:.3g} m off the axle that it turns about\n  give the wheelset its mass centre on the axle, or let it roll (spin: rolling)",
            wheelsets_[k]->force().name(), own.axle.cross(arm).norm()));
      s.v.segment<3>(v + 3) += at.spins[k] * (R.transpose() * own.axle);
      s.a.segment<3>(v + 3) += at.spins[k] * (R.transpose() * m.w.cross(own.axle));
    }
  }

  // About the axle of wheelset k.
  VectorXd turn(Eigen::Index k) const {
    VectorXd t = VectorXd::Zero(n_v_);
    t.segment<3>(velocity_of(k) + 3) =
        system_.kinematics().bodies[wheelsets_[k]->wheelset()].R_WB.transpose() * motion_of(k).axle;
    return t;
  }

  void evaluate(Iterate& at) {
    set_rates(at);
    system_.update(at.state);
    system_.compute_residual(at.state, r_, phi_);
    for (int k = 0; k < phi_.size(); ++k)
      if (system_.layout().is_velocity_level()[k]) phi_[k] = 0.0;
    if (push_.size() == 0) {  // of positions that hardly change
      VectorXd still;
      const State& s = at.state;
      State faster = s.clone();
      faster.a += along_;
      system_.update(faster);
      VectorXd phi;
      system_.compute_residual(faster, still, phi);
      push_ = still - r_;
      system_.update(s);
      system_.compute_residual(s, r_, phi);
    }
    r_ -= at.traction * push_;
  }

  // A drive of the model, or what holds a body to the ground.
  void find_what_keeps_the_speed() {
    VectorXd rates;
    system_.multiply_G(along_, rates);
    is_driven_ = rates.size() > 0 && rates.lpNorm<Eigen::Infinity>() > kAllowed;
  }

  // Of the residual where velocities and accelerations go with the positions.
  void linearise() {
    evaluate(now_);
    const auto [tangent, D] = carried_tangent(
        system_, now_.state, w_, [this](bodies::BodyIndex b) { return is_of_vehicle(b); });
    const int n = n_v_ + n_l_ + static_cast<int>(n_w_) + 1;
    MatrixXd J = MatrixXd::Zero(n, n);
    J.topLeftCorner(n_v_ + n_l_, n_v_ + n_l_) = tangent;
    for (Eigen::Index k = 0; k < n_w_; ++k) {
      const VectorXd t = turn(k);
      const Eigen::Index at = n_v_ + n_l_ + k;
      J.block(0, at, n_v_, 1) = D.topLeftCorner(n_v_, n_v_) * t;
      J.block(at, 0, 1, n_v_) = t.transpose();
    }
    if (is_driven_) {
      J(n - 1, n - 1) = 1.0;
    } else {
      J.block(0, n - 1, n_v_, 1) = -push_;
      J.block(n - 1, 0, 1, n_v_) = push_.transpose() / push_.dot(along_);
    }
    scale(J);
  }

  // Forces are measured by the stiffness, spins and traction by what they do.
  void scale(MatrixXd& J) {
    columns_.resize(J.cols());
    rows_.resize(J.rows());
    columns_.head(n_v_) = weights_.cwiseInverse();
    const VectorXd head = columns_.head(n_v_);
    const double largest =
        (head.asDiagonal() * J.topLeftCorner(n_v_, n_v_) * head.asDiagonal()).cwiseAbs().maxCoeff();
    rows_.head(n_v_) = head / largest;
    columns_.segment(n_v_, n_l_).setConstant(largest / length_);
    rows_.segment(n_v_, n_l_).setConstant(1.0 / length_);
    for (Eigen::Index c = n_v_ + n_l_; c < J.cols(); ++c) {
      const double size =
          (rows_.head(n_v_).asDiagonal() * J.block(0, c, n_v_, 1)).cwiseAbs().maxCoeff();
      columns_[c] = size > 0.0 ? 1.0 / size : 1.0;
      rows_[c] = c == J.cols() - 1 && is_driven_ ? 1.0 / columns_[c] : 1.0 / length_;
    }
    factor_ = std::make_unique<math::LeastSquares>(rows_.asDiagonal() * J * columns_.asDiagonal(),
                                                   kFreeWhenRunning);
  }

  // At the iterate that evaluate() has seen last.
  VectorXd correction(bool with_new_tangent) {
    if (with_new_tangent) linearise();
    VectorXd rhs = VectorXd::Zero(columns_.size());
    rhs.head(n_v_) = -r_;
    rhs.segment(n_v_, n_l_) = -phi_;
    return columns_.cwiseProduct(factor_->solve(VectorXd(rows_.cwiseProduct(rhs))));
  }

  double size_of(const VectorXd& x) const {
    const VectorXd scaled = x.head(n_v_).cwiseProduct(weights_);
    const VectorXd spins = x.segment(n_v_ + n_l_, n_w_);
    return std::max(scaled.lpNorm<Eigen::Infinity>(),
                    spins.lpNorm<Eigen::Infinity>() / std::abs(speed_));
  }

  // A part of the correction after which the next one with the same tangent is shorter. Empty where
  // there is none.
  VectorXd take(const VectorXd& x, double size, double& next) {
    double part = 1.0;
    for (int i = 0; i <= kMostHalvings; ++i, part *= 0.5) {
      Iterate tried{now_.state.clone(), now_.spins + part * x.segment(n_v_ + n_l_, n_w_),
                    now_.traction + part * x[x.size() - 1]};
      system_.advance(now_.state.q, part * x.head(n_v_), tried.state.q);
      tried.state.lambda += part * x.segment(n_v_, n_l_);
      try {
        evaluate(tried);
      } catch (const base::ComputationError&) {
        continue;  // a wheel has left its rail
      }
      VectorXd following = correction(false);
      next = size_of(following);
      if (!(next <= (1.0 - 0.25 * part) * size) && size > kRunningNoise) continue;
      now_ = std::move(tried);
      return following;
    }
    next = size;
    return {};
  }

  SteadyRunning finish(int iterations) {
    set_rates(now_);
    system_.update(now_.state);
    system_.accept(now_.state);
    system_.compute_residual(now_.state, r_, phi_);
    refuse_what_does_not_run();
    return {std::move(now_.state), now_.traction * push_.dot(along_), iterations};
  }

  void refuse_what_does_not_run() {
    for (const RunsOnTrack* w : wheelsets_)
      if (w->unloaded_wheels(system_.kinematics()) == "left and right")
        throw base::ComputationError(fmt::format(
            "no steady running with {:.6g} m/s was found: both wheels of `{}` are off their rails\n  hold the wheelset across the track by springs, or draw it nearer to the middle",
            speed_, w->force().name()));
    const VectorXd violation = system::velocity_violation(system_, now_.state);
    for (int row = 0; row < violation.size(); ++row)
      if (std::abs(violation[row]) > kAllowed * std::abs(speed_))
        throw base::ComputationError(fmt::format(
            "{} does not allow the vehicle to run with {:.6g} m/s: the error of its rate is {:.3g}\n  connect nothing that runs to the ground, give drives along the track the same speed, and let wheelsets roll (spin: rolling) where parts are fixed to them",
            system_.layout().multiplier_name(row), speed_, violation[row]));
  }

  System& system_;
  const forces::Wheelsets& wheelsets_;
  double speed_;
  int n_v_, n_l_;
  Eigen::Index n_w_;
  std::set<bodies::BodyIndex> vehicle_;
  Iterate now_;
  double length_ = 1.0, last_ = 0.0;
  bool is_driven_ = false;
  VectorXd weights_, r_, phi_;
  VectorXd along_;  // velocities of all for 1 m/s along the track, without spins
  VectorXd push_;   // M along_
  Vector3d w_ = Vector3d::Zero();
  VectorXd columns_, rows_;
  std::unique_ptr<math::LeastSquares> factor_;
};

}  // namespace

std::string describe_unloaded_wheels(const System& system, const forces::Wheelsets& wheelsets) {
  std::string text;
  for (const RunsOnTrack* w : wheelsets)
    if (const std::string which = w->unloaded_wheels(system.kinematics()); !which.empty())
      text +=
          fmt::format("{}the {} wheel of `{}`", text.empty() ? "" : ", ", which, w->force().name());
  return text;
}

SteadyRunning run_steadily(System& system, const forces::Wheelsets& wheelsets, const State& start,
                           double speed) {
  return Running(system, wheelsets, start, speed).find();
}

}  // namespace solidyn::analyses
