#pragma once

namespace solidyn::reduction {

/// What a basis has beside eigenmodes; doc/theory/reduction.md.
enum class StaticCorrection { none, at_interfaces };
enum class ConstraintModesAt { none, interfaces };
enum class GeometricStiffening { none, second_order };

}  // namespace solidyn::reduction
