#pragma once
#include "solidyn/analyses/modes.h"

namespace solidyn::analyses {

/// A mode with its shape x scaled to modal mass 1, the largest part real and positive.
Mode make_mode(const system::Linearisation& linear, Mode::Kind kind, std::complex<double> s,
               const Eigen::VectorXcd& x);

/// Of an eigenvalue that is not zero.
Mode::Kind kind_of(std::complex<double> s);

}  // namespace solidyn::analyses
