#pragma once
#include <memory>

#include "solidyn/forces/coordinate.h"
#include "solidyn/forces/effort.h"
#include "solidyn/forces/pair_force.h"

namespace solidyn::forces {

/// Springs, dampers, stops and motors along a coordinate of two frames: the wrench is
///   -effort(x, dx/dt, t) J^T,   dx/dt = J twist      doc/theory/forces.md
/// @pre of Coordinate::rotation the link tracks the angle. Proved by CoordinateForce.*.
class CoordinateForce final : public PairForce {
 public:
  CoordinateForce(std::string name, const bodies::FrameLink& link, Coordinate coordinate,
                  std::unique_ptr<EffortLaw> law)
      : PairForce(std::move(name), link), coordinate_(coordinate), law_(std::move(law)) {}

  Coordinate coordinate() const { return coordinate_; }
  Vector12 wrench(const FramePair& f, double t) const override;
  void add_derivatives(const FramePair& f, double t, Matrix12& by_position,
                       Matrix12& by_twist) const override;
  double energy(const FramePair& f, double t) const override;
  double power(const FramePair& f, double t) const override;

 private:
  Coordinate coordinate_;
  std::unique_ptr<EffortLaw> law_;
};

}  // namespace solidyn::forces
