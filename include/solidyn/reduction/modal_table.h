#pragma once
#include <string>

#include "solidyn/reduction/reduced_body.h"

namespace solidyn::reduction {

/// How much of the body's rigid motions each mode carries, about the centre of mass:
///   factor(r, i) = R_r^T M X_i,   effective_mass(r, i) = factor^2 / M_ii,
/// with R_r the translations along x, y, z and the rotations about x, y, z. Free-free and
/// inertia-relieved modes carry none (rounding only); a rigid mode carries the mass or moment of
/// inertia it stands for.
struct Participation {
  Eigen::Matrix<double, 6, Eigen::Dynamic> factor;          ///< sqrt(kg), sqrt(kg) m
  Eigen::Matrix<double, 6, Eigen::Dynamic> effective_mass;  ///< kg, kg m^2
};
Participation compute_participation(const ReducedBody& body);

/// The table a user reads: per mode its kind, frequency, largest displacement per unit coordinate,
/// damping ratio and effective masses; below it their sums beside the body's mass and moments of
/// inertia.
std::string format_modal_table(const ReducedBody& body);

}  // namespace solidyn::reduction
