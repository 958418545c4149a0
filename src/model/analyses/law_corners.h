#pragma once
#include <optional>

#include "solidyn/math/time_function.h"

namespace solidyn::model {

/// An instant at which the rate of a law jumps, or the law itself.
struct LawCorner {
  double t = 0.0;  ///< s
  double rate_before = 0.0, rate_after = 0.0;
  bool is_step = false;  ///< the law itself jumps, and the rates mean nothing
};

/// The sharpest corner of a law between 0 and `end`, if there is one: differences of rates over
/// ever shorter intervals fall with them where a law is smooth, and stay where it is not. Local.
/// @throws base::ComputationError where the law has no value
std::optional<LawCorner> find_corner(const math::TimeFunction& law, double end);

}  // namespace solidyn::model
