#pragma once
#include <Eigen/Dense>
#include <vector>

#include "math/small_product.h"
#include "solidyn/math/dense.h"

namespace solidyn::recursive {

/// A^-1 of the rows and columns that pivoting takes while pivots stay above `smallest` times the
/// largest, or one where that is more (rows have been scaled to one, but those that nothing moves),
/// and `max_rank` is not reached; rows and columns of the others are zero in it. Small matrices.
/// Local.
struct PivotedInverse {
  Eigen::MatrixXd inverse;
  std::vector<int> left;    ///< rows that were not taken
  double last_pivot = 1.0;  ///< over the largest, and its row; -1 where none was taken
  int last_row = -1;
};
/// `diagonal`: pivots on the diagonal, of symmetric matrices that are not negative.
enum class Pivots { diagonal, all };
PivotedInverse pivoted_inverse(const Eigen::MatrixXd& A, double smallest, int max_rank,
                               Pivots pivots);

/// What invert() needs beside the matrix, kept from call to call.
struct InverseWork {
  Eigen::MatrixXd row;
  Eigen::VectorXd column;
  std::vector<int> exchanged;
};
/// A := A^-1 of a square matrix, with exchange of rows. @return whether it is regular; if not, A is
/// lost. Local, no allocation where it is small. Proved by Invert.*
bool invert(Eigen::MatrixXd& A, InverseWork& work);

/// A link's matrix D of unknowns, for solutions with it. By its inverse; where stiff forces that
/// act across the unknowns make one of D's rows nearly a sum of others, by factors: what a product
/// with an inverse misses of a right-hand side grows with the square of such a stiffness, what
/// factors miss does not. Local. Proved by Divisor.*
class Divisor {
 public:
  /// @return whether D is regular
  bool compute(const Eigen::Ref<const Eigen::MatrixXd>& D, InverseWork& work);
  /// x += factor D^-1 b. Vectors, or matrices by columns.
  template <class Right, class Left>
  void add_solution(const Right& b, Left&& x, double factor = 1.0) const {
    if (has_factors_)
      x += factor * factors_.solve(b);
    else
      math::add_small_product(inverse_, b, x, factor);
  }
  bool has_factors() const { return has_factors_; }
  const Eigen::MatrixXd& inverse() const { return inverse_; }

 private:
  Eigen::MatrixXd inverse_;
  math::LuFactor factors_;
  bool has_factors_ = false;
};

}  // namespace solidyn::recursive
