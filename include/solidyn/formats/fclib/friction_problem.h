#pragma once
#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <string>

namespace solidyn::formats {

/// A discrete problem of contacts with Coulomb friction as FCLIB's HDF5 files hold it (Acary,
/// Bremond, Koziara and Perignon 2014); three rows per contact, normal first.
///   local:   u = W r + q
///   global:  M v = H r + f,  u = H^T v + w
/// Units are the file's own; forces are impulses as a rule.
struct FclibProblem {
  bool is_global = false;
  Eigen::SparseMatrix<double> W;     ///< local [3 n, 3 n]
  Eigen::VectorXd q;                 ///< local [3 n]
  Eigen::SparseMatrix<double> M, H;  ///< global [m, m], [m, 3 n]
  Eigen::VectorXd f, w;              ///< global [m], [3 n]
  Eigen::VectorXd mu;                ///< [n]
  Eigen::VectorXd r;                 ///< a solution, or a guess; empty: none but zeros
  std::string title, description;
};

/// Local.
/// @throws base::InputError naming file and dataset: what is missing, of another size, not finite
/// or out of range; problems in the plane and with bilateral constraints, which are not read
FclibProblem read_fclib(const std::string& path);

/// Writes `path` anew; r as the group `solution`. Local. @throws base::Hdf5Error
void write_fclib(const std::string& path, const FclibProblem& problem);

}  // namespace solidyn::formats
