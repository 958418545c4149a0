#pragma once
#include "solidyn/analyses/sensor_quantities.h"
#include "solidyn/analyses/sensors.h"
#include "solidyn/joints/joint.h"

namespace solidyn::analyses {

enum class Derivative { none, first, second };
enum class Turns { counted, wrapped };  ///< of an angle: with whole turns, or in (-pi, pi]

/// A coordinate of a pair of frames, or its rate or acceleration: an angle (rad) or a length (m).
/// Angles count whole turns where the link's angle is tracked.
Sensor coordinate_sensor(const std::string& name, const bodies::FrameLink& link,
                         const bodies::Coordinate& coordinate, Derivative derivative,
                         Turns turns = Turns::counted);

/// Which of a joint's two frames something belongs to.
enum class JointSide { first, second };

/// Force (N) and torque (N m) that a joint exerts on the carrier of one of its frames, at that
/// frame's origin.
/// @param constraint of the system, a joints::Joint    @param components 0..2 force, 3..5 torque
Sensor reaction_sensor(const std::string& name, bodies::ConstraintIndex constraint, JointSide on,
                       ReactionAxes axes, const std::vector<int>& components);

}  // namespace solidyn::analyses
