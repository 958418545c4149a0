#pragma once
#include "reduction/basis/free_body.h"

namespace solidyn::reduction {

/// Collective. How many elastic modes of the free body lie below `frequency` [Hz], by Sylvester's
/// law of inertia: the negative pivots of K - sigma M = L D L^T (MUMPS), less the six rigid
/// motions. Exact, whatever the multiplicities; unless an eigenvalue equals sigma to rounding.
/// Memory and time of one indefinite factorisation, freed on return.
int count_free_modes_below(const FreeBody& body, double frequency);

/// Collective. The same with the frames held, F^T u = 0. With A = K - sigma M, the bordered matrix
/// [A F; F^T 0] has as many negative eigenvalues as A and -F^T A^-1 F together, and as the held
/// body and the m independent conditions together:
///   n = n_-(A) + n_+(F^T A^-1 F) - m.
/// @param F [rows x m] unit loads on the frames
int count_held_modes_below(const FreeBody& body, const MultiVector& F, double frequency);

}  // namespace solidyn::reduction
