#pragma once
#include <Eigen/Sparse>

#include "solidyn/system/system.h"

namespace solidyn::system {

/// What coordinates of forces obey (forces::InternalState), as rows of velocity level that act on
/// nothing else: by rates, and by positions. [laws x velocities]
struct RateLaws {
  Eigen::SparseMatrix<double> by_rate, by_position;
};

/// @pre System::update() of the state that they are linearised about
RateLaws find_rate_laws(const System& system);

/// The rows of both, of as many columns, one after the other.
Eigen::SparseMatrix<double> stacked(const Eigen::SparseMatrix<double>& upper,
                                    const Eigen::SparseMatrix<double>& lower);

}  // namespace solidyn::system
