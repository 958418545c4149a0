#pragma once
#include <Eigen/Dense>
#include <vector>

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

}  // namespace solidyn::recursive
