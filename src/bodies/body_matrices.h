#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <string>

#include "solidyn/base/petsc.h"
#include "solidyn/fem/elastic_body.h"

namespace solidyn::bodies {

/// K and M of a full-mesh body, products with them and solves with K + shift M. The factor is kept
/// while the shift stays. All calls are collective.
///
/// Default: Cholesky, CHOLMOD on one rank with the node graph ordered by METIS, MUMPS on several;
/// conjugate gradients with GAMG on the rigid motions when the factor would not fit into the
/// machine's memory. PETSc options with the prefix `body_<name>_` (where there are any; else
/// `body_`) override every choice.
class BodyMatrices {
 public:
  /// @param x [3 x n_owned] node positions, m
  BodyMatrices(const std::string& name, const fem::ElasticBody& body, fem::MassKind kind,
               const Eigen::Matrix3Xd& x);

  base::Vec make_vector() const;
  void multiply_K(::Vec x, ::Vec y) const;  ///< y := K x
  void multiply_M(::Vec x, ::Vec y) const;  ///< y := M x

  /// Makes K + shift M the matrix of solve(). @pre shift > 0
  void factor(double shift);
  void solve(::Vec b, ::Vec x);  ///< (K + shift M) x = b
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B);
  void solve_mass(::Vec b, ::Vec x);  ///< M x = b
  Eigen::MatrixXd solve_mass(const Eigen::MatrixXd& B);

  int iterations() const { return iterations_; }  ///< of all solves so far

 private:
  void configure(const std::string& prefix);
  void attach_rigid_motions(const Eigen::Matrix3Xd& x);
  void check(KSP ksp);

  MPI_Comm comm_;
  std::string name_;
  fem::MassKind kind_;
  base::Mat K_, A_;
  base::Mat M_;         // consistent mass, in K's format
  base::Vec diagonal_;  // lumped mass, 3n
  base::Vec scaled_diagonal_;
  base::Ksp ksp_, mass_ksp_;
  bool is_iterative_ = false;
  int iterations_ = 0;
};

}  // namespace solidyn::bodies
