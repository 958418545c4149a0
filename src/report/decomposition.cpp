#include "report/decomposition.h"

#include <algorithm>
#include <cmath>

#include "solidyn/math/dense.h"

namespace solidyn::report {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::MatrixXf;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr Index kSampledNodes = 1000;

// Of nodes one below the other in each column.
template <class Matrix>
double largest_norm(const Matrix& columns, int n_components) {
  using Scalar = typename Matrix::Scalar;
  using Nodes = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  const Eigen::Map<const Nodes> nodes(columns.data(), n_components, columns.size() / n_components);
  return nodes.cols() > 0 ? static_cast<double>(nodes.colwise().norm().maxCoeff()) : 0.0;
}

// Products with several pictures at once read the shapes once for them.
constexpr Index kPicturesInBatch = 16;

template <class Work>
void each_batch(const std::vector<FieldPictures>& fields, Index n_pictures, const Work& work) {
  std::vector<MatrixXf> batches(fields.size());
  for (Index first = 0; first < n_pictures; first += kPicturesInBatch) {
    const Index n = std::min(kPicturesInBatch, n_pictures - first);
    for (Index t = 0; t < n; ++t)
      for (std::size_t f = 0; f < fields.size(); ++f) {
        const MatrixXd values = fields[f].values(static_cast<int>(first + t));
        if (t == 0) batches[f].resize(values.size(), n);
        batches[f].col(t) = Eigen::Map<const VectorXd>(values.data(), values.size()).cast<float>();
      }
    for (std::size_t f = 0; f < fields.size(); ++f) work(f, first, batches[f]);
  }
}

// Right singular vectors of D, the strongest first.
MatrixXd principal_coordinates(const MatrixXd& D) {
  return math::symmetric_spectrum(MatrixXd(D.transpose() * D)).vectors.rowwise().reverse();
}

// Those of the coordinates, [T x K], that bring all pictures of the sample within the tolerance.
MatrixXd enough_coordinates(const MatrixXd& D, int n_components, double tolerance) {
  MatrixXd rest = D;
  const auto is_off = [&] { return largest_norm(rest, n_components) > tolerance; };
  if (D.size() == 0 || !is_off()) return MatrixXd(D.cols(), 0);
  const MatrixXd V = principal_coordinates(D);
  Index K = 0;
  const Index most = std::min<Index>({kMostShapes, V.cols(), D.rows()});
  while (K < most && is_off()) {
    rest.noalias() -= (D * V.col(K)) * V.col(K).transpose();
    ++K;
  }
  return V.leftCols(K);
}

}  // namespace

MatrixXd sampled(const MatrixXd& all) {
  const Index stride = std::max<Index>(1, all.cols() / kSampledNodes);
  MatrixXd some(all.rows(), all.cols() > 0 ? (all.cols() - 1) / stride + 1 : 0);
  for (Index i = 0; i < some.cols(); ++i) some.col(i) = all.col(i * stride);
  return some;
}

// Horn's quaternion, the eigenvector of the largest eigenvalue, which is never a reflection.
RigidMotion nearest_motion(const Matrix3Xd& X, const Matrix3Xd& x) {
  const Vector3d X_mean = X.rowwise().mean(), x_mean = x.rowwise().mean();
  const Matrix3d S = (X.colwise() - X_mean) * (x.colwise() - x_mean).transpose();
  MatrixXd N(4, 4);
  const Vector3d z(S(1, 2) - S(2, 1), S(2, 0) - S(0, 2), S(0, 1) - S(1, 0));
  N(0, 0) = S.trace();
  N.block<1, 3>(0, 1) = z.transpose();
  N.block<3, 1>(1, 0) = z;
  N.block<3, 3>(1, 1) = S + S.transpose() - S.trace() * Matrix3d::Identity();
  const VectorXd q = math::symmetric_spectrum(N).vectors.col(3);
  RigidMotion motion;
  motion.q = Quaterniond(q[0], q[1], q[2], q[3]).normalized();
  motion.p = x_mean - motion.q * X_mean;
  return motion;
}

// The angular velocity of the nodes' angular momentum with unit masses; about a line of nodes none.
RigidVelocity nearest_velocity(const Matrix3Xd& x, const Matrix3Xd& velocities, const Vector3d& p) {
  const Vector3d x_mean = x.rowwise().mean(), v_mean = velocities.rowwise().mean();
  Matrix3d J = Matrix3d::Zero();
  Vector3d L = Vector3d::Zero();
  for (Index i = 0; i < x.cols(); ++i) {
    const Vector3d r = x.col(i) - x_mean;
    J += r.squaredNorm() * Matrix3d::Identity() - r * r.transpose();
    L += r.cross(Vector3d(velocities.col(i) - v_mean));
  }
  RigidVelocity rigid;
  rigid.w = J.completeOrthogonalDecomposition().solve(L);
  rigid.v = v_mean + rigid.w.cross(Vector3d(p - x_mean));
  return rigid;
}

std::vector<Decomposition> decompose(const std::vector<FieldPictures>& fields) {
  std::vector<Decomposition> found(fields.size());
  std::vector<MatrixXf> shapes(fields.size());  // [components x nodes, one below the other; x K]
  const Index n_pictures = fields.empty() ? 0 : fields.front().sample.cols();
  if (n_pictures == 0) return found;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const MatrixXd first = fields[f].values(0);
    found[f].n_components = static_cast<int>(first.rows());
    const MatrixXd V =
        enough_coordinates(fields[f].sample, found[f].n_components, fields[f].tolerance);
    found[f].coordinates = V.transpose();
    shapes[f].setZero(first.size(), V.cols());
  }
  each_batch(fields, n_pictures, [&](std::size_t f, Index first, const MatrixXf& batch) {
    const MatrixXf q = found[f].coordinates.middleCols(first, batch.cols()).cast<float>();
    shapes[f].noalias() += batch * q.transpose();
  });
  each_batch(fields, n_pictures, [&](std::size_t f, Index first, MatrixXf batch) {
    const MatrixXf q = found[f].coordinates.middleCols(first, batch.cols()).cast<float>();
    batch.noalias() -= shapes[f] * q;
    found[f].residual = std::max(found[f].residual, largest_norm(batch, found[f].n_components));
  });
  for (std::size_t f = 0; f < fields.size(); ++f) found[f].shapes = std::move(shapes[f]);
  return found;
}

}  // namespace solidyn::report
