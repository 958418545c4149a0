#pragma once
#include "body_matrices.h"
#include "ports.h"
#include "solidyn/math/dense.h"

namespace solidyn::bodies {

/// Solves with A = K + c P6 P6^T, where K is the stiffness of a body that nothing holds and P6 its
/// six moments (the first columns of its ports). The springs c are a function of ports, so that a
/// condensed block gives them back exactly: (P^T A^-1 P)^-1 - c I6. With the rigid motions T, K T =
/// 0 and N = P6^T T:
///   A^-1 P6 = T N^-1 / c,     A^-1 b = T N^-1 beta / c + x,  b = P6 beta + b0,  T^T b0 = 0,
///   K x = b0,  P6^T x = 0
/// where x comes by iterations with the factor of K + shift M, a shift far below the lowest
/// frequency. All calls are collective. Proved by tests/programs/statics_then_dynamics.py.
class FreeStiffness {
 public:
  /// @param rigid [3 n_owned x 6] rigid motions; all outlive this object
  FreeStiffness(const std::string& name, BodyMatrices& matrices, const Ports& ports,
                Eigen::MatrixXd rigid);

  /// Makes K + shift M the matrix of the solver.
  void factor();
  /// A^-1 B. @pre factor() was called last of all that factorise
  /// @throws base::ComputationError where K leaves more than the rigid motions free
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B);
  double spring() const { return spring_; }  ///< c

 private:
  Eigen::MatrixXd balanced(const Eigen::MatrixXd& B) const;
  Eigen::MatrixXd without_rigid_part(const Eigen::MatrixXd& X) const;
  Eigen::MatrixXd residual(const Eigen::MatrixXd& B, const Eigen::MatrixXd& X) const;
  Eigen::MatrixXd coefficients(const Eigen::MatrixXd& B) const;  ///< beta
  Eigen::VectorXd norms(const Eigen::MatrixXd& X) const;

  std::string name_;
  BodyMatrices& matrices_;
  const Ports& ports_;
  Eigen::MatrixXd rigid_;
  math::LuFactor N_;
  double spring_ = 1.0, shift_ = 0.0;
};

}  // namespace solidyn::bodies
