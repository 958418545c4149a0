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
constexpr double kPartOfDeflection = 1.0 / 400.0;

Matrix3Xd sampled(const Matrix3Xd& all) {
  const Index stride = std::max<Index>(1, all.cols() / kSampledNodes);
  Matrix3Xd some(3, all.cols() > 0 ? (all.cols() - 1) / stride + 1 : 0);
  for (Index i = 0; i < some.cols(); ++i) some.col(i) = all.col(i * stride);
  return some;
}

// The rotation that turns X - mean(X) closest to x - mean(x): Horn's quaternion, the eigenvector of
// the largest eigenvalue, which is never a reflection.
Quaterniond closest_rotation(const Matrix3Xd& X, const Matrix3Xd& x) {
  const Vector3d X_mean = X.rowwise().mean(), x_mean = x.rowwise().mean();
  const Matrix3d S = (X.colwise() - X_mean) * (x.colwise() - x_mean).transpose();
  MatrixXd N(4, 4);
  const Vector3d z(S(1, 2) - S(2, 1), S(2, 0) - S(0, 2), S(0, 1) - S(1, 0));
  N(0, 0) = S.trace();
  N.block<1, 3>(0, 1) = z.transpose();
  N.block<3, 1>(1, 0) = z;
  N.block<3, 3>(1, 1) = S + S.transpose() - S.trace() * Matrix3d::Identity();
  const VectorXd q = math::symmetric_spectrum(N).vectors.col(3);
  return Quaterniond(q[0], q[1], q[2], q[3]).normalized();
}

struct Rigid {
  Vector3d p;
  Quaterniond q;
  Matrix3Xd deformation(const Matrix3Xd& x, const Matrix3Xd& X) const {
    return q.toRotationMatrix().transpose() * (x.colwise() - p) - X;
  }
};

double largest_norm(const Eigen::Ref<const VectorXd>& column) {
  const Eigen::Map<const Matrix3Xd> nodes(column.data(), 3, column.size() / 3);
  return nodes.cols() > 0 ? nodes.colwise().norm().maxCoeff() : 0.0;
}

// Right singular vectors of D, the strongest first.
MatrixXd principal_coordinates(const MatrixXd& D) {
  return math::symmetric_spectrum(MatrixXd(D.transpose() * D)).vectors.rowwise().reverse();
}

// Those of the coordinates, [T x K], that bring all pictures of the sample within the tolerance.
MatrixXd enough_coordinates(const MatrixXd& D, double tolerance) {
  if (D.size() == 0) return MatrixXd(D.cols(), 0);
  const MatrixXd V = principal_coordinates(D);
  MatrixXd rest = D;
  const auto is_off = [&] {
    for (Index t = 0; t < rest.cols(); ++t)
      if (largest_norm(rest.col(t)) > tolerance) return true;
    return false;
  };
  Index K = 0;
  const Index most = std::min<Index>({kMostShapes, V.cols(), D.rows()});
  while (K < most && is_off()) {
    rest.noalias() -= (D * V.col(K)) * V.col(K).transpose();
    ++K;
  }
  return V.leftCols(K);
}

}  // namespace

Decomposition decompose(const Matrix3Xd& X, const PictureSource& pictures, double tolerance) {
  const Matrix3Xd X_sample = sampled(X);
  std::vector<Rigid> rigid;
  MatrixXd D(X_sample.size(), pictures.n);
  double deflection = 0.0;
  for (int t = 0; t < pictures.n; ++t) {
    const Matrix3Xd x = sampled(pictures.positions(t));
    const Quaterniond q = closest_rotation(X_sample, x);
    rigid.push_back({x.rowwise().mean() - q * Vector3d(X_sample.rowwise().mean()), q});
    const Matrix3Xd d = rigid.back().deformation(x, X_sample);
    D.col(t) = Eigen::Map<const VectorXd>(d.data(), d.size());
    deflection = std::max(deflection, largest_norm(D.col(t)));
  }
  const MatrixXd V = enough_coordinates(D, std::min(tolerance, kPartOfDeflection * deflection));

  Decomposition result;
  result.coordinates = V.transpose();
  result.shapes.assign(V.cols(), Eigen::Matrix3Xf::Zero(3, X.cols()));
  for (int t = 0; t < pictures.n && V.cols() > 0; ++t) {
    const Eigen::Matrix3Xf d = rigid[t].deformation(pictures.positions(t), X).cast<float>();
    for (Index k = 0; k < V.cols(); ++k) result.shapes[k] += static_cast<float>(V(t, k)) * d;
  }
  result.pose.resize(7, pictures.n);
  for (int t = 0; t < pictures.n; ++t) {
    const Rigid& r = rigid[t];
    result.pose.col(t) << r.p, r.q.w(), r.q.x(), r.q.y(), r.q.z();
    Eigen::Matrix3Xf rest = r.deformation(pictures.positions(t), X).cast<float>();
    for (Index k = 0; k < V.cols(); ++k) rest -= static_cast<float>(V(t, k)) * result.shapes[k];
    if (rest.cols() > 0)
      result.residual =
          std::max(result.residual, static_cast<double>(rest.colwise().norm().maxCoeff()));
  }
  return result;
}

}  // namespace solidyn::report
