#pragma once
#include "report/picture_selection.h"

namespace solidyn::report {

/// The box around all that moves, over all pictures; full meshes are looked at in some of them.
Eigen::AlignedBox3d extent_of_scene(const PictureFiles& files, const PictureSelection& selection);

/// In body axes.
Eigen::AlignedBox3d box_around(const results::MotionPrimitive& primitive);

}  // namespace solidyn::report
