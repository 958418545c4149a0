#pragma once

namespace solidyn::solvers::friction {

enum class Method {
  automatic,           ///< by size and by what the sweeps gain; goes from one method to the next
  newton,              ///< semismooth Newton on Alart and Curnier's equations, line search
  gauss_seidel,        ///< contact by contact, each solved exactly
  interior_point,      ///< all contacts at once, from nothing; Newton's method for the last digits
  projected_gradient,  ///< accelerated; needs products with W only
  convex               ///< interior point of the associated law, which opens gaps where it slips
};
const char* name(Method method);

}  // namespace solidyn::solvers::friction
