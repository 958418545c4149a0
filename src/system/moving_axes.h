#pragma once
#include "solidyn/system/linearisation.h"

namespace solidyn::system {

/// The axes that small motions are written in, as they move: what T, V, A1 and A0 of a
/// Linearisation follow from.
class MovingAxes {
 public:
  explicit MovingAxes(IncrementAxes axes) : axes_(axes) {}
  explicit MovingAxes(const Carriage& carriage)
      : axes_(IncrementAxes::world), carriage_(&carriage) {}

  /// T of the state that the system is at, `time` (s) after the one that is linearised. [n_v x n_v]
  Linearisation::Matrix map(const System& system, double time = 0.0) const;
  /// T, V, A1 and A0. @pre System::update() of the state; l.rate
  void set_maps(const System& system, Linearisation& l) const;
  /// moved_along(), or carried_along()
  State later(const System& system, const State& state, double time) const;

 private:
  bool is_carried(BodyIndex b) const { return carriage_ && carriage_->bodies.count(b) > 0; }
  // In W, and the angular velocity and its rate, in the axes themselves.
  Eigen::Matrix3d orientation(const bodies::BodyState& s, BodyIndex b, double time) const;
  Eigen::Vector3d turning(const bodies::BodyState& s, BodyIndex b) const;
  Eigen::Vector3d turning_rate(const bodies::BodyState& s) const;

  IncrementAxes axes_;
  const Carriage* carriage_ = nullptr;
};

}  // namespace solidyn::system
