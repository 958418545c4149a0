#pragma once
#include "model/places/joint_frames.h"

namespace solidyn::model {

/// Where the two frames of a joint, or of a drive that is its own joint, stand. Not of couplings
/// and paths.
TwoPoses poses_of(const JointDescription& joint, const PlaceFinder& places);

/// Warns of joints whose two places have poses of their own that do not fit as drawn.
/// @throws base::InputError where they are more than a right angle from fitting
void check_gaps(const ModelDescription& model, const PlaceFinder& places);

}  // namespace solidyn::model
