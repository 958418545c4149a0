#pragma once
#include "solidyn/materials/material.h"

namespace solidyn::fem {

using materials::check;
using materials::Elasticity;
using materials::IsotropicElastic;
using materials::Material;

}  // namespace solidyn::fem
