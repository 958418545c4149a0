#pragma once

namespace solidyn::integrators {

/// How Newton's method gets its matrix. Of bodies that can compute theirs anew (absolute
/// coordinates): kept, turned with the body and renewed when convergence slows; or the consistent
/// one in every iteration.
enum class NewtonTangent { kept, consistent };

}  // namespace solidyn::integrators
