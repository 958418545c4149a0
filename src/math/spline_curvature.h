#pragma once
#include <vector>

#include "solidyn/math/time_function.h"

namespace solidyn::math {

/// Second derivatives at its points of the cubic spline through (t[i], y[i]).
/// @pre as of make_table_form
std::vector<double> spline_curvature(const std::vector<double>& t, const std::vector<double>& y,
                                     const TimeFunction::Ends& ends);

}  // namespace solidyn::math
