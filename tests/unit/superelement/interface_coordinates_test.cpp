// The change from modal coordinates to those of the interfaces.
#include "solidyn/reduction/interface_coordinates.h"

#include <gmock/gmock.h>

#include <Eigen/Eigenvalues>

#include "random_superelement.h"
#include "solidyn/base/error.h"

namespace solidyn::reduction {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing_support::make_reduced_cloud;
using testing_support::MassCloud;

constexpr int kModes = 15, kInterfaces = 3, kInternal = 2;

class InterfaceCoordinates : public testing::Test {
 protected:
  InterfaceCoordinates()
      : cloud_(12, kModes, 3),
        body_(make_reduced_cloud(cloud_, kInterfaces)),
        reduced_(to_interface_coordinates(body_, kInternal)) {}

  // Interface coordinates of the rigid motions, [6 N x 6].
  MatrixXd rigid_coordinates() const {
    MatrixXd q = MatrixXd::Zero(6 * kInterfaces, 6);
    for (int k = 0; k < kInterfaces; ++k) {
      q.block<6, 6>(6 * k, 0).setIdentity();
      q.block<3, 3>(6 * k, 3) = -math::skew(body_.interfaces[k].x_B);
    }
    return q;
  }

  MassCloud cloud_;
  ReducedBody body_;
  InterfaceBody reduced_;
};

TEST_F(InterfaceCoordinates, AreTheMotionsOfTheInterfaces) {
  const Eigen::Index n = reduced_.body.n_modes();
  ASSERT_EQ(n, 6 * kInterfaces + kInternal);
  for (int k = 0; k < kInterfaces; ++k) {
    MatrixXd expected = MatrixXd::Zero(3, n);
    expected.middleCols<3>(6 * k).setIdentity();
    // The point has the modal rows of the interface and was not told that it is one.
    EXPECT_LT((reduced_.body.points[k].Psi - expected).norm(), 1e-11);
  }
}

TEST_F(InterfaceCoordinates, InvariantsAreTheSumsOverNodes) {
  MassCloud shapes = cloud_;
  shapes.X.clear();
  for (int i = 0; i < reduced_.body.n_modes(); ++i)
    shapes.X.emplace_back(
        Eigen::Map<const Eigen::Matrix3Xd>(reduced_.body.X.col(i).data(), 3, cloud_.x.cols()));
  const InertiaInvariants expected = shapes.invariants(), &got = reduced_.body.inertia;
  EXPECT_LT((got.S - expected.S).norm(), 1e-11 * expected.S.norm());
  for (std::size_t i = 0; i < expected.N0.size(); ++i)
    EXPECT_LT((got.N0[i] - expected.N0[i]).norm(), 1e-11);
  for (std::size_t i = 0; i < expected.N.size(); ++i)
    EXPECT_LT((got.N[i] - expected.N[i]).norm(), 1e-10);
  EXPECT_LT((reduced_.body.M - shapes.mass_matrix()).norm(), 1e-11 * expected.mass);
}

TEST_F(InterfaceCoordinates, StiffnessHasSixRigidMotionsAndNoMore) {
  const MatrixXd& K = reduced_.body.K;
  const int n_q = 6 * kInterfaces;
  EXPECT_LT((K.leftCols(n_q) * rigid_coordinates()).norm(), 1e-10 * K.norm());
  const VectorXd values = Eigen::SelfAdjointEigenSolver<MatrixXd>(K).eigenvalues();
  EXPECT_GT(values[6], 1e-6 * values[K.rows() - 1]);
  EXPECT_LT((reduced_.frame_rows * rigid_coordinates() - MatrixXd::Identity(6, 6)).norm(), 1e-11);
}

// Under self-equilibrated interface forces the modal body deforms by w = K^-1 Psi^T f.
TEST_F(InterfaceCoordinates, InterfaceStiffnessIsThatOfTheModes) {
  const int n_q = 6 * kInterfaces;
  MatrixXd Psi(n_q, kModes);
  for (int k = 0; k < kInterfaces; ++k)
    Psi.middleRows<6>(6 * k) << body_.interfaces[k].Psi_t, body_.interfaces[k].Psi_r;
  std::mt19937 g(2);
  const MatrixXd R = rigid_coordinates();
  VectorXd f = testing_support::random_vector(g, n_q);
  f -= R * (R.transpose() * R).ldlt().solve(R.transpose() * f);
  const VectorXd q = Psi * body_.K.llt().solve(Psi.transpose() * f);
  EXPECT_LT((reduced_.body.K.topLeftCorner(n_q, n_q) * q - f).norm(), 1e-9 * f.norm());
}

TEST_F(InterfaceCoordinates, InternalModesHoldTheInterfacesAndDoNotCoupleInStiffness) {
  const int n_q = 6 * kInterfaces;
  EXPECT_LT(reduced_.body.K.topRightCorner(n_q, kInternal).norm(), 1e-10 * reduced_.body.K.norm());
  const MatrixXd M = reduced_.body.M.bottomRightCorner(kInternal, kInternal);
  EXPECT_LT((M - MatrixXd::Identity(kInternal, kInternal)).norm(), 1e-10);
  for (int i = 0; i < kInternal; ++i) {
    const double omega = 2.0 * M_PI * reduced_.body.modes[n_q + i].frequency;
    EXPECT_NEAR(reduced_.body.K(n_q + i, n_q + i), omega * omega, 1e-9 * omega * omega);
  }
}

// What geometric stiffening adds to a modal body is in its modal coordinates.
TEST_F(InterfaceCoordinates, ASecondOrderOfTheModesIsLeftOut) {
  body_.inertia.C.assign(kModes * kModes, Eigen::Matrix3d::Identity());
  body_.points[0].Y = MatrixXd::Ones(3 * kModes, kModes);
  body_.interfaces[0].Y_t = body_.interfaces[0].Y_r = MatrixXd::Ones(3 * kModes, kModes);
  const InterfaceBody again = to_interface_coordinates(body_, kInternal);
  EXPECT_FALSE(again.body.has_second_order());
  EXPECT_EQ(again.body.points[0].Y.size() + again.body.interfaces[0].Y_t.size() +
                again.body.interfaces[0].Y_r.size(),
            0);
  EXPECT_EQ(again.body.K, reduced_.body.K);
}

std::string refusal(const ReducedBody& body, int n_internal) {
  try {
    to_interface_coordinates(body, n_internal);
  } catch (const base::InputError& e) {
    return e.what();
  }
  return "none";
}

TEST_F(InterfaceCoordinates, AnInterfaceWithoutItsStaticCorrectionIsNamed) {
  const MassCloud few(12, 8, 3);
  EXPECT_THAT(refusal(make_reduced_cloud(few, kInterfaces), 0),
              testing::HasSubstr("interface `interface_2` cannot move independently: with these"));
  EXPECT_THAT(refusal(make_reduced_cloud(few, 1), 0),
              testing::HasSubstr("at least two interfaces, but"));
  EXPECT_THAT(refusal(body_, 4), testing::HasSubstr("4 internal modes are requested, but"));
}

}  // namespace
}  // namespace solidyn::reduction
