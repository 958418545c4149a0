// The displacement field of second order against its definition: on a small mesh the whole of it is
// solved for, which the reduction never does.
#include "solidyn/fem/geometric_stiffness.h"

#include <gtest/gtest.h>

#include "selections.h"
#include "serial_matrices.h"
#include "solidyn/math/rotation.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/reduction/reduce.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using mesh::Attachment;

const fem::IsotropicElastic kSteel{2.1e11, 0.3, 7850.0};

mesh::DistributedMesh make_block() {
  mesh::BoxOptions box;
  box.type = elements::ElementType::hex8;
  box.size = {0.2, 0.05, 0.03};
  box.origin = {0.5, -0.2, 0.1};
  box.nx = 4;
  box.ny = 2;
  box.nz = 2;
  box.perturbation = 0.15;
  return mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box));
}

// Rigid motions about the mesh origin.
MatrixXd make_rigid_fields(const Matrix3Xd& x) {
  MatrixXd R(3 * x.cols(), 6);
  for (Index k = 0; k < x.cols(); ++k) {
    R.block<3, 3>(3 * k, 0).setIdentity();
    R.block<3, 3>(3 * k, 3) = -math::skew(x.col(k));
  }
  return R;
}

class SecondOrderField : public testing::TestWithParam<Attachment> {
 protected:
  static ReductionOptions make_options() {
    ReductionOptions options;
    options.free_free = 3;
    options.static_correction = StaticCorrection::at_interfaces;
    options.interfaces = {test::at_set("x_min", GetParam()),
                          test::at_set("x_max", Attachment::rbe3)};
    options.points = {{"middle", {0.6, -0.2, 0.13}}};
    using Kind = LoadDefinition::Kind;
    options.loads = {{"pull", Kind::traction, test::in_set("y_max")},
                     {"air", Kind::pressure, test::in_set("z_max")}};
    options.geometric_stiffening = GeometricStiffening::second_order;
    return options;
  }

  SecondOrderField() {
    for (const mesh::InterfaceDefinition& definition : options_.interfaces)
      interfaces_.push_back(mesh::resolve_interface(mesh_, definition, full_.lumped_mass));
    const int n = body_.n_modes();
    const MatrixXd unit = MatrixXd::Identity(K_.rows(), K_.rows());
    forces_ = fem::compute_geometric_stiffness(mesh_, kSteel, unit, body_.X);
    Y_.resize(n * n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) Y_[i * n + j] = Y_[j * n + i] = solve(i, j);
  }

  // K Y_ij balances the forces of the stress of the strain 1/2 (H_i^T H_j + H_j^T H_i), whose work
  // on a unit displacement is `forces_`. Free of rigid motion; rigid regions turn as their frames.
  VectorXd solve(int i, int j) const {
    const Index n = K_.rows();
    VectorXd f(n), g = VectorXd::Zero(n);
    for (Index m = 0; m < n; ++m) f[m] = -forces_[m](i, j);
    std::vector<bool> is_held(n, false);
    MatrixXd T = MatrixXd::Zero(n, n);
    Index columns = 0;
    for (std::size_t s = 0; s < interfaces_.size(); ++s) {
      if (interfaces_[s].attach != Attachment::rbe2) continue;
      const Matrix3d a = math::skew(body_.interfaces[s].Psi_r.col(i)),
                     b = math::skew(body_.interfaces[s].Psi_r.col(j));
      for (std::size_t k = 0; k < interfaces_[s].nodes.size(); ++k) {
        const Index row = 3 * interfaces_[s].nodes[k];
        const Vector3d r = interfaces_[s].x_nodes.col(k) - interfaces_[s].x_B;
        g.segment<3>(row) = 0.5 * (a * b + b * a) * r;
        T.block<3, 6>(row, columns) = make_rigid_fields(r);
        for (int c = 0; c < 3; ++c) is_held[row + c] = true;
      }
      columns += 6;
    }
    for (Index m = 0; m < n; ++m)
      if (!is_held[m]) T(m, columns++) = 1.0;
    T.conservativeResize(n, columns);
    const MatrixXd M_rigid = M_ * rigid_;
    MatrixXd A = MatrixXd::Zero(columns + 6, columns + 6);
    const double scale = K_.norm() / M_rigid.norm();
    A.topLeftCorner(columns, columns) = T.transpose() * (K_ * T);
    A.topRightCorner(columns, 6) = scale * T.transpose() * M_rigid;
    A.bottomLeftCorner(6, columns) = A.topRightCorner(columns, 6).transpose();
    VectorXd right(columns + 6);
    right << T.transpose() * (f - K_ * g), -scale * M_rigid.transpose() * g;
    return T * A.fullPivLu().solve(right).head(columns) + g;
  }

