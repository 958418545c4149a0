#include "results/motion_layout.h"

#include <fmt/format.h>

#include "solidyn/base/error.h"
#include "solidyn/base/hdf5.h"
#include "solidyn/elements/edge_order.h"

namespace solidyn::results {

std::string motion_surface_path(int body) { return fmt::format("surfaces/{}", body); }

std::string motion_cells_name(elements::ElementType shape) {
  return fmt::format("cells_{}", elements::name(shape));
}

void require_motion_format(hid_t file, const std::string& path) {
  if (SOLIDYN_HDF5(H5Aexists(file, "format")) <= 0 ||
      base::read_string_attribute(file, "format") != kMotionFormat)
    throw base::InputError(fmt::format("{} was not written by Solidyn", path),
                           "move it away, and run the model again");
  const std::int64_t version = base::read_integer_attribute(file, "format_version");
  if (version < kOldestMotion || version > kMotionVersion)
    throw base::InputError(
        fmt::format("{} has format {}; this program reads formats {} to {}", path, version,
                    kOldestMotion, kMotionVersion),
        version > kMotionVersion ? "use a newer Solidyn" : "run the model again");
}

}  // namespace solidyn::results
