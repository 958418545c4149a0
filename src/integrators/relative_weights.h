#pragma once
#include "solidyn/recursive/tree.h"

namespace solidyn::integrators {

/// What increments of coordinates count by: of translations as fractions of `length`, m, of angles
/// in rad, of elastic coordinates by how far they move the body, as translations. [n_speeds]
Eigen::VectorXd increment_weights(const recursive::Tree& tree, double length);

}  // namespace solidyn::integrators
