#pragma once
#include <vector>

#include "solidyn/analyses/minimal_coordinates.h"

namespace solidyn::analyses {

/// Orthonormal columns that span what `matrix` maps to zero, where its entries are known up to
/// `error`: both are scaled by rows and columns until errors are like 1, and pivots that are not
/// larger are none. A stiffness of 1 N/m beside one of 1e10 N/m is seen, and what is left of 1e10
/// N/m by cancellation is not. [m x n], [m x n]
Eigen::MatrixXd null_space_within(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& error);

/// Orthonormal columns with the span of independent ones. [n x k]
Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& columns);

/// Orthonormal columns that complete those of `basis`, which are independent. [n x k]
Eigen::MatrixXd complement(const Eigen::MatrixXd& basis);

/// The pencil A z = s E z of a linearised system, z = [y; u/rate], time in units of 1/rate, and
/// what is left of it when its zero eigenvalues are taken off, chains of them by one step after the
/// other. Those are as many small numbers to an eigenvalue solver: a chain of k makes errors of the
/// k-th root of round-off, doc/theory/linearisation.md.
class WithoutZeros {
 public:
  enum class Zeros { taken_off, kept };
  WithoutZeros(const MinimalCoordinates& m, double rate, Zeros zeros = Zeros::taken_off);

  const Eigen::MatrixXd& A() const { return A_; }
  const Eigen::MatrixXd& E() const { return E_; }
  /// y of an eigenvector of what is left, s in 1/rate. [n_y]
  Eigen::VectorXcd coordinates(std::complex<double> s, const Eigen::VectorXcd& w) const;

  /// Displacements that nothing brings back, columns [n_y]: those that go on once they move, and
  /// those that only stay where they are put, since something brakes them.
  const Eigen::MatrixXd& rigid() const { return rigid_; }
  const Eigen::MatrixXd& neutral() const { return neutral_; }
  int n_zeros() const { return n_zeros_; }

 private:
  // z = V v + W w; U1^T (A - s E) [V W] [v; w] = 0 gives v.
  struct Step {
    Eigen::MatrixXd V, W, UEV, UEW, UAW;
  };
  bool take_step();
  Eigen::MatrixXd those_that_go_on(const Eigen::MatrixXd& V) const;
  void name_kinds();

  int n_y_, n_zeros_ = 0;
  Eigen::MatrixXd A_, E_, error_;
  std::vector<Step> steps_;
  Eigen::MatrixXd rigid_, neutral_;
};

}  // namespace solidyn::analyses
