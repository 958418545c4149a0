#pragma once
#include "reduction/basis/basis.h"
#include "solidyn/reduction/quality.h"

namespace solidyn::reduction {

/// Collective. Compares the reduced body with its mesh: one more eigenproblem, and static
/// correction modes to unit loads at all interfaces.
QualityCheck check_quality(const FreeBody& body, FreeBodySolver& solver, const Basis& basis,
                           const ReducedBody& reduced);

}  // namespace solidyn::reduction
