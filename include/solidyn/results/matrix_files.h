#pragma once
#include <Eigen/Sparse>
#include <string>
#include <vector>

namespace solidyn::results {

/// Matrices of one linearisation, with the names of what their rows and columns are.
struct MatrixFiles {
  struct Dense {
    std::string name;
    Eigen::MatrixXd values;
  };
  struct Sparse {
    std::string name;
    Eigen::SparseMatrix<double> values;
  };
  struct Names {
    std::string name;
    std::vector<std::string> entries;
  };
  double time = 0.0;  ///< s
  std::vector<Dense> dense;
  std::vector<Sparse> sparse;
  std::vector<Names> names;
};

/// Local. Matrix Market: `array` for dense, `coordinate` for sparse matrices, real and general.
std::string matrix_market(const Eigen::MatrixXd& matrix);
std::string matrix_market(const Eigen::SparseMatrix<double>& matrix);

/// Local. Removes `folder`, `folder`_1, `folder`_2 ... with all that is in them.
void remove_numbered_folders(const std::string& folder);

/// Local. What earlier ones have left is removed. One folder per linearisation,
/// `folder/NAME.mtx`; with several the folder's name ends in _1, _2 ... and in one HDF5 file `h5`
/// the same, in groups /1, /2 ...: datasets with rows as rows, names as texts, `time` as an
/// attribute. Sparse matrices are dense there.
void write_matrices(const std::string& folder, const std::string& h5,
                    const std::vector<MatrixFiles>& all);

}  // namespace solidyn::results
