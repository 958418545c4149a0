#include "free_stiffness.h"

#include <fmt/format.h>

#include "nodal_view.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"

namespace solidyn::bodies {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int kMoments = 6;
// Of the largest stiffness over mass: above the round-off of K, below the lowest frequency squared
// of any body whose modes are worth having.
constexpr double kRestShift = 1e-12;
// Any springs do; these are of the size of elastic ones.
constexpr double kRestSpring = 1e-6;
constexpr int kMaxRefinements = 12;
// Relative residuals: below the first all is well; what stops falling above the second is no
// round-off.
constexpr double kRefined = 1e-13, kStopsFalling = 0.5, kNoRoundOff = 1e-4;

}  // namespace

FreeStiffness::FreeStiffness(const std::string& name, BodyMatrices& matrices, const Ports& ports,
                             MatrixXd rigid)
    : name_(name), matrices_(matrices), ports_(ports), rigid_(std::move(rigid)) {
  const MatrixXd N = ports_.of(rigid_).topRows(kMoments);
  N_.compute(N);
  const double largest = matrices_.stiffness_over_mass();
  shift_ = kRestShift * largest;
  spring_ = kRestSpring * largest / N(0, 0);  // N(0, 0) is the mass
}

void FreeStiffness::factor() { matrices_.factor(shift_); }

MatrixXd FreeStiffness::coefficients(const MatrixXd& B) const {
  MatrixXd sums = rigid_.transpose() * B;
  base::sum_in_place(ports_.comm, sums.data(), static_cast<int>(sums.size()));
  return N_.solve(sums);  // N is symmetric
}

MatrixXd FreeStiffness::balanced(const MatrixXd& B) const {
  return B - ports_.dense * coefficients(B);
}

MatrixXd FreeStiffness::without_rigid_part(const MatrixXd& X) const {
  return X - rigid_ * N_.solve(ports_.of(X).topRows(kMoments));
}

MatrixXd FreeStiffness::residual(const MatrixXd& B, const MatrixXd& X) const {
  MatrixXd R = B;
  const base::Vec x = matrices_.make_vector(), product = matrices_.make_vector();
  for (Eigen::Index j = 0; j < B.cols(); ++j) {
    WritableNodalView(x).flat() = X.col(j);
    matrices_.multiply_K(x, product);
    R.col(j) -= NodalView(product).flat();
  }
  return balanced(R);
}

VectorXd FreeStiffness::norms(const MatrixXd& X) const {
  VectorXd squares = X.colwise().squaredNorm().transpose();
  base::sum_in_place(ports_.comm, squares.data(), static_cast<int>(squares.size()));
  return squares.cwiseSqrt();
}

MatrixXd FreeStiffness::solve(const MatrixXd& B) {
  const MatrixXd B0 = balanced(B);
  // What is left of a column that is a moment itself is round-off, which asks for no answer.
  const VectorXd sizes = norms(B).cwiseMax(std::numeric_limits<double>::min());
  MatrixXd X = MatrixXd::Zero(B.rows(), B.cols()), R = B0;
  VectorXd left = norms(R).cwiseQuotient(sizes);
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMaxRefinements; ++i) {
    const double worst = left.size() > 0 ? left.maxCoeff() : 0.0;
    if (worst <= kRefined || worst > kStopsFalling * before) break;
    before = worst;
    X += without_rigid_part(matrices_.solve(R));
    R = residual(B0, X);
    left = norms(R).cwiseQuotient(sizes);
  }
  if (left.size() > 0 && !(left.maxCoeff() <= kNoRoundOff))
    throw base::ComputationError(fmt::format(
        "body {}: its stiffness has more zero-energy modes than the six rigid-body modes (relative residual {:.1e})\n  are all parts of its mesh connected? `solidyn check` reports disconnected parts",
        name_, left.maxCoeff()));
  return X + rigid_ * N_.solve(coefficients(B)) / spring_;
}

}  // namespace solidyn::bodies
