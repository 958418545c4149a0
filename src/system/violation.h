#pragma once
#include <string>

#include "solidyn/system/system.h"

namespace solidyn::system {

/// "joint a (translation along world x) by 0.1, ...": the rows of a residual that are violated
/// most.
std::string worst_rows(const System& system, const Eigen::VectorXd& residual);

/// "drive push (driven), joint crank_pin, ...": the constraints with the largest parts of a vector
/// with an entry for each of their rows, largest first.
std::string worst_constraints(const System& system, const Eigen::VectorXd& residual);

/// "; driven by: a, b" of the drives there are, or nothing.
std::string driven_by(const System& system);

/// Parts in which the way of a failed step is gone through again: half a turn in one step is told
/// from a contradiction.
constexpr int kSubsteps = 16;

/// Zeroes the rows of drives.
void let_drives_go(const System& system, Eigen::VectorXd& rows);

/// What positions cannot be told apart by, m: the round-off of sums of coordinates.
double position_roundoff(const State& state);

/// One over the size of each row of G with columns [n_v] in units of the weights; 1 for zero rows.
Eigen::VectorXd row_scales(const System& system, const Eigen::VectorXd& weights);

}  // namespace solidyn::system
