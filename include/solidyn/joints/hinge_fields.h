#pragma once
#include <array>

#include "solidyn/joints/hinge.h"

namespace solidyn::joints {

/// The columns of a hinge as velocity fields: [velocity of what is at A's origin; angular
/// velocity], in A's axes, so that frame B's place is not in them but by what they are. Along a
/// motion q, u, du, and by an increment of each coordinate.
struct HingeFields {
  using Columns = HingeMotion::Columns;
  Columns S, dS, ddS;         ///< [6 x n_speeds], first and second rate
  std::array<Columns, 6> by;  ///< dS by the increment of each coordinate
};

/// @param q [n_coordinates], u and du [n_speeds]. Local, no allocation.
/// Proved by Hinges.FieldsAreThoseOfTheirColumnsAndTheirRates.
void compute_fields(const Hinge& hinge, const double* q, const double* u, const double* du,
                    HingeFields& fields);

}  // namespace solidyn::joints
