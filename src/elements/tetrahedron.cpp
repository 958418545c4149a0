#include "solidyn/elements/tetrahedron.h"

#include "elements/reference_nodes.h"

namespace solidyn::elements {
namespace {

Eigen::Vector4d barycentric(const Eigen::Vector3d& rst) {
  return {1.0 - rst.sum(), rst[0], rst[1], rst[2]};
}

// Rows: d(L_i)/d(r,s,t).
Eigen::Matrix<double, 4, 3> barycentric_gradients() {
  Eigen::Matrix<double, 4, 3> g;
  g.row(0).setConstant(-1.0);
  g.bottomRows<3>().setIdentity();
  return g;
}

}  // namespace

Eigen::Matrix<double, 3, 4> Tet4::nodes() {
  Eigen::Matrix<double, 3, 4> corners;
  corners << Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity();
  return corners;
}

Eigen::Matrix<double, 3, 10> Tet10::nodes() { return with_middles<4>(Tet4::nodes(), kTetEdges); }

Eigen::Matrix<double, 4, 1> Tet4::values(const Eigen::Vector3d& rst) { return barycentric(rst); }

Eigen::Matrix<double, 4, 3> Tet4::gradients(const Eigen::Vector3d&) {
  return barycentric_gradients();
}

Eigen::Matrix<double, 10, 1> Tet10::values(const Eigen::Vector3d& rst) {
  const Eigen::Vector4d L = barycentric(rst);
  Eigen::Matrix<double, 10, 1> N;
  for (int i = 0; i < 4; ++i) N[i] = L[i] * (2.0 * L[i] - 1.0);
  for (int e = 0; e < 6; ++e) N[4 + e] = 4.0 * L[edges[e][0]] * L[edges[e][1]];
  return N;
}

Eigen::Matrix<double, 10, 3> Tet10::gradients(const Eigen::Vector3d& rst) {
  const Eigen::Vector4d L = barycentric(rst);
  const Eigen::Matrix<double, 4, 3> g = barycentric_gradients();
  Eigen::Matrix<double, 10, 3> dN;
  for (int i = 0; i < 4; ++i) dN.row(i) = (4.0 * L[i] - 1.0) * g.row(i);
  for (int e = 0; e < 6; ++e) {
    const int i = edges[e][0], j = edges[e][1];
    dN.row(4 + e) = 4.0 * (L[j] * g.row(i) + L[i] * g.row(j));
  }
  return dN;
}

}  // namespace solidyn::elements
