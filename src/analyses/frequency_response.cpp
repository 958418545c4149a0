#include "solidyn/analyses/frequency_response.h"

#include <Eigen/SparseLU>
#include <complex>
#include <limits>

#include "triplets.h"

namespace solidyn::analyses {
namespace {

using Complex = std::complex<double>;
using ComplexMatrix = Eigen::SparseMatrix<Complex>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::VectorXd;
using system::Linearisation;

ComplexMatrix saddle_matrix(const Linearisation& l, Complex s) {
  const Index n = l.M.rows(), n_rows = l.G.rows();
  std::vector<Eigen::Triplet<Complex>> list;
  add_block(l.K, 1.0, 0, 0, list);
  add_block(l.D, s, 0, 0, list);
  add_block(l.M, s * s, 0, 0, list);
  add_block(l.B, 1.0, 0, n, list);
  for (Index j = 0; j < l.G.outerSize(); ++j)
    for (Linearisation::Matrix::InnerIterator it(l.G, j); it; ++it)
      list.emplace_back(static_cast<int>(n + it.row()), static_cast<int>(j),
                        l.is_rate[it.row()] ? s * it.value() : Complex(it.value()));
  add_block(l.E, 1.0, n, 0, list);
  ComplexMatrix matrix(n + n_rows, n + n_rows);
  matrix.setFromTriplets(list.begin(), list.end());
  return matrix;
}

// Rows and columns of like size, so that pivots reveal a singular matrix.
VectorXd column_sizes(const Linearisation& l) {
  VectorXd sizes(l.M.rows() + l.G.rows());
  sizes << l.weights.cwiseInverse(), VectorXd::Ones(l.G.rows());
  return sizes;
}

VectorXd row_scales(const ComplexMatrix& matrix) {
  VectorXd largest = VectorXd::Zero(matrix.rows());
  for (Index j = 0; j < matrix.outerSize(); ++j)
    for (ComplexMatrix::InnerIterator it(matrix, j); it; ++it)
      largest[it.row()] = std::max(largest[it.row()], std::abs(it.value()));
  return largest.cwiseMax(1e-300).cwiseInverse();
}

// A solution this much larger than what went in is round-off of an answer without bound.
constexpr double kUnbounded = 1e13;

}  // namespace

MatrixXcd frequency_response(const Linearisation& l, const LinearInputs& inputs,
                             const LinearOutputs& outputs, double frequency_hz) {
  const Complex s(0.0, 2.0 * M_PI * frequency_hz);
  const Index n = l.M.rows(), n_f = static_cast<Index>(inputs.force_names.size());
  MatrixXcd b = MatrixXcd::Zero(n + l.G.rows(), inputs.n());
  if (n_f > 0) b.topLeftCorner(n, n_f) = inputs.forces.cast<Complex>();
  for (std::size_t k = 0; k < inputs.motions.size(); ++k)
    b(n + inputs.motions[k].row, n_f + static_cast<Index>(k)) = 1.0;

  const VectorXd columns = column_sizes(l);
  ComplexMatrix matrix = saddle_matrix(l, s) * columns.cast<Complex>().asDiagonal();
  const VectorXd rows = row_scales(matrix);
  matrix = rows.cast<Complex>().asDiagonal() * matrix;
  const MatrixXcd scaled = rows.cast<Complex>().asDiagonal() * b;
  Eigen::SparseLU<ComplexMatrix> lu(matrix);
  const Complex infinite(std::numeric_limits<double>::infinity(),
                         std::numeric_limits<double>::quiet_NaN());
  if (lu.info() != Eigen::Success)
    return MatrixXcd::Constant(outputs.by_x.rows(), inputs.n(), infinite);
  MatrixXcd z = lu.solve(scaled);
  const auto is_unbounded = [&](Index j) {
    return !z.col(j).allFinite() ||
           z.col(j).cwiseAbs().maxCoeff() > kUnbounded * scaled.col(j).cwiseAbs().maxCoeff();
  };
  std::vector<Index> unbounded;
  for (Index j = 0; j < z.cols(); ++j)
    if (is_unbounded(j)) unbounded.push_back(j);
  z = (columns.cast<Complex>().asDiagonal() * z).eval();
  const MatrixXcd x = z.topRows(n), mu = z.bottomRows(l.G.rows());
  MatrixXcd answer = outputs.by_x.cast<Complex>() * x + s * (outputs.by_dx.cast<Complex>() * x) +
                     s * s * (outputs.by_ddx.cast<Complex>() * x) +
                     outputs.by_mu.cast<Complex>() * mu;
  answer.leftCols(outputs.by_force.cols()) += outputs.by_force.cast<Complex>();
  for (const Index j : unbounded) answer.col(j).setConstant(infinite);
  return answer;
}

}  // namespace solidyn::analyses
