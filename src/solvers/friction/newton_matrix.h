#pragma once
#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <vector>

#include "solidyn/math/dense.h"
#include "solidyn/math/sparse_lu.h"
#include "solidyn/solvers/friction/contact_operator.h"

namespace solidyn::solvers::friction {

/// The matrix diag(A_i) + diag(C_i) W, and few couplings, over some contacts, and its factor: dense
/// where there are few.
class NewtonMatrix {
 public:
  explicit NewtonMatrix(const ContactBlocks& W);

  /// Starts anew, without rows.
  void begin();
  /// Adds the rows of one more contact; its columns are those of the contacts that have rows.
  void set_row(int contact, const Eigen::Matrix3d& A, const Eigen::Matrix3d& C);
  /// Adds to the rows of a contact what they have of another one's force beside W.
  /// @pre set_row() of the contact, and of the other one if that is ever called
  void couple(int contact, int other, const Eigen::Matrix3d& value);
  struct Coupling {
    int row, contact;
    Eigen::Matrix3d value;
  };
  /// Those to contacts without rows, which the caller knows the forces of.
  const std::vector<Coupling>& to_open() const { return to_open_; }
  /// False: singular.
  bool factorise();
  /// Of right-hand sides in the order of set_row(), refined once. @pre factorise()
  void solve(const Eigen::VectorXd& rhs, Eigen::VectorXd& x) const;
  int n_rows() const { return static_cast<int>(contacts_.size()); }
  int contact(int row) const { return contacts_[row]; }

 private:
  bool is_dense() const;
  void assemble();
  Eigen::VectorXd solve_once(const Eigen::VectorXd& rhs) const;

  const ContactBlocks& W_;
  bool is_full_;  // W
  std::vector<int> contacts_, place_;
  std::vector<Eigen::Matrix3d> A_, C_;
  std::vector<Coupling> couplings_, to_open_;
  Eigen::MatrixXd dense_;
  Eigen::SparseMatrix<double> sparse_;
  math::LuFactor dense_factor_;
  math::SparseLu sparse_factor_;
};

}  // namespace solidyn::solvers::friction