  // u = X w + 1/2 sum Y_ij w_i w_j at an interface's nodes.
  Matrix3Xd displaced(const mesh::Interface& interface, const VectorXd& w) const {
    VectorXd u = body_.X * w;
    const Index n = w.size();
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) u += 0.5 * w[i] * w[j] * Y_[i * n + j];
    Matrix3Xd x = interface.x_nodes;
    for (Index k = 0; k < x.cols(); ++k) x.col(k) += u.segment<3>(3 * interface.nodes[k]);
    return x;
  }

  static Vector3d quadratic(const Matrix3Xd& Psi, const MatrixXd& Y, const VectorXd& w) {
    Vector3d out = Psi * w;
    for (int a = 0; a < 3; ++a) out[a] += 0.5 * w.dot(Y.middleRows(a * w.size(), w.size()) * w);
    return out;
  }

  // Modal coordinates of `size` times a length of the body's thickness.
  VectorXd coordinates(double size) const {
    VectorXd w(body_.n_modes());
    for (Index i = 0; i < w.size(); ++i)
      w[i] = size * 0.03 * std::cos(1.0 + 2.0 * static_cast<double>(i)) / body_.amplitude[i];
    return w;
  }

  mesh::DistributedMesh mesh_ = make_block();
  fem::ElasticBody full_ = fem::assemble(mesh_, kSteel);
  Eigen::SparseMatrix<double> K_ = test::make_sparse_stiffness(full_);
  Eigen::SparseMatrix<double> M_ = test::make_sparse_mass(full_, fem::MassKind::consistent);
  MatrixXd rigid_ = make_rigid_fields(mesh_.x);
  ReductionOptions options_ = make_options();
  ReducedBody body_ = reduce(mesh_, kSteel, options_);
  std::vector<mesh::Interface> interfaces_;
  std::vector<MatrixXd> forces_;  // per displacement component of the mesh: its work, [n x n]
  std::vector<VectorXd> Y_;
};
INSTANTIATE_TEST_SUITE_P(Attachments, SecondOrderField,
                         testing::Values(Attachment::rbe3, Attachment::rbe2,
                                         Attachment::three_nodes),
                         [](const auto& info) {
                           return std::to_string(static_cast<int>(info.param));
                         });

TEST_P(SecondOrderField, HasTheMassMomentsOfItsDefinition) {
  const int n = body_.n_modes();
  ASSERT_EQ(body_.inertia.C.size(), static_cast<std::size_t>(n * n));
  double largest = 0.0;
  for (const VectorXd& Y : Y_) {
    EXPECT_LT((rigid_.transpose() * (M_ * Y)).norm(), 1e-9 * (M_ * Y).norm());
    const VectorXd M_Y = M_ * Y;
    largest = std::max(
        largest,
        (mesh_.x * Eigen::Map<const Matrix3Xd>(M_Y.data(), 3, mesh_.x.cols()).transpose()).norm());
  }
  for (int ij = 0; ij < n * n; ++ij) {
    const VectorXd M_Y = M_ * Y_[ij];
    const Matrix3d expected =
        mesh_.x * Eigen::Map<const Matrix3Xd>(M_Y.data(), 3, mesh_.x.cols()).transpose();
    EXPECT_LT((body_.inertia.C[ij] - expected).norm(), 1e-7 * largest);
  }
}

TEST_P(SecondOrderField, DisplacesPointsAsItsDefinition) {
  const int n = body_.n_modes();
  const auto node = mesh::nearest_node(mesh_, options_.points[0].x_B).first;
  for (int a = 0; a < 3; ++a) {
    MatrixXd expected(n, n);
    for (int ij = 0; ij < n * n; ++ij) expected(ij / n, ij % n) = Y_[ij][3 * node + a];
    const MatrixXd Y = body_.points[0].Y.middleRows(a * n, n);
    EXPECT_LT((Y - expected).norm(), 1e-7 * expected.norm());
  }
}

