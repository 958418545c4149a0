#include "integrators/refusals.h"

#include <fmt/format.h>

#include <cmath>

#include "solidyn/base/error.h"

namespace solidyn::integrators {

void require_step(double h) {
  if (!(h > 0.0 && std::isfinite(h)))
    throw base::InputError(fmt::format("a step of {} s: a step is finite and longer than 0 s", h));
}

void refuse_full_meshes(const system::System& system, const char* integrator) {
  if (!system.layout().nodal_bodies().empty())
    throw base::InputError(
        fmt::format("`{}` with full-mesh bodies is not yet implemented", integrator),
        "choose the integrator `generalized_alpha`, `hht` or `bathe`, or reduce the bodies");
}

}  // namespace solidyn::integrators
