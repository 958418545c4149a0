// The start of a motion in which nothing moves.
#include <algorithm>

#include "integrators/contact_transitions.h"
#include "solidyn/system/accelerations.h"

namespace solidyn::integrators {

using forces::SetValuedPoint;
using system::State;

namespace {

// Of the accelerations without the forces of contacts: what an equilibrium leaves.
constexpr double kBalanced = 1e-6;

}  // namespace

// With the forces that contacts have, of an equilibrium, nothing begins to move: then they stay as
// they are. Else what is known of contacts is forgotten. @pre and after: System::update(s)
bool ContactTransitions::rests(State& s) {
  bool has_forces = false;
  for (int i = 0; i < points_.size(); ++i)
    has_forces = has_forces || !points_.read(s, i).force.isZero(0.0);
  if (!has_forces) return false;
  const State kept = s.clone();
  for (int i = 0; i < points_.size(); ++i) points_.write(s, i, {});
  system::AccelerationOptions options;
  options.regularization = regularization_;
  system_.update(s);
  if (!s.v.isZero(0.0)) return false;
  const std::vector<int> closed = find_closing(s, nullptr);
  system::solve_acceleration_equations(system_, s, options, *solver_);
  system_.update_accelerations();
  double free = 0.0;
  for (const int i : closed) free = std::max(free, points_.acceleration(i).norm());
  const State forgotten = s.clone();
  s.copy_from(kept);
  for (const int i : closed) {
    SetValuedPoint point = points_.read(s, i);
    point.phase = SetValuedPoint::Phase::closed;
    point.sticks = points_.sliding_speed(i) == 0.0;
    points_.write(s, i, point);
  }
  system_.update(s);
  system::solve_acceleration_equations(system_, s, options, *solver_);
  system_.update_accelerations();
  const bool is_balanced = std::all_of(closed.begin(), closed.end(), [&](int i) {
    const Eigen::Vector3d a = points_.acceleration(i);
    const bool holds = !points_.read(s, i).force.isZero(0.0);
    return (holds ? std::abs(a[0]) : -a[0]) <= kBalanced * free &&
           (!holds || !points_.read(s, i).sticks || a.tail<2>().norm() <= kBalanced * free);
  });
  if (is_balanced) return true;
  s.copy_from(forgotten);
  system_.update(s);
  return false;
}

}  // namespace solidyn::integrators
