#include "report/linear_scene.h"

#include <cmath>
#include <filesystem>

namespace solidyn::report {

LinearScene make_linear_scene(const std::string& folder, double tolerance, Blob& blob) {
  const std::string path = folder + "/modes_motion.h5";
  LinearScene modes;
  if (!std::filesystem::exists(path)) return modes;
  PictureFiles files;
  files.motion = std::make_unique<results::MotionFile>(path);
  modes.scene = make_scene(files, tolerance, blob);
  // A time is the row, and behind the point how far the mode is in its period.
  const std::vector<double>& times = files.motion->times();
  for (std::size_t first = 0; first < times.size();) {
    std::size_t end = first;
    while (end < times.size() && std::floor(times[end]) == std::floor(times[first])) ++end;
    modes.periods.push_back({{"row", static_cast<std::int64_t>(times[first])},
                             {"first", first},
                             {"count", end - first}});
    first = end;
  }
  return modes;
}

}  // namespace solidyn::report
