#include <cmath>

#include "solidyn/wheel_rail/wheel_rail_force.h"

namespace solidyn::wheel_rail {
namespace {

constexpr int kPatches = 2;  // of each wheel that sensors see

const forces::Readings& all_readings() {
  static const forces::Readings readings = {
      {"s", "m"},
      {"y", "m"},
      {"z", "m"},
      {"roll", "rad"},
      {"yaw", "rad"},
      {"left_Q", "N"},
      {"left_Y", "N"},
      {"left_Y_over_Q", "1"},
      {"left_T_gamma", "N"},
      {"right_Q", "N"},
      {"right_Y", "N"},
      {"right_Y_over_Q", "1"},
      {"right_T_gamma", "N"},
#define PATCH(prefix)                                                                            \
  {prefix "_N", "N"}, {prefix "_x", "m"}, {prefix "_y", "m"}, {prefix "_u", "m"},                \
      {prefix "_radius", "m"}, {prefix "_angle", "rad"}, {prefix "_a", "m"}, {prefix "_b", "m"}, \
      {prefix "_xi", "1"}, {prefix "_eta", "1"}, {prefix "_phi", "1/m"}
      PATCH("left_1"),
      PATCH("left_2"),
      PATCH("right_1"),
      PATCH("right_2"),
#undef PATCH
      {"left_rail_y", "m"},
      {"left_rail_z", "m"},
      {"right_rail_y", "m"},
      {"right_rail_z", "m"},
  };
  return readings;
}

double ratio(double a, double b) { return b != 0.0 ? a / b : 0.0; }

}  // namespace

forces::Readings WheelRailForce::own_readings() { return all_readings(); }

void WheelRailForce::read(const bodies::Kinematics& kinematics, double, double* values) const {
  const State& now = state(pair(kinematics));
  const auto write = [&](std::initializer_list<double> list) {
    for (const double value : list) *values++ = value;
  };
  const Eigen::Vector3d& a = now.axle;
  write({now.s, now.offset.y(), now.offset.z(), std::atan2(a.z(), std::hypot(a.x(), a.y())),
         std::atan2(-a.x(), a.y())});
  for (const WheelResult& wheel : now.wheels)
    write({wheel.Q, wheel.Y, ratio(wheel.Y, wheel.Q), wheel.T_gamma});
  for (const WheelResult& wheel : now.wheels)
    for (std::size_t i = 0; i < kPatches; ++i) {
      const PatchResult p = i < wheel.patches.size() ? wheel.patches[i] : PatchResult();
      write({p.normal_force, p.c.x(), now.offset.y() * (p.normal_force > 0.0) + p.c.y(), p.u,
             p.radius, p.angle, p.a, p.b, p.creepages.longitudinal, p.creepages.lateral,
             p.creepages.spin});
    }
  for (const RailDeflection& rail : now.rails) write({rail.left.value, rail.up.value});
}

}  // namespace solidyn::wheel_rail
