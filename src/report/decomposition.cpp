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
using Eigen::Quaterniond;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr Index kSampledNodes = 1000;

double largest_norm(const Eigen::Ref<const VectorXd>& column, int n_components) {
  const Eigen::Map<const MatrixXd> nodes(column.data(), n_components, column.size() / n_components);
  return nodes.cols() > 0 ? nodes.colwise().norm().maxCoeff() : 0.0;
}

// Right singular vectors of D, the strongest first.
MatrixXd principal_coordinates(const MatrixXd& D) {
  return math::symmetric_spectrum(MatrixXd(D.transpose() * D)).vectors.rowwise().reverse();
}

// Those of the coordinates, [T x K], that bring all pictures of the sample within the tolerance.
MatrixXd enough_coordinates(const MatrixXd& D, int n_components, double tolerance) {
  MatrixXd rest = D;
  const auto is_off = [&] {
    for (Index t = 0; t < rest.cols(); ++t)
      if (largest_norm(rest.col(t), n_components) > tolerance) return true;
    return false;
  };
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
  int n_pictures = 0;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    n_pictures = static_cast<int>(fields[f].sample.cols());
    if (n_pictures == 0) continue;
    const MatrixXd first = fields[f].values(0);
    const MatrixXd V =
        enough_coordinates(fields[f].sample, static_cast<int>(first.rows()), fields[f].tolerance);
    found[f].coordinates = V.transpose();
    found[f].shapes.assign(V.cols(), Eigen::MatrixXf::Zero(first.rows(), first.cols()));
  }
  const auto each = [&](const auto& work) {
    for (int t = 0; t < n_pictures; ++t)
      for (std::size_t f = 0; f < fields.size(); ++f)
        work(t, Eigen::MatrixXf(fields[f].values(t).cast<float>()), found[f]);
  };
  each([](int t, const Eigen::MatrixXf& values, Decomposition& of) {
    for (std::size_t k = 0; k < of.shapes.size(); ++k)
      of.shapes[k] += static_cast<float>(of.coordinates(static_cast<Index>(k), t)) * values;
  });
  each([](int t, Eigen::MatrixXf rest, Decomposition& of) {
    for (std::size_t k = 0; k < of.shapes.size(); ++k)
      rest -= static_cast<float>(of.coordinates(static_cast<Index>(k), t)) * of.shapes[k];
    if (rest.cols() > 0)
      of.residual = std::max(of.residual, static_cast<double>(rest.colwise().norm().maxCoeff()));
  });
  return found;
}

}  // namespace solidyn::report
