#pragma once
#include "recursive/link_fields.h"
#include "solidyn/recursive/dynamics_derivatives.h"

namespace solidyn::recursive {

/// @pre LinkFields::evaluate()
BodyMotions motions_of_bodies(const Tree& tree, const LinkFields& fields);

}  // namespace solidyn::recursive
