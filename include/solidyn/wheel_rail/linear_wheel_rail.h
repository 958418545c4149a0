#pragma once
#include <string>

#include "solidyn/forces/pair_force.h"

namespace solidyn::wheel_rail {

/// Creep coefficients of one wheel and what its profile amounts to.
struct LinearWheelRailOptions {
  double f11 = 0.0, f22 = 0.0;  ///< longitudinal and lateral, N
  double f23 = 0.0;             ///< lateral by spin, N m
  double f33 = 0.0;             ///< spin, N m^2
  double conicity = 0.0;        ///< lambda
  double half_distance = 0.75;  ///< b, of the contacts, m
  double radius = 0.46;         ///< r0, m
  bool turns = true;            ///< as WheelRailOptions
};

/// Creep forces of a wheelset on a straight track by prescribed coefficients, without profiles,
/// normal forces and friction's limit: what linear theory of stability is written in. With the
/// wheelset at y, yawed by psi, on the left (+) and right (-) wheel, in A's axes (x along the
/// track, y to the left)
///   F_x = -f11 (v_x -+ b psi' - (r0 +- lambda y) spin)/V
///   F_y = -2 f22 (y'/V - psi) - 2 f23 psi'/V,  M_z = 2 f23 (y'/V - psi) - 2 f33 psi'/V -+ b F_x
/// on both together. Something else has to hold it at its height and against rolling over.
/// Its derivatives are central differences. Pages G04 and G05 are in tests/programs/railway.py.
class LinearWheelRail final : public forces::PairForce {
 public:
  /// @param link  A: the track, or what moves along it; B: the wheelset, y its axle to the left
  LinearWheelRail(std::string name, const bodies::FrameLink& link,
                  const LinearWheelRailOptions& options)
      : PairForce(std::move(name), link), options_(options) {}

  bodies::Vector12 wrench(const bodies::FramePair& f, double t) const override;
  void add_derivatives(const bodies::FramePair& f, double t, bodies::Matrix12& by_position,
                       bodies::Matrix12& by_twist) const override;
  double power(const bodies::FramePair& f, double t) const override;

  /// y, yaw, and the speed along the track.
  static forces::Readings own_readings() { return {{"y", "m"}, {"yaw", "rad"}, {"speed", "m/s"}}; }
  forces::Readings readings() const override { return own_readings(); }
  void read(const bodies::Kinematics& kinematics, double t, double* values) const override;

 private:
  struct Motion;
  Motion motion(const bodies::FramePair& f) const;
  struct Forces {
    Eigen::Vector3d force, moment;  // on the wheelset, in A's axes
  };
  Forces forces_of(const Motion& m) const;

  LinearWheelRailOptions options_;
};

}  // namespace solidyn::wheel_rail
