#pragma once
#include <hdf5.h>

#include <cstdint>
#include <string>

#include "solidyn/elements/element_type.h"

namespace solidyn::results {

/// Names inside motion.h5.
constexpr const char* kMotionFormat = "solidyn motion";
constexpr std::int64_t kMotionVersion = 2;
/// The oldest that is read: without velocities and most symbols.
constexpr std::int64_t kOldestMotion = 1;

std::string motion_surface_path(int body);
std::string motion_cells_name(elements::ElementType shape);

/// @throws base::InputError when the file is not ours, or newer than this program
void require_motion_format(hid_t file, const std::string& path);

}  // namespace solidyn::results
