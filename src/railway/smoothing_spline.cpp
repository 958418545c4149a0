#include "solidyn/railway/smoothing_spline.h"

#include <Eigen/Sparse>
#include <cmath>

namespace solidyn::railway {
namespace {

using Eigen::Matrix2Xd;
using Eigen::MatrixX2d;
using Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double>;

// Reinsch's matrices: with the second derivatives g at inner points, Q^T f = R g for a natural
// spline with values f.
class Reinsch {
 public:
  explicit Reinsch(const VectorXd& knots) {
    const Eigen::Index n = knots.size(), inner = n - 2;
    const VectorXd h = knots.tail(n - 1) - knots.head(n - 1);
    std::vector<Eigen::Triplet<double>> q, r;
    for (Eigen::Index i = 0; i < inner; ++i) {
      q.emplace_back(i, i, 1.0 / h[i]);
      q.emplace_back(i + 1, i, -1.0 / h[i] - 1.0 / h[i + 1]);
      q.emplace_back(i + 2, i, 1.0 / h[i + 1]);
      r.emplace_back(i, i, (h[i] + h[i + 1]) / 3.0);
      if (i + 1 == inner) continue;
      r.emplace_back(i, i + 1, h[i + 1] / 6.0);
      r.emplace_back(i + 1, i, h[i + 1] / 6.0);
    }
    Q_.resize(n, inner);
    R_.resize(inner, inner);
    Q_.setFromTriplets(q.begin(), q.end());
    R_.setFromTriplets(r.begin(), r.end());
    QtQ_ = Q_.transpose() * Q_;
  }
  // (R + weight Q^T Q) g = Q^T y,  f = y - weight Q g
  void solve(double weight, const MatrixX2d& y, MatrixX2d& values, MatrixX2d& second) const {
    const Eigen::SimplicialLDLT<SparseMatrix> factor(SparseMatrix(R_ + weight * QtQ_));
    const MatrixX2d g = factor.solve(MatrixX2d(Q_.transpose() * y));
    values = y - weight * (Q_ * g);
    second.setZero(y.rows(), 2);
    second.middleRows(1, g.rows()) = g;
  }

 private:
  SparseMatrix Q_, R_, QtQ_;
};

double rms(const MatrixX2d& deviation) {
  return deviation.norm() / std::sqrt(static_cast<double>(deviation.rows()));
}

// The deviation grows with the weight from 0 to that of a straight line, so that bisection of its
// logarithm finds it; where even the line is nearer than `smoothing`, the line is the answer.
void smooth(const Reinsch& system, const MatrixX2d& y, double smoothing, double mean_step,
            MatrixX2d& values, MatrixX2d& second) {
  const double unit = std::pow(mean_step, 3);
  double low = std::log(1e-12 * unit), high = std::log(1e12 * unit);
  for (int i = 0; i < 80 && high - low > 1e-6; ++i) {
    const double middle = 0.5 * (low + high);
    system.solve(std::exp(middle), y, values, second);
    (rms(values - y) < smoothing ? low : high) = middle;
  }
}

}  // namespace

SplineFit fit_spline(const Matrix2Xd& points, double smoothing) {
  const Eigen::Index n = points.cols();
  VectorXd knots = VectorXd::Zero(n);
  for (Eigen::Index i = 1; i < n; ++i)
    knots[i] = knots[i - 1] + (points.col(i) - points.col(i - 1)).norm();
  const Reinsch system(knots);
  const MatrixX2d y = points.transpose();
  MatrixX2d values, second;
  if (smoothing > 0.0)
    smooth(system, y, smoothing, knots[n - 1] / static_cast<double>(n - 1), values, second);
  else
    system.solve(0.0, y, values, second);

  SplineFit fit;
  fit.rms_deviation = rms(values - y);
  fit.largest_deviation = (values - y).rowwise().norm().maxCoeff();
  for (Eigen::Index i = 0; i + 1 < n; ++i) {
    const double h = knots[i + 1] - knots[i];
    Cubic cubic;
    cubic.c.col(0) = values.row(i).transpose();
    cubic.c.col(1) = ((values.row(i + 1) - values.row(i)) / h -
                      h / 6.0 * (2.0 * second.row(i) + second.row(i + 1)))
                         .transpose();
    cubic.c.col(2) = 0.5 * second.row(i).transpose();
    cubic.c.col(3) = ((second.row(i + 1) - second.row(i)) / (6.0 * h)).transpose();
    fit.sections.push_back({knots[i], knots[i + 1], cubic});
  }
  return fit;
}

}  // namespace solidyn::railway