// What it does with its nodes is the loads' share of it; a flat face has no torque about its
// normal.
TEST_P(SecondOrderField, IsSeenByLoadsAsByTheirNodes) {
  const int n = body_.n_modes();
  for (std::size_t i = 0; i < options_.loads.size(); ++i) {
    const MatrixXd columns = make_nodal_load(mesh_, options_.loads[i]).columns;
    MatrixXd expected(columns.cols() * n, n);
    for (int ij = 0; ij < n * n; ++ij) {
      const VectorXd seen = columns.transpose() * Y_[ij];
      for (Index row = 0; row < seen.size(); ++row) expected(row * n + ij / n, ij % n) = seen[row];
    }
    ASSERT_EQ(body_.loads[i].Y.rows(), expected.rows());
    EXPECT_LT((body_.loads[i].Y - expected).norm(), 1e-7 * expected.norm());
  }
  EXPECT_EQ(body_.loads[1].Y.middleRows(2 * n, n).norm(), 0.0);
}

// Regions follow their nodes: the best translation of the displaced nodes, and the rotation that
// fits them best (Procrustes), to second order; what differs is of third.
TEST_P(SecondOrderField, FramesFollowTheirDisplacedNodesToSecondOrder) {
  for (std::size_t s = 0; s < interfaces_.size(); ++s) {
    const mesh::Interface& interface = interfaces_[s];
    if (interface.attach == Attachment::three_nodes) continue;
    std::array<double, 2> error_t, error_r;
    for (int halved = 0; halved < 2; ++halved) {
      const VectorXd w = coordinates(halved ? 0.01 : 0.02);
      const Matrix3Xd x = displaced(interface, w);
      const Vector3d c0 = interface.x_nodes * interface.node_weights;
      const Vector3d c = x * interface.node_weights;
      const Matrix3d A = (x.colwise() - c) * interface.node_moments.transpose();
      const Eigen::JacobiSVD<Matrix3d> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
      Matrix3d R = svd.matrixU() * svd.matrixV().transpose();
      if (R.determinant() < 0.0) {  // a plane region: its normal may come out with either sign
        Matrix3d U = svd.matrixU();
        U.col(2) *= -1.0;
        R = U * svd.matrixV().transpose();
      }
      const ReducedInterface& frame = body_.interfaces[s];
      const Vector3d origin = c + R * (interface.x_B - c0) - interface.x_B;
      error_t[halved] = (quadratic(frame.Psi_t, frame.Y_t, w) - origin).norm();
      error_r[halved] = (quadratic(frame.Psi_r, frame.Y_r, w) - math::log_rotation(R)).norm();
    }
    // Of third order: an eighth, where it is above rounding.
    EXPECT_LT(error_t[1], 0.2 * error_t[0] + 1e-13) << interface.name;
    EXPECT_LT(error_r[1], 0.2 * error_r[0] + 1e-12) << interface.name;
    EXPECT_LT(error_r[0], 1e-3 * body_.interfaces[s].Psi_r.norm());
  }
}

TEST_P(SecondOrderField, IsSymmetricAndChangesNothingOfFirstOrder) {
  options_.geometric_stiffening = GeometricStiffening::none;
  const ReducedBody linear = reduce(mesh_, kSteel, options_);
  const Index n = body_.n_modes();
  EXPECT_TRUE(linear.inertia.C.empty());
  EXPECT_EQ(linear.K, body_.K);
  EXPECT_EQ(linear.interfaces[0].Psi_r, body_.interfaces[0].Psi_r);
  EXPECT_EQ(linear.inertia.N[1], body_.inertia.N[1]);
  for (const ReducedInterface& i : body_.interfaces)
    for (int a = 0; a < 3; ++a) {
      const MatrixXd Y_t = i.Y_t.middleRows(a * n, n), Y_r = i.Y_r.middleRows(a * n, n);
      EXPECT_LT((Y_t - Y_t.transpose()).norm(), 1e-12 * i.Y_t.norm());
      EXPECT_LT((Y_r - Y_r.transpose()).norm(), 1e-12 * i.Y_r.norm());
    }
}

TEST(GeometricStiffening, IsRefusedWhereSecondOrderIsNotKnown) {
  ReductionOptions options;
  options.geometric_stiffening = GeometricStiffening::second_order;
  options.keep_rigid_modes = true;
  EXPECT_THROW(reduce(make_block(), kSteel, options), base::InputError);
  options.keep_rigid_modes = false;
  options.interfaces = {test::at_set("x_min", Attachment::virtual_body)};
  EXPECT_THROW(reduce(make_block(), kSteel, options), base::InputError);
}

}  // namespace
}  // namespace solidyn::reduction
