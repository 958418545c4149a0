#pragma once

namespace solidyn::math {

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kTwoPi = 2.0 * kPi;  ///< angular frequency of 1 Hz, rad/s
inline constexpr double kRadiansPerDegree = kPi / 180.0;

}  // namespace solidyn::math
