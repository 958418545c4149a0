#pragma once
#include <vector>

#include "report/scene.h"

namespace solidyn::report {

/// The pictures that are drawn: which they are of each file, and their numbers.
struct PictureSelection {
  results::MotionScene scene;
  std::vector<double> times;
  Eigen::MatrixXd rows;            ///< of motion.h5, [row length x pictures]
  std::vector<int> snapshots;      ///< of fields.h5, as many; or none
  std::vector<std::string> notes;  ///< what was left out

  /// Null: its nodes are not in fields.h5.
  const results::FieldsFile::Part* part_of(const PictureFiles& files,
                                           const results::MotionBody& body) const;
};

/// Those of motion.h5; where a body is in fields.h5 alone, those that both files have; of fields.h5
/// alone a body for each part, without anything but its surface.
PictureSelection select_pictures(const PictureFiles& files);

}  // namespace solidyn::report
