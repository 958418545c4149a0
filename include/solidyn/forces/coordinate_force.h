#pragma once
#include <memory>

#include "solidyn/bodies/pair_coordinates.h"
#include "solidyn/forces/effort.h"
#include "solidyn/forces/pair_force.h"

namespace solidyn::forces {

using bodies::FramePair;
using bodies::Matrix12;
using bodies::Vector12;

/// Springs, dampers, stops and motors along a coordinate of two frames: the wrench is
///   -effort(x, dx/dt, t) J^T,   dx/dt = J twist      doc/theory/forces.md
/// A coordinate that a rigid motion of both frames leaves as it is makes a force that balances
/// their momenta by itself. @pre of a RotationAngle the link tracks the angle. Proved by
/// CoordinateForce.*.
class CoordinateForce final : public PairForce {
 public:
  CoordinateForce(std::string name, const bodies::FrameLink& link, bodies::Coordinate coordinate,
                  std::unique_ptr<EffortLaw> law)
      : PairForce(std::move(name), link),
        coordinate_(std::move(coordinate)),
        law_(std::move(law)) {}

  /// The coordinate, how much longer than free, its rate, and what resists: length, extension, rate
  /// and force; or of an angle angle, extension, rate and torque.
  static const Readings& readings_of_length();
  static const Readings& readings_of_angle();
  Readings readings() const override;
  void read(const bodies::Kinematics& kinematics, double t, double* values) const override;
  Vector12 wrench(const FramePair& f, double t) const override;
  void add_derivatives(const FramePair& f, double t, Matrix12& by_position,
                       Matrix12& by_twist) const override;
  /// Of stops that are passed.
  std::string warning_at_start(const bodies::Kinematics& kinematics, double t) const override;
  double energy(const FramePair& f, double t) const override;
  double power(const FramePair& f, double t) const override;

  const bodies::Coordinate& coordinate() const { return coordinate_; }
  const EffortLaw& law() const { return *law_; }
  /// @throws base::ComputationError with the force's name where the law has no value
  Effort effort(const bodies::CoordinateValue& c, const FramePair& f, double t) const;

 private:
  bodies::Coordinate coordinate_;
  std::unique_ptr<EffortLaw> law_;
};

}  // namespace solidyn::forces
