#pragma once
#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <vector>

#include "nodal_axes.h"
#include "solidyn/base/petsc.h"
#include "solidyn/fem/elastic_body.h"

namespace solidyn::bodies {

/// The mass matrix of a full-mesh body, lumped or consistent. All calls are collective.
class NodalMass {
 public:
  /// @param format of the consistent matrix, so that it can be added to a stiffness
  NodalMass(const fem::ElasticBody& body, fem::MassKind kind, MatType format);

  fem::MassKind kind() const { return kind_; }
  base::Vec make_vector() const;  ///< zeros
  void multiply(::Vec x, ::Vec y) const;
  /// From now on solve() works on components along the nodes' axes, and treats these rows (local,
  /// of the 3 n_owned) as those of the identity.
  void hold(const std::vector<PetscInt>& rows, const NodalAxes& axes);
  void solve(::Vec b, ::Vec x);
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B);
  /// The same of this rank's rows, of a lumped mass without held rows. Local.
  Eigen::SparseMatrix<double> solve_sparse(const Eigen::SparseMatrix<double>& B) const;
  /// A += shift M, A with the body's pattern.
  void add_to(double shift, Mat A) const;
  /// Of M, without held rows.
  void get_diagonal(::Vec diagonal) const;
  /// Largest (A_ii - factor m_i) / (factor m_i), m the lumped masses. @param A may be a shell that
  ///   knows its diagonal
  double stiffness_ratio(Mat A, double factor) const;
  int iterations() const { return iterations_; }

 private:
  fem::MassKind kind_;
  base::Mat M_, M_held_;                // consistent
  base::Vec diagonal_, diagonal_held_;  // lumped mass, 3n
  base::Ksp ksp_;
  int iterations_ = 0;
};

/// Of the matrix in use; the lumped mass' moments differ from the mesh's own by the mesh error.
struct MassMoments {
  Eigen::VectorXd m;    ///< [n_owned] row sums, kg
  Eigen::Matrix3Xd mx;  ///< [3 x n_owned] matrix times positions in mesh axes, kg m
  fem::MassProperties properties;
};

/// Collective.
MassMoments find_mass_moments(const NodalMass& mass, const mesh::DistributedMesh& mesh);

}  // namespace solidyn::bodies
