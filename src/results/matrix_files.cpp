#include "solidyn/results/matrix_files.h"

#include <fmt/format.h>

#include <filesystem>

#include "solidyn/base/atomic_file.h"
#include "solidyn/base/hdf5.h"

namespace solidyn::results {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void write_dense(hid_t at, const std::string& name, const RowMajor& matrix) {
  base::write_dataset(at, name, matrix.data(), {matrix.rows(), matrix.cols()});
}

void write_text_files(const std::string& folder, const MatrixFiles& files) {
  std::filesystem::create_directories(folder);
  for (const auto& [name, values] : files.dense)
    base::write_atomically(folder + "/" + name + ".mtx", matrix_market(values));
  for (const auto& [name, values] : files.sparse)
    base::write_atomically(folder + "/" + name + ".mtx", matrix_market(values));
  for (const auto& [name, entries] : files.names)
    base::write_atomically(folder + "/" + name + ".txt",
                           fmt::format("{}\n", fmt::join(entries, "\n")));
}

void write_group(hid_t at, const MatrixFiles& files) {
  base::write_attribute(at, "time", files.time);
  for (const auto& [name, values] : files.dense) write_dense(at, name, values);
  for (const auto& [name, values] : files.sparse) write_dense(at, name, Eigen::MatrixXd(values));
  for (const auto& [name, entries] : files.names) base::write_dataset(at, name, entries);
}

}  // namespace

std::string matrix_market(const Eigen::MatrixXd& matrix) {
  std::string text = fmt::format("%%MatrixMarket matrix array real general\n{} {}\n", matrix.rows(),
                                 matrix.cols());
  for (Eigen::Index j = 0; j < matrix.cols(); ++j)
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) text += fmt::format("{}\n", matrix(i, j));
  return text;
}

std::string matrix_market(const Eigen::SparseMatrix<double>& matrix) {
  std::string text = fmt::format("%%MatrixMarket matrix coordinate real general\n{} {} {}\n",
                                 matrix.rows(), matrix.cols(), matrix.nonZeros());
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator it(matrix, j); it; ++it)
      text += fmt::format("{} {} {}\n", it.row() + 1, j + 1, it.value());
  return text;
}

void remove_numbered_folders(const std::string& folder) {
  std::filesystem::remove_all(folder);
  for (int i = 1; std::filesystem::exists(fmt::format("{}_{}", folder, i)); ++i)
    std::filesystem::remove_all(fmt::format("{}_{}", folder, i));
}

void write_matrices(const std::string& folder, const std::string& h5,
                    const std::vector<MatrixFiles>& all) {
  remove_numbered_folders(folder);
  base::H5File file = base::create_hdf5(base::temporary_name(h5));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    write_text_files(all.size() == 1 ? folder : folder + "_" + number, all[i]);
    write_group(base::create_group(file, number), all[i]);
  }
  file.close();
  base::replace_by_temporary(h5);
}

}  // namespace solidyn::results
