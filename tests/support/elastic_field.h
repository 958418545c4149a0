#pragma once
#include <functional>

#include "solidyn/bodies/floating_frame_body.h"

namespace solidyn::testing_support {

/// Collective. x := the field f of the nodes' positions less its rigid motion in the body's mass,
/// so that it satisfies the mean-axis condition.
void set_elastic_field(const bodies::FloatingFrameBody& body,
                       const std::function<Eigen::Vector3d(const Eigen::Vector3d&)>& f, ::Vec x);

}  // namespace solidyn::testing_support
