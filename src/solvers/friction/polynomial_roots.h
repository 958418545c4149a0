#pragma once
#include <array>

namespace solidyn::solvers::friction {

/// Real roots of a polynomial of degree four at most, ascending, double ones once.
struct RealRoots {
  std::array<double, 4> values{};
  int count = 0;
};

/// p(t) = sum of c[k] t^k. Between the roots of the derivative p is monotone, so that each root is
/// bracketed: no root is lost to round-off, and a double one is found where |p| is of its size.
/// Coefficients below 1e-14 of the largest count as zero; p = 0 everywhere has no roots here.
RealRoots real_roots(const std::array<double, 5>& c);

}  // namespace solidyn::solvers::friction
