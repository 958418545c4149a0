#pragma once

namespace solidyn::solvers {

/// How the mechanism's linear systems are solved; `automatic` by their size, see
/// make_linear_solver().
enum class Preset { automatic, small, direct };

}  // namespace solidyn::solvers
