#pragma once
#include "body_solver.h"
#include "nodal_mass.h"

namespace solidyn::bodies {

/// K and M of a full-mesh body, products with them and solves with K + shift M. The factor is kept
/// while the shift stays. All calls are collective.
class BodyMatrices {
 public:
  /// @param x [3 x n_owned] node positions, m
  BodyMatrices(const std::string& name, const fem::ElasticBody& body, fem::MassKind kind,
               const Eigen::Matrix3Xd& x);

  base::Vec make_vector() const { return mass_.make_vector(); }
  void multiply_K(::Vec x, ::Vec y) const;  ///< y := K x
  void multiply_M(::Vec x, ::Vec y) const { mass_.multiply(x, y); }

  /// Makes K + shift M the matrix of solve(). @pre shift > 0
  void factor(double shift);
  void solve(::Vec b, ::Vec x) { solver_.solve(b, x); }  ///< (K + shift M) x = b
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B) { return solver_.solve(B); }
  void solve_mass(::Vec b, ::Vec x) { mass_.solve(b, x); }  ///< M x = b
  Eigen::MatrixXd solve_mass(const Eigen::MatrixXd& B) { return mass_.solve(B); }

  /// The largest diagonal entry of K over its mass, 1/s^2.
  double stiffness_over_mass() const { return mass_.stiffness_ratio(K_, 1.0) + 1.0; }

  const NodalMass& mass() const { return mass_; }

  int iterations() const { return solver_.iterations() + mass_.iterations(); }  ///< so far

 private:
  Eigen::Matrix3Xd x_;
  BodySolver solver_;
  base::Mat K_, A_;
  NodalMass mass_;
};

}  // namespace solidyn::bodies
