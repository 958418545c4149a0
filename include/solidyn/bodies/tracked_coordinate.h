#pragma once
#include <string>

#include "solidyn/bodies/pair_coordinates.h"

namespace solidyn::bodies {

/// A number that two frames determine only together with where it was: the place of a point on a
/// curve that comes back to itself. It is zero as modelled. System keeps it for the last accepted
/// state, as it keeps angles with their whole turns, and FramePair::angle is its value.
class TrackedCoordinate {
 public:
  virtual ~TrackedCoordinate() = default;

  /// The value that is reached without a jump from that of the last accepted state, f.angle.
  virtual double follow(const FramePair& f) const = 0;
  /// Its rate is row twist; f.angle is its value.
  virtual Row12 row(const FramePair& f) const = 0;
  /// By which angle what guides it turns per unit at this value, rad: steps resolve it.
  virtual double turn_per_unit(double value) const = 0;
  /// Why a step is too long for it to be followed, in which it went from `before` to `now` and the
  /// motion is `moved` to first order; empty when it is not.
  virtual std::string rejection(double before, double now, double moved) const = 0;
  /// Of a value that is accepted at time t.
  /// @throws base::ComputationError where the motion cannot go on from there
  virtual void require_possible(double value, double t) const = 0;
};

}  // namespace solidyn::bodies
