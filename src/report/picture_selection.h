#pragma once
#include <vector>

#include "report/scene.h"

namespace solidyn::report {

/// The pictures that are drawn: which they are of each file, and their numbers.
struct PictureSelection {
  results::MotionScene scene;
  std::vector<double> times;
  Eigen::MatrixXd rows;        ///< of motion.h5, [row length x pictures]
  std::vector<int> snapshots;  ///< of fields.h5, as many; or none
};

/// Those of motion.h5; where a body is in fields.h5 alone, those that both files have; of fields.h5
/// alone a body for each part, without anything but its surface.
PictureSelection select_pictures(const PictureFiles& files);

}  // namespace solidyn::report
