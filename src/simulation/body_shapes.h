#pragma once
#include <optional>

#include "solidyn/bodies/body.h"
#include "solidyn/model/appearance.h"
#include "solidyn/results/motion.h"

namespace solidyn::simulation {

/// What stands for a body without a mesh: a box of the same mass and inertia, or a small sphere
/// where these have no extent. @param smallest m, of what would be seen
results::MotionPrimitive box_of_inertia(const bodies::Body& body, double smallest);

/// That of `appearance`; empty without a shape.
std::optional<results::MotionPrimitive> primitive_of(const model::Appearance& appearance);

}  // namespace solidyn::simulation
