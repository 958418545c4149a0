#pragma once
#include "solidyn/analyses/linear_io.h"

namespace solidyn::analyses {

/// The steady answer to inputs e^(i omega t) of size 1: amplitude and phase of each output as a
/// complex number, [outputs x inputs]. Forces come first, then motions of drives. Solves
///   [K + i omega D - omega^2 M, B; G, 0] [x; mu] = [f; g]
/// (velocity-level rows: i omega G + E), sparse and direct.
/// @pre the linearisation's coefficients are constant: rest or steady motion
/// Where nothing limits the answer to an input at this frequency, its column is (inf, nan).
Eigen::MatrixXcd frequency_response(const system::Linearisation& linear, const LinearInputs& inputs,
                                    const LinearOutputs& outputs, double frequency_hz);

}  // namespace solidyn::analyses
