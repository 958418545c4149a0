#pragma once
#include <memory>
#include <string>
#include <vector>

#include "report/run_folder.h"
#include "solidyn/results/read_fields.h"
#include "solidyn/results/read_motion.h"

namespace solidyn::report {

/// A run's motion as the page has it.
struct Scene {
  Json json;           ///< null: the run has no pictures
  double bound = 0.0;  ///< of positions at the times of pictures, m
  int n_pictures = 0;
  std::vector<std::string> notes;  ///< sentences for the reader
};

/// Where a run's pictures are. Either file may be missing.
struct PictureFiles {
  std::unique_ptr<results::MotionFile> motion;
  std::unique_ptr<results::FieldsFile> fields;
};
/// Of a run that has not ended a file that cannot be read is left out, and `notes` says so.
/// @throws base::InputError for a file that is damaged or none of ours
PictureFiles open_pictures(const RunFolder& run, std::vector<std::string>& notes);

/// Full meshes are those of fields.h5, at whose times the pictures then are; without motion.h5, as
/// in folders of an earlier Solidyn, all is what fields.h5 shows.
/// @param tolerance m; 0: 1/2000 of the mechanism's size
Scene make_scene(const PictureFiles& files, double tolerance, Blob& blob);

}  // namespace solidyn::report
