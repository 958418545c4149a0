// A point that few of many ports move, beside the same point by all of them.
#include <gtest/gtest.h>

#include "random_bodies.h"
#include "solidyn/bodies/frame_pair.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing_support::random_rotation;
using testing_support::random_vector;

constexpr int kPorts = 60;

// On the ground and on a body with `n_rigid` velocities of its own.
struct Scene {
  std::mt19937 g{5};
  VectorXd q, v, a;
  Kinematics k;
  int n;

  // Terms of second order, all zero: then no port is left out.
  enum class Ports { few, all };
  Scene(int n_rigid, Ports ports) : n(n_rigid + kPorts) {
    q = random_vector(g, kPorts, 0.1);
    v = random_vector(g, n);
    a = random_vector(g, n);
    BodyState state;
    state.p_WB = random_vector(g, 3);
    state.R_WB = random_rotation(g).toRotationMatrix();
    new (&state.q_e) Eigen::Map<const VectorXd>(q.data(), q.size());
    new (&state.v) Eigen::Map<const VectorXd>(v.data(), v.size());
    new (&state.a) Eigen::Map<const VectorXd>(a.data(), a.size());
    Frame ground, point;
    ground.x_B = random_vector(g, 3);
    point.body = BodyIndex(0);
    point.x_B = random_vector(g, 3);
    point.Psi_t = Matrix3Xd::Zero(3, kPorts);
    for (const int i : {11, 12, 40}) point.Psi_t.col(i) = random_vector(g, 3);
    if (ports == Ports::all) point.Y_t = MatrixXd::Zero(3 * kPorts, kPorts);
    k.bodies.push_back(state);
    for (const Frame& frame : {ground, point}) {
      k.frame_definitions.push_back(frame);
      FrameMotion motion;
      compute_frame_motion(frame, state, motion);
      compute_frame_acceleration(frame, state, motion);
      k.frames.push_back(motion);
    }
  }
  FrameLink link() const {
    return FrameLink({FrameIndex(0), kGround, 0}, {FrameIndex(1), BodyIndex(0), n});
  }
};

class FewPorts : public testing::TestWithParam<int> {};

TEST_P(FewPorts, MoveAPointAsAllOfThemDo) {
  const Scene few(GetParam(), Scene::Ports::few), all(GetParam(), Scene::Ports::all);
  const FrameMotion &m = few.k.frames[FrameIndex(1)], &expected = all.k.frames[FrameIndex(1)];
  EXPECT_LT((m.p - expected.p).norm(), 1e-14);
  EXPECT_LT((m.R - expected.R).norm(), 1e-14);
  EXPECT_LT((m.v - expected.v).norm(), 1e-13);
  EXPECT_LT((m.w - expected.w).norm(), 1e-14);
  EXPECT_LT((m.J - expected.J).norm(), 1e-14);
  EXPECT_LT((m.acceleration - expected.acceleration).norm(), 1e-13);
  EXPECT_TRUE(all.link().few_columns(all.k.frame_definitions).empty());
  EXPECT_EQ(few.link().few_columns(few.k.frame_definitions).size(), GetParam() + 3U);
}

TEST_P(FewPorts, TakeForcesAndTangentsAsAllOfThemDo) {
  Scene scene(GetParam(), Scene::Ports::few);
  const FrameLink link = scene.link();
  const std::vector<int> columns = link.few_columns(scene.k.frame_definitions);
  const auto n = static_cast<Eigen::Index>(columns.size());
  Vector12 wrench = random_vector(scene.g, 12);
  wrench.tail<3>().setZero();  // a point has no torque
  const Matrix12 S = Eigen::Map<const Matrix12>(random_vector(scene.g, 144).eval().data());
  const Eigen::Matrix<double, 3, 12> rows = S.topRows<3>();
  VectorXd force = VectorXd::Zero(scene.n), few_forces = VectorXd::Zero(n);
  MatrixXd W = MatrixXd::Zero(scene.n, 3), few_W = MatrixXd::Zero(n, 3);
  MatrixXd K = MatrixXd::Zero(scene.n, scene.n), few_K = MatrixXd::Zero(n, n);
  link.add_force(scene.k, wrench, force);
  link.add_force(scene.k, wrench, few_forces);
  link.set_rows(scene.k, rows, W);
  link.set_rows(scene.k, rows, few_W);
  link.add_matrix(scene.k, S, K);
  link.add_geometric_stiffness(scene.k, wrench, K);
  link.add_matrix(scene.k, S, few_K);
  link.add_geometric_stiffness(scene.k, wrench, few_K);
  EXPECT_GT(K.norm(), 0.1);  // not nothing
  for (Eigen::Index i = 0; i < n; ++i) {
    force[columns[i]] -= few_forces[i];
    W.row(columns[i]) -= few_W.row(i);
    for (Eigen::Index j = 0; j < n; ++j) K(columns[i], columns[j]) -= few_K(i, j);
  }
  EXPECT_LT(force.norm(), 1e-13);
  EXPECT_LT(W.norm(), 1e-13);
  EXPECT_LT(K.norm(), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Bodies, FewPorts, testing::Values(0, 6));

}  // namespace
}  // namespace solidyn::bodies
