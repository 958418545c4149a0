#pragma once

namespace solidyn::integrators {

/// What becomes of gaps of closed set-valued contacts, whose laws hold for velocities, at the end
/// of a step: they drift away from zero, or are closed by the smallest move in the metric of the
/// iteration matrix, which velocities have no part in (doc/theory/nonsmooth.md). Of `moreau_jean`
/// joints likewise.
enum class Stabilisation { none, projection };

}  // namespace solidyn::integrators
