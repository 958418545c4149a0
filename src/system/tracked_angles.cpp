#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/system/system.h"

namespace solidyn::system {
namespace {

using Eigen::VectorXd;

constexpr double kTurn = 2.0 * M_PI;
// Of half a turn, beyond which a turn one way is taken for one the other way.
constexpr double kSurely = 0.9;

}  // namespace

int System::add_angle(int frame_A, int frame_B, const bodies::AngleOfDots& angle) {
  const auto found = std::find_if(tracked_.begin(), tracked_.end(), [&](const TrackedAngle& t) {
    return t.frame_A == frame_A && t.frame_B == frame_B && t.angle == angle;
  });
  const auto index = static_cast<int>(found - tracked_.begin());
  if (found == tracked_.end()) tracked_.push_back({frame_A, frame_B, angle, std::nullopt});
  return index;
}

bodies::FramePair System::pair_of(const TrackedAngle& tracked) const {
  return {kinematics_.frames[tracked.frame_A], kinematics_.frames[tracked.frame_B]};
}

// Whole turns are those of the drive's law, or lie nearest to the last accepted angle.
void System::update_angles(const State& s) {
  for (std::size_t k = 0; k < tracked_.size(); ++k) {
    const double near =
        tracked_[k].law ? tracked_[k].law->value(s.t) : s.angles[static_cast<Eigen::Index>(k)];
    const double raw = tracked_[k].angle.wrapped(pair_of(tracked_[k]));
    kinematics_.angles[k] = near + std::remainder(raw - near, kTurn);
  }
}

void System::accept_angles(State& s) const {
  s.angles = Eigen::Map<const VectorXd>(kinematics_.angles.data(),
                                        static_cast<Eigen::Index>(kinematics_.angles.size()));
}

// 1 or -1 where `other` turns with `driven` or against it; 0 where they are different motions.
double System::sense_of(const TrackedAngle& driven, const TrackedAngle& other) const {
  constexpr double kParallel = 0.999;
  const auto body = [&](int frame) { return kinematics_.frame_definitions[frame].body; };
  const bodies::AngleOfDots about_z = bodies::RotationAngle();
  if (other.law || !(other.angle == about_z) || !(driven.angle == about_z)) return 0.0;
  const bool is_same =
      body(driven.frame_A) == body(other.frame_A) && body(driven.frame_B) == body(other.frame_B);
  const bool is_reverse =
      body(driven.frame_A) == body(other.frame_B) && body(driven.frame_B) == body(other.frame_A);
  if (!is_same && !is_reverse) return 0.0;
  const double cosine =
      kinematics_.frames[driven.frame_A].R.col(2).dot(kinematics_.frames[other.frame_A].R.col(2));
  if (std::abs(cosine) < kParallel) return 0.0;
  return (cosine > 0.0) == is_same ? 1.0 : -1.0;
}

void System::align_turns(State& s) {
  update(s);
  for (std::size_t d = 0; d < tracked_.size(); ++d) {
    if (!tracked_[d].law) continue;
    for (std::size_t k = 0; k < tracked_.size(); ++k) {
      const double sense = sense_of(tracked_[d], tracked_[k]);
      if (sense == 0.0) continue;
      const double near = sense * kinematics_.angles[d];
      kinematics_.angles[k] = near + std::remainder(kinematics_.angles[k] - near, kTurn);
    }
  }
  accept_angles(s);
}

double System::turn_of(const TrackedAngle& tracked, const VectorXd& increment) const {
  const bodies::FrameLink of = link(tracked.frame_A, tracked.frame_B);
  Eigen::RowVectorXd row(of.n_columns());
  of.set_row(kinematics_, tracked.angle.value(pair_of(tracked)).J, row);
  double turn = 0.0;
  Eigen::Index column = 0;
  for (int body : of.bodies()) {
    const int n = of.n_velocities(body);
    turn += row.segment(column, n).dot(increment.segment(v_offset_[body], n));
    column += n;
  }
  return turn;
}

double System::largest_turn(const VectorXd& increment) const {
  double largest = 0.0;
  for (const TrackedAngle& tracked : tracked_)
    if (!tracked.law) largest = std::max(largest, std::abs(turn_of(tracked, increment)));
  return largest;
}

std::string System::turn_objection(const VectorXd& increment, const VectorXd& before) const {
  for (std::size_t k = 0; k < tracked_.size(); ++k) {
    const TrackedAngle& tracked = tracked_[k];
    const double turn = turn_of(tracked, increment);
    const double counted = kinematics_.angles[k] - before[static_cast<Eigen::Index>(k)];
    const bool is_counted =
        tracked.law ? std::abs(turn - counted) <= M_PI : std::abs(turn) <= kSurely * M_PI;
    if (is_counted) continue;
    const auto name = [&](int frame) { return kinematics_.frame_definitions[frame].name; };
    return fmt::format("{} turns by {:.3g} turns relative to {}, {}", name(tracked.frame_B),
                       turn / kTurn, name(tracked.frame_A),
                       tracked.law ? fmt::format("its drive by {:.3g}", counted / kTurn)
                                   : "too far to count whole turns");
  }
  return {};
}

}  // namespace solidyn::system
