#pragma once
#include "math/pack.h"

/// Packs of one element per lane under the names by which the kernels call them; their operators
/// are found by their arguments.
namespace solidyn::fem {

using math::broadcast;
using math::kLanes;
using math::largest;
using math::log;
using math::Pack;
using math::smaller;
using math::sqrt;
using math::Tensor;
using math::Vector;

}  // namespace solidyn::fem
