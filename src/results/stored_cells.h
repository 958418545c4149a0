#pragma once
#include <hdf5.h>

#include "solidyn/results/read_motion.h"

namespace solidyn::results {

/// Cells of one shape. @throws base::InputError when they name nodes beyond `n_nodes`
StoredSurface::Cells read_cells(hid_t at, const std::string& name, elements::ElementType shape,
                                std::int64_t n_nodes, const std::string& path);

}  // namespace solidyn::results
