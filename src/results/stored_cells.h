#pragma once
#include <hdf5.h>

#include "solidyn/results/read_motion.h"

namespace solidyn::results {

/// Cells of one shape. @throws base::InputError when they are none, or name nodes beyond `n_nodes`
StoredSurface::Cells read_cells(hid_t at, const std::string& name, elements::ElementType shape,
                                std::int64_t n_nodes, const std::string& path);

/// @throws base::InputError without cells, or where nodes have numbers that no node has
void require_sound_surface(const StoredSurface& surface, const std::string& of,
                           const std::string& path);

}  // namespace solidyn::results
