#include "common_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/analyses/steady_running.h"
#include "solidyn/base/error.h"
#include "solidyn/joints/joint.h"
#include "solidyn/system/scales.h"
#include "solidyn/system/velocity_violation.h"
#include "turning_bodies.h"

namespace solidyn::analyses {
namespace {

using forces::RunningMotion;
using forces::RunsOnTrack;
using forces::Wheelsets;
using system::State;
using system::System;

// Of the speed: the same motion as seen from two wheelsets, and what constraints allow.
constexpr double kSameMotion = 1e-6, kAllowedByRows = 1e-6;
constexpr double kUniform = 1e-9;   // rad/m^2
constexpr double kLeastRun = 1e-3;  // m/s, of what runs

// The first wheelset that sees the track otherwise than the first one, or a change of it.
const RunsOnTrack* find_other_motion(const System& system, const Wheelsets& wheelsets,
                                     double speed) {
  const RunningMotion first = wheelsets[0]->running_motion(system.kinematics(), speed);
  const double extent = characteristic_length(system) + first.p.norm();
  for (const RunsOnTrack* wheelset : wheelsets) {
    const RunningMotion motion = wheelset->running_motion(system.kinematics(), speed);
    const double differs =
        (motion.v + motion.w.cross(first.p) - first.v - first.w.cross(first.p)).norm() +
        extent * (motion.w - first.w).norm();
    if (motion.change > kUniform || differs > kSameMotion * std::abs(speed)) return wheelset;
  }
  return nullptr;
}

}  // namespace

std::set<bodies::BodyIndex> bodies_of_vehicle(const System& system, const Wheelsets& wheelsets) {
  std::vector<bodies::BodyIndex> some;
  std::set<const forces::Force*> rails;
  for (const RunsOnTrack* wheelset : wheelsets) {
    some.push_back(wheelset->wheelset());
    rails.insert(&wheelset->force());
  }
  std::vector<std::vector<bodies::BodyIndex>> links;
  for (const bodies::ConstraintIndex c : system.constraints())
    links.push_back(system.constraint(c).bodies());
  for (const forces::ForceIndex f : system.forces())
    if (rails.count(&system.force(f)) == 0) links.push_back(system.force(f).bodies());
  return system.connectivity().joined_to(some, links);
}

RunningMotion common_motion(const System& system, const Wheelsets& wheelsets, double speed) {
  if (const RunsOnTrack* other = find_other_motion(system, wheelsets, speed))
    throw base::ComputationError(fmt::format(
        "{}: the track changes along the vehicle, whose steady running is asked for\n  place all wheelsets on the same straight, arc or slope, away from its ends by half of the track's `blend`",
        other->force().name()));
  return wheelsets[0]->running_motion(system.kinematics(), speed);
}

std::optional<system::Carriage> find_carriage(const System& system, const Wheelsets& wheelsets) {
  if (wheelsets.empty()) return std::nullopt;
  const RunningMotion by_metre = wheelsets[0]->running_motion(system.kinematics(), 1.0);
  const Eigen::Vector3d ahead = by_metre.v + by_metre.w.cross(by_metre.p);
  const double speed = system.kinematics().bodies[wheelsets[0]->wheelset()].v.head<3>().dot(ahead) /
                       ahead.squaredNorm();
  if (!(speed > kLeastRun) || find_other_motion(system, wheelsets, speed)) return std::nullopt;
  return system::Carriage{speed * by_metre.w, bodies_of_vehicle(system, wheelsets)};
}

namespace {

// A wheelset and what turns with it, and how it turns beside the carriage.
struct Turning {
  std::set<bodies::BodyIndex> bodies;
  Eigen::Vector3d point, w;  // of the axle; W
};

Turning find_turning(const System& system, const Wheelsets& wheelsets, std::size_t wheelset,
                     const system::Carriage& carriage) {
  const bodies::BodyState& s = system.kinematics().bodies[wheelsets[wheelset]->wheelset()];
  return {bodies_that_turn(system, wheelsets, wheelset),
          wheelsets[wheelset]->running_motion(system.kinematics(), 1.0).p,
          s.R_WB * s.w_WB_B() - carriage.w_W};
}

double largest_of(const Eigen::Matrix3d& m) { return m.cwiseAbs().maxCoeff(); }

// How their inertia about the point differs a quarter of a turn later: moments relative to the
// largest, mass beside the axle to the radius of gyration.
double unevenness(const System& system, const Turning& turning, const system::Linearisation& l) {
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  Matrix6 inertia = Matrix6::Zero(), by_turn = Matrix6::Identity();
  for (const bodies::BodyIndex b : turning.bodies) {
    if (system.body(b).n_rigid() == 0) continue;
    const bodies::BodyState& s = system.kinematics().bodies[b];
    const int at = system.layout().velocity_offset(b);
    for (int i = 0; i < 3; ++i)
      by_turn.block<3, 1>(0, 3 + i) = Eigen::Vector3d::Unit(i).cross(s.p_WB - turning.point);
    by_turn.bottomRightCorner<3, 3>() = s.R_WB.transpose();
    inertia += by_turn.transpose() * Eigen::MatrixXd(l.bodies.M.block(at, at, 6, 6)) * by_turn;
  }
  Matrix6 quarter = Matrix6::Zero();
  quarter.topLeftCorner<3, 3>() = quarter.bottomRightCorner<3, 3>() =
      Eigen::AngleAxisd(0.5 * M_PI, turning.w.normalized()).toRotationMatrix();
  const Matrix6 change = quarter * inertia * quarter.transpose() - inertia;
  const double mass = largest_of(inertia.topLeftCorner<3, 3>()),
               moment = largest_of(inertia.bottomRightCorner<3, 3>());
  return std::max(largest_of(change.bottomRightCorner<3, 3>()) / moment,
                  largest_of(change.topRightCorner<3, 3>()) / std::sqrt(mass * moment));
}

// A frame of a joint on a wheelset, and how that turns about its axle beside the vehicle.
struct OnWheelset {
  const RunsOnTrack* wheelset;
  RunningMotion own;
  double spin;             // rad/s
  Eigen::Vector3d beside;  // of the frame, from the axle, m
};

std::vector<OnWheelset> places_on_wheelsets(const System& system, const Wheelsets& wheelsets,
                                            const joints::Joint& joint, double speed) {
  const bodies::Kinematics& k = system.kinematics();
  std::vector<OnWheelset> places;
  for (const RunsOnTrack* wheelset : wheelsets)
    for (const bodies::FrameIndex f : {joint.frame_A(), joint.frame_B()}) {
      if (k.frame_definitions[f].body != wheelset->wheelset()) continue;
      const RunningMotion own = wheelset->running_motion(k, speed);
      const bodies::BodyState& s = k.bodies[wheelset->wheelset()];
      const Eigen::Vector3d arm = k.frames[f].p - own.p;
      places.push_back({wheelset, own, own.axle.dot(s.R_WB * s.w_WB_B() - own.w),
                        arm - arm.dot(own.axle) * own.axle});
    }
  return places;
}

// Whether the constraint would be met if the frame were on the axle, and, with `turns` false, if
// the wheelset did not turn besides.
bool is_met_on_axle(System& system, const State& state, bodies::ConstraintIndex c,
                    const OnWheelset& place, bool turns, double speed) {
  const bodies::BodyIndex body = place.wheelset->wheelset();
  const int at = system.layout().velocity_offset(body);
  const Eigen::Vector3d spin = place.spin * place.own.axle;
  State other = state.clone();
  other.v.segment<3>(at) -= spin.cross(place.beside);
  if (!turns) {
    const bodies::BodyState& s = system.kinematics().bodies[body];
    const Eigen::Vector3d arm = s.p_WB - place.own.p;
    other.v.segment<3>(at) = state.v.segment<3>(at) - spin.cross(arm);
    other.v.segment<3>(at + 3) -= s.R_WB.transpose() * spin;
  }
  return system::velocity_violation(system, other)
             .segment(system.layout().constraint_offset(c), system.constraint(c).n_rows())
             .lpNorm<Eigen::Infinity>() <= kAllowedByRows * std::abs(speed);
}

// Why a joint on a wheelset that turns is not met, and what to do: a bearing beside the axle moves
// with it, and what holds the wheelset about its axle does not let it turn. Empty where neither is
// why.
std::string describe_joint_on_wheelset(System& system, const Wheelsets& wheelsets,
                                       const State& state, bodies::ConstraintIndex c,
                                       double speed) {
  constexpr double kOnAxle = 1e-9;  // m
  const joints::Joint* joint = system.constraint(c).as_joint();
  if (!joint) return {};
  for (const OnWheelset& place : places_on_wheelsets(system, wheelsets, *joint, speed)) {
    if (place.spin == 0.0) continue;
    const bool turns = is_met_on_axle(system, state, c, place, true, speed),
               stands = is_met_on_axle(system, state, c, place, false, speed),
               is_beside = place.beside.norm() > kOnAxle;
    if (!stands || (turns && !is_beside)) continue;
    const Eigen::Vector3d way =
        place.beside.unaryExpr([](double x) { return std::abs(x) > kOnAxle ? -x : 0.0; });
    const std::string move =
        fmt::format("move its `at` by [{:.4g}, {:.4g}, {:.4g}] m", way.x(), way.y(), way.z());
    const std::string name = system.body(place.wheelset->wheelset()).name();
    const std::string how = fmt::format(
        "the wheelset turns with {:.3g} rad/s about its axle{}, and the vehicle does not run steadily with {:.6g} m/s",
        place.spin,
        place.own.spin == 0.0
            ? " beside the rolling on the nominal `radius` (spin: rolling), since its wheels "
              "touch elsewhere"
            : "",
        speed);
    if (turns)
      return fmt::format(
          "{} is {:.4g} mm beside the axle of `{}`, at which it would go round: {}\n  put the joint on the axle: {}, or draw the wheelset there",
          joint->name(), 1e3 * place.beside.norm(), name, how, move);
    return fmt::format(
        "{} holds `{}` about its axle: {}\n  take a joint that lets it turn, for example  type: revolute  with its `axis` along the axle{}{}",
        joint->name(), name, how, is_beside ? fmt::format(", on the axle ({})", move) : "",
        place.own.spin == 0.0
            ? ""
            : "; a `fixed` part turns with the wheelset, and nothing else may hold it");
  }
  return {};
}

}  // namespace

double departure(const System& system, const Wheelsets& wheelsets, const system::Carriage& carriage,
                 const State& state, const system::Linearisation& l) {
  using Eigen::Vector3d;
  constexpr double kTurns = 0.01;  // of the rate: slower, a wheelset is what it is
  const bodies::BodyState& first = system.kinematics().bodies[wheelsets[0]->wheelset()];
  const Vector3d v_0 = first.v_WB() - carriage.w_W.cross(first.p_WB);
  Eigen::VectorXd v = state.v, a = state.a;
  double uneven = 0.0;
  for (const bodies::BodyIndex b : system.bodies()) {
    if (system.body(b).n_rigid() == 0 || carriage.bodies.count(b) == 0) continue;
    const int at = system.layout().velocity_offset(b);
    const bodies::BodyState& s = system.kinematics().bodies[b];
    const Vector3d w_B = s.R_WB.transpose() * carriage.w_W, spin = s.w_WB_B() - w_B;
    v.segment<3>(at) -= v_0 + carriage.w_W.cross(s.p_WB);
    v.segment<3>(at + 3) = spin;
    a.segment<3>(at) -= carriage.w_W.cross(s.v_WB());
    a.segment<3>(at + 3) -= w_B.cross(spin);
  }
  for (std::size_t k = 0; k < wheelsets.size(); ++k) {
    const Turning turning = find_turning(system, wheelsets, k, carriage);
    const Vector3d whole = carriage.w_W + turning.w;
    for (const bodies::BodyIndex b : turning.bodies) {
      if (system.body(b).n_rigid() == 0 || carriage.bodies.count(b) == 0) continue;
      const int at = system.layout().velocity_offset(b);
      const bodies::BodyState& s = system.kinematics().bodies[b];
      const Vector3d arm = s.p_WB - turning.point;
      v.segment<3>(at) -= turning.w.cross(arm);
      v.segment<3>(at + 3) -= s.R_WB.transpose() * turning.w;
      a.segment<3>(at) -=
          carriage.w_W.cross(turning.w).cross(arm) + turning.w.cross(whole.cross(arm));
    }
    if (turning.w.norm() > kTurns * l.rate)
      uneven = std::max(uneven, unevenness(system, turning, l));
  }
  const Eigen::VectorXd& weights = l.bodies.weights;
  return std::max({uneven, v.cwiseProduct(weights).lpNorm<Eigen::Infinity>() / l.rate,
                   a.cwiseProduct(weights).lpNorm<Eigen::Infinity>() / (l.rate * l.rate)});
}

void refuse_irregular_track(const System& system, const Wheelsets& wheelsets, double speed) {
  for (const RunsOnTrack* wheelset : wheelsets)
    if (const RunningMotion motion = wheelset->running_motion(system.kinematics(), speed);
        motion.is_irregular)
      throw base::InputError(
          fmt::format(
              "{}: the track has irregularities under the wheelset at s = {:.6g} m, where the vehicle is to run steadily",
              wheelset->force().name(), motion.s),
          "let `irregularities` begin in front of the vehicle (`from`)");
}

void refuse_what_does_not_run(System& system, const Wheelsets& wheelsets, const State& state,
                              double speed) {
  for (const RunsOnTrack* w : wheelsets)
    if (w->unloaded_wheels(system.kinematics()) == "left and right")
      throw base::ComputationError(fmt::format(
          "no steady running with {:.6g} m/s was found: both wheels of `{}` are off their rails\n  hold the wheelset across the track by springs, or draw it nearer to the middle",
          speed, w->force().name()));
  const Eigen::VectorXd violation = system::velocity_violation(system, state);
  for (const bodies::ConstraintIndex c : system.constraints()) {
    const joints::Constraint& constraint = system.constraint(c);
    if (violation.segment(system.layout().constraint_offset(c), constraint.n_rows())
            .lpNorm<Eigen::Infinity>() <= kAllowedByRows * std::abs(speed))
      continue;
    if (const std::string why = describe_joint_on_wheelset(system, wheelsets, state, c, speed);
        !why.empty())
      throw base::ComputationError(why);
  }
  for (int row = 0; row < violation.size(); ++row)
    if (std::abs(violation[row]) > kAllowedByRows * std::abs(speed))
      throw base::ComputationError(fmt::format(
          "{} does not allow the vehicle to run with {:.6g} m/s: the error of its rate is {:.3g}\n  connect nothing that runs to the ground, give drives along the track the same speed, and let wheelsets roll (spin: rolling) where parts are fixed to them",
          system.layout().multiplier_name(row), speed, violation[row]));
}

std::string describe_unloaded_wheels(const System& system, const Wheelsets& wheelsets) {
  std::string text;
  for (const RunsOnTrack* w : wheelsets)
    if (const std::string which = w->unloaded_wheels(system.kinematics()); !which.empty())
      text +=
          fmt::format("{}the {} wheel of `{}`", text.empty() ? "" : ", ", which, w->force().name());
  return text;
}

}  // namespace solidyn::analyses
