#include "solidyn/wheel_rail/flexible_rails.h"

namespace solidyn::wheel_rail {

using track::SleeperTrack;

void RailsUnderWheels::follow(const FlexibleRails& rails, double s,
                              const bodies::Kinematics& kinematics) {
  element_ = rails.track.element_at(s);
  q_.setZero();
  v_.setZero();
  if (!is_on()) return;
  for (int way = 0; way < kWays; ++way)
    for (const int end : {0, 1}) {
      const int node = rails.track.rail_node(
          element_ + end, static_cast<SleeperTrack::Rail>(way / track::kBendings),
          static_cast<track::Bending>(way % track::kBendings));
      if (node < 0) continue;
      const bodies::BodyState& state = kinematics.bodies[rails.nodes[node]];
      q_.block<2, 1>(2 * end, way) = state.q_e;
      v_.block<2, 1>(2 * end, way) = state.v;
    }
}

RailDeflection RailsUnderWheels::at(const FlexibleRails& rails, bool is_left, double s) const {
  RailDeflection d;
  if (!is_on()) return d;
  const SleeperTrack::Shape N = shape(rails, s);
  const auto bent = [&](int way) {
    return track::Deviation{N.N.dot(q_.col(way)), N.N_s.dot(q_.col(way)), N.N_ss.dot(q_.col(way))};
  };
  const int first = track::kBendings * (is_left ? SleeperTrack::kLeft : SleeperTrack::kRight);
  d.up = bent(first + track::kVerticalBending);
  d.left = bent(first + track::kLateralBending);
  d.up_rate = N.N.dot(v_.col(first + track::kVerticalBending));
  d.left_rate = N.N.dot(v_.col(first + track::kLateralBending));
  return d;
}

}  // namespace solidyn::wheel_rail
