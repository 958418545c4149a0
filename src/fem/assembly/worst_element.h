#pragma once
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "fem/assembly/element_groups.h"
#include "solidyn/base/mpi.h"

namespace solidyn::fem {

/// Remembers the element with the smallest det F; one that is not a number is the worst of all.
class WorstElement {
 public:
  void note(const ElementGroup& group, std::size_t batch, const Pack& det) {
    for (int lane = 0; lane < kLanes; ++lane)
      if (!(det[lane] >= found.det_F) && !std::isnan(found.det_F))
        found = {det[lane], group.type, group.tags[batch * kLanes + lane]};
  }
  SmallestVolumeRatio found{std::numeric_limits<double>::infinity(), {}, 0};
};

/// Collective.
inline void throw_if_inverted(MPI_Comm comm, const SmallestVolumeRatio& worst) {
  std::exception_ptr error;
  if (!(worst.det_F > 0.0))
    error = std::make_exception_ptr(base::ComputationError(fmt::format(
        "{} element {} is inverted: det F = {:.3g}\n  take smaller steps, or refine the mesh there; if this is the first step, check loads and supports",
        elements::name(worst.type), worst.tag, worst.det_F)));
  base::throw_on_all_ranks_if_any(comm, error);
}

}  // namespace solidyn::fem
