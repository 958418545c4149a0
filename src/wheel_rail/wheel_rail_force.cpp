#include "solidyn/wheel_rail/wheel_rail_force.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/railway/creepage.h"
#include "wheel_rail/differences.h"
#include "wheel_rail/wheel_rail_parts.h"

namespace solidyn::wheel_rail {
namespace {

// What the last accepted state was; 0 where there was none.
constexpr double kRuns = 1.0, kStands = 2.0;

}  // namespace

namespace {

const std::vector<bodies::BodyIndex>& nodes_of(const WheelRailOptions& options) {
  static const std::vector<bodies::BodyIndex> none;
  return options.rails ? options.rails->nodes : none;
}

}  // namespace

using bodies::FrameMotion;
using bodies::FramePair;
using bodies::Matrix12;
using bodies::Vector12;
using Eigen::Matrix3d;
using Eigen::Vector3d;

WheelRailForce::WheelRailForce(std::string name, const bodies::FrameLink& link,
                               std::shared_ptr<const RailTrack> track, WheelRailOptions options,
                               const FrameMotion& rails_at_start,
                               const FrameMotion& wheelset_at_start, double s)
    : PairForce(std::move(name), link, nodes_of(options)),
      track_(std::move(track)),
      options_(std::move(options)),
      p_start_(rails_at_start.p),
      R_track_start_(track_->alignment.at(s).R),
      R_rails_(rails_at_start.R.transpose() * R_track_start_),
      rails_move_(link.body_A() != bodies::kGround),
      s_(s),
      s_start_(s),
      angle_start_(angle_about_axle(R_track_start_, wheelset_at_start.R)) {
  track_->wheelsets.push_back(this);
}

WheelRailForce::~WheelRailForce() {
  forces::Wheelsets& all = track_->wheelsets;
  all.erase(std::remove(all.begin(), all.end(), this), all.end());
}

railway::FallingFriction WheelRailForce::friction_at(Side side, double s) const {
  railway::FallingFriction friction = options_.friction[side];
  if (const std::optional<math::Curve>& along = options_.friction_along[side])
    friction.start =
        along->value(along->is_periodic() ? s : std::clamp(s, along->first(), along->last()));
  return friction;
}

void WheelRailForce::add_creep(Side side, const Patch& patch, const Contact& contact,
                               const Motion& m, State& state) const {
  const double N = patch.shape.normal_force;
  PatchResult result;
  result.normal_force = N * patch.share;
  result.c = mirrored(side, patch.shape.c);
  result.radius = patch.shape.radius;
  result.u = patch.shape.c.dot(contact.position.axle) - options_.tape_circle;
  result.angle = std::atan2(-patch.shape.normal.x(), patch.shape.normal.y());
  result.a = patch.ellipse.half_axis_along(N);
  result.b = patch.ellipse.half_axis_across(N);
  WheelResult& wheel = state.wheels[side];
  if (!m.is_at_rest) {
    const Matrix3d axes = railway::contact_axes(result.angle, side == kLeft);
    const Vector3d v_rail(0.0, contact.deflection.left_rate, contact.deflection.up_rate);
    const Vector3d slip = axes.transpose() * (m.v - v_rail + m.w.cross(result.c)) / m.creep_speed;
    result.creepages = {slip.x(), slip.y(), axes.col(2).dot(m.w) / m.creep_speed};
    railway::CreepParameters parameters = options_.creep;
    parameters.coefficients = patch.coefficients;
    const double friction =
        friction_at(side, m.at.s).at(m.creep_speed * std::hypot(slip.x(), slip.y()));
    result.force =
        patch.share *
        options_.law->value({result.creepages, N, friction, result.a, result.b}, parameters);
    const Vector3d on_wheel = axes.leftCols<2>() * result.force.head<2>();
    state.force += on_wheel;
    state.moment += result.c.cross(on_wheel) + result.force.z() * axes.col(2);
    state.power +=
        m.creep_speed * result.force.dot(Vector3d(slip.x(), slip.y(), result.creepages.spin));
    wheel.T_gamma += std::abs(result.force.x() * slip.x()) + std::abs(result.force.y() * slip.y());
    wheel.Q += on_wheel.z();
    wheel.Y -= side == kLeft ? on_wheel.y() : -on_wheel.y();
  }
  wheel.patches.push_back(result);
}

void WheelRailForce::add_wheel(Side side, const Contact& contact, const Motion& m, Sums& sums,
                               State& state) const {
  const double sign = side == kLeft ? 1.0 : -1.0;
  for (const Patch& patch : contact.patches) {
    const railway::OverlapSums& p = patch.sums;
    const double by_y = sign * patch.share * p.force_y, by_z = patch.share * p.force_z;
    sums.by_y += by_y;
    sums.by_z += by_z;
    sums.by_s -= by_y * contact.left.first + by_z * contact.up.first;
    sums.by_axle += patch.share * outwards(side, p.on_axle);
    state.energy += patch.share * p.energy;
    state.power += patch.share * p.damping_power;
    state.wheels[side].Q += by_z;
    state.wheels[side].Y -= sign * by_y;
    add_creep(side, patch, contact, m, state);
  }
  std::vector<PatchResult>& results = state.wheels[side].patches;
  std::stable_sort(results.begin(), results.end(), [](const PatchResult& a, const PatchResult& b) {
    return a.normal_force > b.normal_force;
  });
}

// At a fixed point the offset changes by -g ds, the axle by -w x a ds; ds = dx / g_x.
WheelRailForce::State WheelRailForce::state_of(const Motion& m, const Contacts& contacts) const {
  State state;
  state.s = m.at.s;
  state.speed = m.speed;
  state.R = m.R;
  state.offset = m.offset;
  state.axle = m.axle;
  state.force.setZero();
  state.moment.setZero();
  state.gyroscopic = -options_.rolling_inertia * m.spin * m.axle_turn;
  Sums sums;
  for (const Side side : {kLeft, kRight}) {
    state.rails[side] = contacts[side].deflection;
    add_wheel(side, contacts[side], m, sums, state);
  }
  if (m.is_at_rest && !runs_) add_brake(m, sums, state);
  const double along = (sums.by_s - sums.by_y * m.g.y() - sums.by_z * m.g.z() -
                        sums.by_axle.dot(m.w_track.cross(m.axle))) /
                       m.g.x();
  state.force += Vector3d(along, sums.by_y, sums.by_z);
  state.moment += m.axle.cross(sums.by_axle);
  // What turns wheels whose frame does not is not in the system.
  state.power -= m.spin * state.moment.dot(m.axle);
  return state;
}

WheelRailForce::Given WheelRailForce::given_by(const FramePair& f) const {
  Given given;
  int at = 0;
  for (const FrameMotion* frame : {&f.A, &f.B}) {
    given.segment<3>(at) = frame->p;
    given.segment<9>(at + 3) = frame->R.reshaped();
    given.segment<3>(at + 12) = frame->v;
    given.segment<3>(at + 15) = frame->w;
    at += 18;
  }
  given[at] = s_;
  given[at + 1] = runs_;
  given.segment<4 * RailsUnderWheels::kWays>(at + 2) = under_.displacements().reshaped();
  given.tail<4 * RailsUnderWheels::kWays>() = under_.rates().reshaped();
  return given;
}

const WheelRailForce::State& WheelRailForce::state(const FramePair& f) const {
  const Given given = given_by(f);
  if (given == given_) return state_;
  const Motion m = motion(f);
  state_ = state_of(m, find_contacts(m));
  given_ = given;
  return state_;
}

Vector12 WheelRailForce::wrench_of(const FramePair& f, const State& s) const {
  Vector12 w;
  w.segment<3>(6) = s.R * s.force;
  w.tail<3>() = f.B.R.transpose() * (s.R * (s.moment + s.gyroscopic));
  if (rails_move_) {
    w.head<3>() = -(f.A.R * (R_rails_ * s.force));
    w.segment<3>(3) = -(R_rails_ * (s.moment + s.offset.cross(s.force)));
  } else {
    w.head<3>() = -w.segment<3>(6);
    w.segment<3>(3) =
        -f.A.R.transpose() * (s.R * s.moment + (f.B.p - f.A.p).cross(w.segment<3>(6)));
  }
  return w;
}

Vector12 WheelRailForce::wrench(const FramePair& f, double) const { return wrench_of(f, state(f)); }

// Overlaps change over 1e-4 m, creep forces over creepages of 1e-3. Twists change no contact. A
// step of a power of two is added to a place without round-off, of which 1e9 N/m make 100 N/m.
void WheelRailForce::add_derivatives(const FramePair& f, double, Matrix12& by_position,
                                     Matrix12& by_twist) const {
  constexpr double kPoseStep = 0x1p-23, kTwistStep = 1e-6;
  add_pose_differences(
      f, kPoseStep, rails_move_,
      [&](const FramePair& pair) {
        const Motion m = motion(pair);
        return wrench_of(pair, state_of(m, find_contacts(m)));
      },
      by_position);
  const Motion now = motion(f);
  if (now.is_at_rest) return;
  const Contacts contacts = find_contacts(now, true);
  const auto wrench_at_twist = [&](const FramePair& pair) {
    const Motion m = motion(pair);
    Contacts moved = contacts;
    if (options_.damping.ratio > 0.0)
      for (const Side side : {kLeft, kRight}) move_on(side, m, moved[side]);
    return wrench_of(pair, state_of(m, moved));
  };
  add_twist_differences(f, kTwistStep * f.B.v.norm(), rails_move_, wrench_at_twist, by_twist);
}

double WheelRailForce::energy(const FramePair& f, double) const { return state(f).energy; }
double WheelRailForce::power(const FramePair& f, double) const { return state(f).power; }

// Without parts, a zero is that of a state that was never accepted.
void WheelRailForce::recall(const Eigen::Ref<const Eigen::VectorXd>& memory) {
  runs_ = memory.size() > 0 && memory[0] == kRuns;
  if (memory.size() > 0 && memory[0] != 0.0) s_ = memory[1];
}

std::array<double, WheelRailForce::kMemory> WheelRailForce::remembered(
    const bodies::Kinematics& kinematics) const {
  const FramePair f = pair(kinematics);
  const bool runs = !is_at_rest(f);
  const double s = track::station_of(track_->alignment, f.B.p, s_);
  if (runs) refuse_standing(motion(f).speed, s);
  constexpr double kRoundoff = 1e-6;
  if (s < -kRoundoff || s > track_->alignment.length() + kRoundoff)
    throw base::ComputationError(fmt::format(
        "{}: the wheelset has come to s = {:.6g} m, off the track, which goes from 0 to {:.6g} m\n  make its `plan` longer, or the run shorter",
        name(), s, track_->alignment.length()));
  return {runs ? kRuns : kStands, s};
}

void WheelRailForce::remember(const bodies::Kinematics& kinematics, double,
                              Eigen::Ref<Eigen::VectorXd> memory) const {
  if (memory.size() == kMemory)
    memory = Eigen::Map<const Eigen::Vector2d>(remembered(kinematics).data());
}

void WheelRailForce::append_memory(const bodies::Kinematics& kinematics, double,
                                   std::vector<double>& memory) const {
  const std::array<double, kMemory> now = remembered(kinematics);
  memory.insert(memory.end(), now.begin(), now.end());
}

}  // namespace solidyn::wheel_rail
