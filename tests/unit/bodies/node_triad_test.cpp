// The frame of three nodes against their places, and its rates against differences of these.
#include "solidyn/bodies/node_triad.h"

#include "random_bodies.h"
#include "solidyn/math/rotation.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing_support::random_vector;

constexpr int kModesOfTriad = 4;
constexpr double kStepOfTriad = 2e-3;

struct RandomTriad {
  RandomTriad() {
    std::mt19937 g(12);
    for (int i = 0; i < 3; ++i) {
      x.col(i) = random_vector(g, 3);
      Psi[i] = Eigen::Map<const Matrix3Xd>(random_vector(g, 3 * kModesOfTriad, 0.2).data(), 3,
                                           kModesOfTriad);
    }
    q = random_vector(g, kModesOfTriad, 0.5);
    dq = random_vector(g, kModesOfTriad);
    ddq = random_vector(g, kModesOfTriad);
    wrench = random_vector(g, 6);
  }
  template <class Use>
  void with_state(const VectorXd& position, const VectorXd& rates, const Use& use) const {
    VectorXd v = VectorXd::Zero(6 + kModesOfTriad);
    v.tail(kModesOfTriad) = rates;
    BodyState state;
    new (&state.q_e) Eigen::Map<const VectorXd>(position.data(), kModesOfTriad);
    new (&state.v) Eigen::Map<const VectorXd>(v.data(), v.size());
    use(state);
  }
  FrameMotion motion(const VectorXd& position) const {
    FrameMotion m;
    with_state(position, dq, [&](const BodyState& s) { NodeTriad(x, Psi).compute_in_body(s, m); });
    return m;
  }
  MatrixXd fields(const VectorXd& position) const {
    FrameFields f;
    with_state(position, dq,
               [&](const BodyState& s) { NodeTriad(x, Psi).compute_fields(s, ddq, f); });
    return f.by * f.x;
  }
  VectorXd at(double t) const { return q + t * dq + 0.5 * t * t * ddq; }

  Matrix3d x;
  std::array<Matrix3Xd, 3> Psi;
  VectorXd q, dq, ddq;
  Eigen::Matrix<double, 6, 1> wrench;
};

template <class At>
auto fourth_order_rate(const At& at) {
  const double h = kStepOfTriad;
  return ((at(-2 * h) - at(2 * h) + 8.0 * (at(h) - at(-h))) / (12.0 * h)).eval();
}

TEST(NodeTriad, HasTheAxesOfItsNodes) {
  const RandomTriad of;
  const FrameMotion m = of.motion(of.q);
  Matrix3d b = of.x;
  for (int i = 0; i < 3; ++i) b.col(i) += of.Psi[i] * of.q;
  const Vector3d km = b.col(1) - b.col(0), kn = b.col(2) - b.col(0);
  EXPECT_LT((m.p - b.col(0)).norm(), 1e-15);
  EXPECT_LT((m.R.col(0) - km.normalized()).norm(), 1e-14);
  EXPECT_LT((m.R.col(1) - km.cross(kn).normalized()).norm(), 1e-14);
  EXPECT_LT((m.R.transpose() * m.R - Matrix3d::Identity()).norm(), 1e-14);
  EXPECT_NEAR(m.R.determinant(), 1.0, 1e-14);
}

// Velocity in B, angular velocity in its own axes, and what accelerates at constant rates.
TEST(NodeTriad, MovesAsItsAxesDo) {
  const RandomTriad of;
  const auto along = [&](double t) { return of.motion(of.q + t * of.dq); };
  const FrameMotion here = along(0.0);
  const MatrixXd J = here.J.rightCols(kModesOfTriad);
  EXPECT_LT(
      (fourth_order_rate([&](double t) { return Vector3d(along(t).p); }) - J.topRows<3>() * of.dq)
          .norm(),
      1e-10);
  const Matrix3d rate =
      here.R.transpose() * fourth_order_rate([&](double t) { return Matrix3d(along(t).R); });
  EXPECT_LT((rate - math::skew(J.bottomRows<3>() * of.dq)).norm(), 1e-9);
  DeformationRates rates;
  FrameMotion m;
  of.with_state(of.q, of.dq,
                [&](const BodyState& s) { rates = NodeTriad(of.x, of.Psi).compute_in_body(s, m); });
  EXPECT_LT((rates.velocity - J.topRows<3>() * of.dq).norm(), 1e-14);
  EXPECT_LT((rates.spin - J.bottomRows<3>() * of.dq).norm(), 1e-13);
  EXPECT_EQ(rates.acceleration.norm(), 0.0);
  const Vector3d turning = fourth_order_rate(
      [&](double t) { return Vector3d(along(t).J.bottomRightCorner(3, kModesOfTriad) * of.dq); });
  EXPECT_LT((rates.turning - turning).norm(), 1e-8);
}

TEST(NodeTriad, FieldsAreThoseOfItsMotionAndTheirRates) {
  const RandomTriad of;
  FrameFields here;
  MatrixXd K = MatrixXd::Zero(kModesOfTriad, kModesOfTriad);
  of.with_state(of.q, of.dq, [&](const BodyState& s) {
    NodeTriad(of.x, of.Psi).compute_fields(s, of.ddq, here);
    NodeTriad(of.x, of.Psi).add_field_stiffness(s, of.wrench, K);
  });
  const FrameMotion m = of.motion(of.q);
  MatrixXd J = m.J.rightCols(kModesOfTriad);
  J.bottomRows<3>() = (m.R * J.bottomRows<3>()).eval();
  J.topRows<3>() += math::skew(m.p) * J.bottomRows<3>();
  EXPECT_LT((of.fields(of.q) - J).norm(), 1e-13);

  const auto along = [&](double t) { return of.fields(of.at(t)); };
  const double h = kStepOfTriad;
  const MatrixXd second =
      (16.0 * (along(h) + along(-h)) - along(2 * h) - along(-2 * h) - 30.0 * along(0.0)) /
      (12 * h * h);
  EXPECT_LT((fourth_order_rate(along) - (here.rate * here.x + here.by * here.dx)).norm(), 1e-8);
  EXPECT_LT(
      (second - (here.second * here.x + 2.0 * here.rate * here.dx + here.by * here.ddx)).norm(),
      1e-6 * (1.0 + second.norm()));
  for (int i = 0; i < kModesOfTriad; ++i) {
    const VectorXd column = fourth_order_rate([&](double t) {
      const VectorXd q = of.q + t * VectorXd::Unit(kModesOfTriad, i);
      return VectorXd(of.fields(q).transpose() * of.wrench);
    });
    EXPECT_LT((column - K.col(i)).norm(), 1e-9 * (1.0 + K.norm())) << i;
  }
}

}  // namespace
}  // namespace solidyn::bodies
