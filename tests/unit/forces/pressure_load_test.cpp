// A pressure on a body with a frame of its own does the work of its nodal forces, and its tangent
// is the derivative of its generalised force.
#include "solidyn/forces/pressure_load.h"

#include "flexible_carriers.h"

namespace solidyn::forces {
namespace {

using Eigen::Map;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing_support::FlexibleCarriers;
using testing_support::random_vector;

constexpr int kNodes = 7, kModes = 3;
constexpr double kArea = 1.7, kPressure = 2.3;

// Nodal forces on random nodes with random modes, of which the body itself knows nothing: a load
// sees its own rows only.
class PressureLoadOn : public testing::TestWithParam<bool> {
 protected:
  PressureLoadOn() : on_(1, 4) {
    std::mt19937& g = on_.generator();
    const auto nodal = [&] {
      return Matrix3Xd(Map<const Matrix3Xd>(random_vector(g, 3 * kNodes).data(), 3, kNodes));
    };
    x_ = nodal();
    f_ = nodal();
    for (int j = 0; j < kModes; ++j) X_.push_back(nodal());
    load_.amount = kArea;
    load_.force = f_.rowwise().sum();
    load_.moment = torque(x_);
    load_.rows.resize(4, kModes);
    for (int j = 0; j < kModes; ++j)
      load_.rows.col(j) << torque(X_[j]), f_.cwiseProduct(X_[j]).sum();
    if (GetParam()) add_second_order();
    on_.set_in_motion();
  }

  // u = X q + 1/2 sum Y_ij q_i q_j.
  void add_second_order() {
    load_.Y.resize(4 * kModes, kModes);
    for (int i = 0; i < kModes; ++i)
      for (int j = 0; j <= i; ++j) {
        const Matrix3Xd Y =
            Map<const Matrix3Xd>(random_vector(on_.generator(), 3 * kNodes).data(), 3, kNodes);
        second_[{i, j}] = second_[{j, i}] = Y;
        const Vector3d T = torque(Y);
        for (const auto& [a, b] : {std::pair(i, j), std::pair(j, i)}) {
          for (int axis = 0; axis < 3; ++axis) load_.Y(axis * kModes + a, b) = T[axis];
          load_.Y(3 * kModes + a, b) = f_.cwiseProduct(Y).sum();
        }
      }
  }

  Vector3d torque(const Matrix3Xd& arms) const {
    Vector3d sum = Vector3d::Zero();
    for (int a = 0; a < kNodes; ++a) sum += arms.col(a).cross(f_.col(a));
    return sum;
  }

  Matrix3Xd deformed(const VectorXd& q) const {
    Matrix3Xd b = x_;
    for (int i = 0; i < kModes; ++i) {
      b += q[i] * X_[i];
      for (int j = 0; j < kModes && !second_.empty(); ++j)
        b += 0.5 * q[i] * q[j] * second_.at({i, j});
    }
    return b;
  }

  // Nodes' positions in the world times the forces that they feel now.
  double work_of_present_forces(const system::State& at, const Matrix3Xd& forces_W) {
    on_.system().update(at);
    const bodies::BodyState& body = on_.system().kinematics().bodies[bodies::BodyIndex(0)];
    const Matrix3Xd p = (body.R_WB * deformed(body.q_e)).colwise() + body.p_WB;
    return p.cwiseProduct(forces_W).sum();
  }

  PressureLoad force() const {
    return {"load", bodies::BodyIndex(0), load_, math::TimeFunction::constant(kPressure)};
  }

  FlexibleCarriers on_;
  Matrix3Xd x_, f_;
  std::vector<Matrix3Xd> X_;
  std::map<std::pair<int, int>, Matrix3Xd> second_;
  reduction::LoadRows load_;
};
INSTANTIATE_TEST_SUITE_P(Orders, PressureLoadOn, testing::Values(false, true),
                         [](const auto& info) {
                           return info.param ? "SecondOrder" : "FirstOrder";
                         });

TEST_P(PressureLoadOn, TangentIsTheDerivativeOfTheResidual) {
  const testing_support::ForceTangent t = on_.expect_exact_tangent(force(), 1e-8);
  EXPECT_EQ(t.D.norm(), 0.0);
  EXPECT_GT(t.K.block(3, 6, 3, kModes).norm(), 0.1);
}

// Virtual work by differences of the nodes' positions, the forces held.
TEST_P(PressureLoadOn, GeneralizedForceIsTheWorkOfTheNodalForces) {
  const VectorXd r = on_.residual(force());
  const bodies::BodyState& body = on_.system().kinematics().bodies[bodies::BodyIndex(0)];
  const Matrix3Xd forces_W = kPressure * kArea * body.R_WB * f_;
  constexpr double kStep = 1e-5;
  system::State trial = on_.state().clone();
  VectorXd expected(r.size());
  for (int i = 0; i < r.size(); ++i) {
    const VectorXd unit = VectorXd::Unit(r.size(), i);
    on_.system().advance(on_.state().q, kStep * unit, trial.q);
    expected[i] = work_of_present_forces(trial, forces_W);
    on_.system().advance(on_.state().q, -kStep * unit, trial.q);
    expected[i] = (expected[i] - work_of_present_forces(trial, forces_W)) / (2.0 * kStep);
  }
  EXPECT_LT((r + expected).norm(), 1e-8 * expected.norm());
  EXPECT_GT(expected.norm(), 1.0);
}

TEST_P(PressureLoadOn, PowerIsThatOfTheGeneralizedForce) {
  const VectorXd r = on_.residual(force());
  EXPECT_NEAR(on_.power(force()), -r.dot(on_.velocities(force())), 1e-12 * r.norm());
  EXPECT_EQ(force().energy(on_.system().kinematics(), 0.0), 0.0);
}

}  // namespace
}  // namespace solidyn::forces
