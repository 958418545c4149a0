#pragma once
#include "solidyn/base/typed_index.h"

/// What the things of a system are known by. Those of constraints are here because Kinematics has
/// their multipliers.
namespace solidyn::bodies {

using BodyIndex = base::TypedIndex<struct BodyTag>;
using FrameIndex = base::TypedIndex<struct FrameTag>;            ///< Kinematics::frames
using AngleIndex = base::TypedIndex<struct AngleTag>;            ///< Kinematics::angles
using ConstraintIndex = base::TypedIndex<struct ConstraintTag>;  ///< Kinematics::multipliers

inline constexpr BodyIndex kGround;              ///< what carries frames of the world
inline constexpr FrameIndex kWorld;              ///< what looks from nowhere else: world axes
inline constexpr AngleIndex kUntracked;          ///< of two frames whose turns are not counted
inline constexpr ConstraintIndex kNoConstraint;  ///< where no constraint is meant

}  // namespace solidyn::bodies
