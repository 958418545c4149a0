#pragma once
#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <vector>

#include "solidyn/solvers/friction/contact_operator.h"

namespace solidyn::solvers::friction {

/// How a body takes part in a contact: u = sum over the bodies of the contact of J times the twist.
struct ContactLeg {
  int contact = 0, body = 0;
  Eigen::Matrix<double, 3, 6> J;  ///< rows normal, first and second tangent
};

/// W of free bodies that meet in contacts: W_ij = sum over the bodies b of both of J_ib A_b J_jb^T.
/// @param inverse_masses  [n bodies] A_b, 6 x 6: zero for a body that does not move
/// @throws base::InputError for entries that are not finite. Local.
ContactBlocks delassus_of_bodies(int n_contacts,
                                 const std::vector<Eigen::Matrix<double, 6, 6>>& inverse_masses,
                                 const std::vector<ContactLeg>& legs);

/// u = W r + q of a problem that is stated with its velocities, M v = H r + f, u = H^T v + w:
/// W = H^T M^-1 H, q = w + H^T M^-1 f.
struct CondensedProblem {
  ContactBlocks W;
  Eigen::VectorXd q;
};
/// @param M  [m, m] any regular matrix   @param H  [m, 3 n]
/// @throws base::ComputationError where M is singular; base::InputError for sizes. Local.
CondensedProblem condense(const Eigen::SparseMatrix<double>& M,
                          const Eigen::SparseMatrix<double>& H, const Eigen::VectorXd& f,
                          const Eigen::VectorXd& w);

}  // namespace solidyn::solvers::friction
