#include "solidyn/analyses/steady_running.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "carried_tangent.h"
#include "common_motion.h"
#include "solidyn/base/error.h"
#include "solidyn/math/dense.h"
#include "solidyn/math/rotation.h"
#include "solidyn/system/linearisation.h"
#include "solidyn/system/scales.h"
#include "turning_bodies.h"

namespace solidyn::analyses {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using forces::RunningMotion;
using system::State;
using system::System;

constexpr int kMostCorrections = 60;
// Corrections relative to the mechanism; below the second one, growing again is round-off.
constexpr double kRunsSteadily = 1e-12, kRunningNoise = 1e-9;
constexpr int kMostHalvings = 10;
// Of steps of time: the first one's way, of the length; how it changes; the longest that is taken,
// of the length; how many, and how many before Newton's method is tried.
constexpr double kFirstWay = 0.1, kLonger = 1.5, kShorter = 4.0, kLongestMove = 0.01;
constexpr int kMostSettling = 200, kSettlingBetween = 10;
constexpr double kFreeWhenRunning = 1e-12;  // directions without stiffness or constraint
constexpr double kAllowed = 1e-6;           // by constraints, of the speed
constexpr double kOffTheAxle = 1e-6;        // m

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
    vehicle_ = bodies_of_vehicle(system, wheelsets);
  }

  SteadyRunning find() {
    system_.compute_residual(now_.state, r_, phi_);
    for (std::size_t k = 0; k < wheelsets_.size(); ++k)
      turning_.push_back(bodies_that_turn(system_, wheelsets_, k));
    evaluate(now_);
    refuse_irregular_track(system_, wheelsets_, speed_);
    find_what_keeps_the_speed();
    const Iterate start = now_.clone();
    if (newton()) return finish();
    now_ = start.clone();
    if (settle()) return finish();
    throw base::ComputationError(fmt::format(
        "no steady running with {:.6g} m/s was found (last correction {:.3g} of the characteristic length)\n  let `dynamics` run from a straight track into the curve, or draw the vehicle nearer to how it runs there",
        speed_, last_));
  }

 private:
  // @return whether it has converged
  bool newton() {
    evaluate(now_);
    VectorXd x = correction(Tangent::of_now);
    for (int i = 0; i < kMostCorrections; ++i) {
      ++iterations_;
      const double size = size_of(x);
      if (!std::isfinite(size)) return false;
      double next = 0.0;
      const VectorXd following = take(x, size, next);
      const bool is_noise = size <= kRunningNoise && next > 0.5 * size;
      if (next <= kRunsSteadily || is_noise) return true;
      last_ = next;
      if (following.size() == 0) return false;
      x = correction(Tangent::of_now);
    }
    return false;
  }

  // Where Newton's method finds no way, as into sliding friction, the vehicle finds it: steps of
  // time from rest beside its running, by the implicit Euler rule, M x/dt^2 + D x/dt + J x = -r.
  // They begin with a part of its length and become longer until Newton's method goes on.
  bool settle() {
    rate_ = std::abs(speed_) / (kFirstWay * length_);
    evaluate(now_);
    for (int i = 1; i <= kMostSettling; ++i) {
      const VectorXd x = correction(Tangent::of_now);
      ++iterations_;
      Iterate tried = moved_by(x, 1.0);
      if (size_of(x) <= kLongestMove && can_evaluate(tried)) {
        now_ = std::move(tried);
        rate_ /= kLonger;
      } else {
        rate_ *= kShorter;
        evaluate(now_);
      }
      if (i % kSettlingBetween != 0) continue;
      const Iterate kept = now_.clone();
      const double rate = std::exchange(rate_, 0.0);
      if (newton()) return true;
      rate_ = rate;
      now_ = kept.clone();
      evaluate(now_);
    }
    return false;
  }

  bool is_of_vehicle(bodies::BodyIndex b) const {
    return system_.body(b).n_rigid() > 0 && vehicle_.count(b) > 0;
  }

  struct Iterate {
    State state;
    VectorXd spins;  // rad/s
    double traction = 0.0;
    Iterate clone() const { return {state.clone(), spins, traction}; }
  };
  enum class Tangent { of_now, kept };

  RunningMotion motion_of(Eigen::Index k) const {
    return wheelsets_[k]->running_motion(system_.kinematics(), speed_);
  }

  // Velocities and accelerations of running.
  void set_rates(Iterate& at) {
    State& s = at.state;
    system_.update(s);
    const RunningMotion m = common_motion(system_, wheelsets_, speed_);
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
      const VectorXd turn = turn_about(system_, turning_[k], own.axle, own.p);
      for (const bodies::BodyIndex b : turning_[k]) {
        const int v = system_.layout().velocity_offset(b);
        const Vector3d around = turn.segment<3>(v);
        if (around.norm() > kOffTheAxle && own.spin != 0.0) {
          refuse_gear(system_, turning_[k], *wheelsets_[k]);
          throw base::ComputationError(fmt::format(
              "{}: the origin of `{}` is {:.3g} m off the axle that it turns about\n  give the wheelset its mass centre on the axle, and fix nothing to it that has its own beside it, or let it roll (spin: rolling)",
              wheelsets_[k]->force().name(), system_.body(b).name(), around.norm()));
        }
        const double spin = at.spins[k];
        s.v.segment<6>(v) += spin * turn.segment<6>(v);
        s.a.segment<3>(v) += spin * (m.w.cross(around) + spin * own.axle.cross(around));
        s.a.segment<3>(v + 3) +=
            spin * (system_.kinematics().bodies[b].R_WB.transpose() * m.w.cross(own.axle));
      }
    }
  }

  // About the axle of wheelset k.
  VectorXd turn(Eigen::Index k) const {
    const RunningMotion own = motion_of(k);
    return turn_about(system_, turning_[k], own.axle, own.p);
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
    const auto [tangent, D, M] = carried_tangent(
        system_, now_.state, w_, [this](bodies::BodyIndex b) { return is_of_vehicle(b); });
    const MatrixXd by_rate = D.topLeftCorner(n_v_, n_v_) + rate_ * M.topLeftCorner(n_v_, n_v_);
    const int n = n_v_ + n_l_ + static_cast<int>(n_w_) + 1;
    MatrixXd J = MatrixXd::Zero(n, n);
    J.topLeftCorner(n_v_ + n_l_, n_v_ + n_l_) = tangent;
    J.topLeftCorner(n_v_, n_v_) += rate_ * by_rate;
    for (Eigen::Index k = 0; k < n_w_; ++k) {
      const VectorXd t = turn(k);
      const Eigen::Index at = n_v_ + n_l_ + k;
      J.block(0, at, n_v_, 1) = by_rate * t;
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
  VectorXd correction(Tangent by) {
    if (by == Tangent::of_now) linearise();
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

  Iterate moved_by(const VectorXd& x, double part) const {
    Iterate moved{now_.state.clone(), now_.spins + part * x.segment(n_v_ + n_l_, n_w_),
                  now_.traction + part * x[x.size() - 1]};
    system_.advance(now_.state.q, part * x.head(n_v_), moved.state.q);
    moved.state.lambda += part * x.segment(n_v_, n_l_);
    return moved;
  }

  bool can_evaluate(Iterate& at) {
    try {
      evaluate(at);
    } catch (const base::ComputationError&) {
      return false;  // a wheel has left its rail
    }
    return true;
  }

  // A part of the correction after which the next one with the same tangent is shorter. Empty where
  // there is none.
  VectorXd take(const VectorXd& x, double size, double& next) {
    double part = 1.0;
    for (int i = 0; i <= kMostHalvings; ++i, part *= 0.5) {
      Iterate tried = moved_by(x, part);
      if (!can_evaluate(tried)) continue;
      VectorXd following = correction(Tangent::kept);
      next = size_of(following);
      if (!(next <= (1.0 - 0.25 * part) * size) && size > kRunningNoise) continue;
      now_ = std::move(tried);
      return following;
    }
    next = size;
    return {};
  }

  SteadyRunning finish() {
    set_rates(now_);
    system_.update(now_.state);
    system_.accept(now_.state);
    system_.compute_residual(now_.state, r_, phi_);
    refuse_what_does_not_run(system_, wheelsets_, now_.state, speed_);
    const double traction = now_.traction * push_.dot(along_), unexplained = find_unexplained();
    return {std::move(now_.state), traction, unexplained, iterations_};
  }

  // In steady running the traction does the work that forces dissipate, and lifts the vehicle.
  double find_unexplained() {
    double lifted = 0.0;
    for (const bodies::BodyIndex b : system_.bodies())
      if (is_of_vehicle(b))
        lifted -=
            system_.body(b).mass() * system_.gravity().dot(system_.kinematics().bodies[b].v_WB());
    const double given = now_.traction * push_.dot(along_) * speed_;
    return is_driven_ ? 0.0 : (given + system_.external_powers(now_.state).sum() - lifted) / speed_;
  }

  System& system_;
  const forces::Wheelsets& wheelsets_;
  double speed_;
  int n_v_, n_l_;
  Eigen::Index n_w_;
  std::set<bodies::BodyIndex> vehicle_;
  std::vector<std::set<bodies::BodyIndex>> turning_;  // with each wheelset
  Iterate now_;
  double length_ = 1.0, last_ = 0.0;
  double rate_ = 0.0;  // 1/dt of settle(), 1/s; 0 in Newton's method
  int iterations_ = 0;
  bool is_driven_ = false;
  VectorXd weights_, r_, phi_;
  VectorXd along_;  // velocities of all for 1 m/s along the track, without spins
  VectorXd push_;   // M along_
  Vector3d w_ = Vector3d::Zero();
  VectorXd columns_, rows_;
  std::unique_ptr<math::LeastSquares> factor_;
};

}  // namespace

SteadyRunning run_steadily(System& system, const forces::Wheelsets& wheelsets, const State& start,
                           double speed) {
  return Running(system, wheelsets, start, speed).find();
}

}  // namespace solidyn::analyses
