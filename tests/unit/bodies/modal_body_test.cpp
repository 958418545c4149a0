// The modal floating-frame body against sums over its nodes and finite differences.
#include "solidyn/bodies/modal_body.h"

#include "random_bodies.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing_support::MassCloud;
using testing_support::random_rotation;
using testing_support::random_vector;

const Vector3d kGravity(0.3, -9.81, 1.7);

struct Configuration {
  Vector3d p;
  Eigen::Quaterniond R;
  VectorXd w, v, a;  // elastic coordinates, velocities and accelerations of the body

  BodyState state() const {
    BodyState s;
    s.p_WB = p;
    s.R_WB = R.toRotationMatrix();
    new (&s.q_e) Eigen::Map<const VectorXd>(w.data(), w.size());
    new (&s.v) Eigen::Map<const VectorXd>(v.data(), v.size());
    new (&s.a) Eigen::Map<const VectorXd>(a.data(), a.size());
    return s;
  }
  // q exp(h d)
  Configuration moved(const VectorXd& d, double h) const {
    Configuration c = *this;
    c.p += h * d.head<3>();
    c.R = R * math::exp_quaternion(h * d.segment<3>(3));
    c.w += h * d.tail(w.size());
    return c;
  }
};

class ModalBodyContract : public testing::TestWithParam<int> {
 protected:
  ModalBodyContract()
      : n_(GetParam()),
        cloud_(12, n_, 7),
        K_(cloud_.stiffness(3)),
        D_(0.1 * cloud_.stiffness(4)),
        body_("body", cloud_.invariants(), cloud_.mass_matrix(), K_, D_, VectorXd::Ones(n_)) {
    std::mt19937 g(11);
    c_.p = random_vector(g, 3);
    c_.R = random_rotation(g);
    c_.w = random_vector(g, n_, 0.3);
    c_.v = random_vector(g, 6 + n_, 2.0);
    c_.a = random_vector(g, 6 + n_, 3.0);
  }

  // Velocities of all nodes in W.
  Matrix3Xd node_velocities(const Configuration& c) const {
    const Matrix3d R = c.R.toRotationMatrix();
    const Matrix3Xd b = cloud_.deformed(c.w);
    Matrix3Xd db = Matrix3Xd::Zero(3, b.cols());
    for (int i = 0; i < n_; ++i) db += c.v[6 + i] * cloud_.X[i];
    Matrix3Xd v(3, b.cols());
    for (int k = 0; k < b.cols(); ++k) {
      const Vector3d w = c.v.segment<3>(3), local = w.cross(b.col(k)) + db.col(k);
      v.col(k) = c.v.head<3>() + R * local;
    }
    return v;
  }

  VectorXd residual(const Configuration& c) {
    VectorXd r = VectorXd::Zero(6 + n_);
    body_.add_residual(c.state(), kGravity, r);
    return r;
  }

  int n_;
  MassCloud cloud_;
  MatrixXd K_, D_;
  ModalBody body_;
  Configuration c_;
};
INSTANTIATE_TEST_SUITE_P(NumberOfModes, ModalBodyContract, testing::Values(0, 1, 5));

TEST_P(ModalBodyContract, KineticEnergyIsTheSumOverNodes) {
  const Matrix3Xd v = node_velocities(c_);
  const double expected = 0.5 * (v.colwise().squaredNorm() * cloud_.m).value();
  EXPECT_NEAR(body_.energy(c_.state(), kGravity).kinetic, expected, 1e-12 * expected);
}

TEST_P(ModalBodyContract, MomentaAreTheSumsOverNodes) {
  const Matrix3Xd v = node_velocities(c_), b = cloud_.deformed(c_.w);
  Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();
  for (int k = 0; k < v.cols(); ++k) {
    const Vector3d p = c_.p + c_.R * Vector3d(b.col(k)), m_v = cloud_.m[k] * v.col(k);
    linear += m_v;
    angular += p.cross(m_v);
  }
  const Momentum momentum = body_.momentum(c_.state());
  EXPECT_LT((momentum.linear - linear).norm(), 1e-12 * linear.norm());
  EXPECT_LT((momentum.angular - angular).norm(), 1e-12 * angular.norm());
}

// The inertia force is sum m J_k^T (d/dt v_k - g) with v_k = J_k v: node accelerations by
// differences of node velocities along the motion, so that no printed formula is used twice.
TEST_P(ModalBodyContract, ResidualIsTheVirtualPowerOfNodeAccelerations) {
  const double h = 1e-6;
  const auto along = [&](double sign) {
    Configuration c = c_.moved(c_.v, sign * h);
    c.v = c_.v + sign * h * c_.a;
    return node_velocities(c);
  };
  const Matrix3Xd acceleration = (along(1.0) - along(-1.0)) / (2.0 * h);
  VectorXd expected(6 + n_);
  for (int i = 0; i < 6 + n_; ++i) {
    Configuration unit = c_;
    unit.v = VectorXd::Unit(6 + n_, i);
    const Matrix3Xd J = node_velocities(unit);
    double power = 0.0;
    for (int k = 0; k < J.cols(); ++k)
      power += cloud_.m[k] * J.col(k).dot(acceleration.col(k) - kGravity);
    expected[i] = power;
  }
  expected.tail(n_) += K_ * c_.w + D_ * c_.v.tail(n_);
  EXPECT_LT((residual(c_) - expected).norm(), 1e-7 * expected.norm());
}

TEST_P(ModalBodyContract, TangentIsDerivativeOfResidual) {
  const int n = 6 + n_;
  const double h = 1e-6;
  MatrixXd M(n, n), D(n, n), K(n, n);
  for (int i = 0; i < n; ++i) {
    const VectorXd e = VectorXd::Unit(n, i);
    const auto with = [&](double dv, double da) {
      Configuration c = c_;
      c.v += dv * e;
      c.a += da * e;
      return residual(c);
    };
    M.col(i) = (with(0, h) - with(0, -h)) / (2 * h);
    D.col(i) = (with(h, 0) - with(-h, 0)) / (2 * h);
    K.col(i) = (residual(c_.moved(e, h)) - residual(c_.moved(e, -h))) / (2 * h);
  }
  const auto tangent = [&](TangentCoefficients k) {
    MatrixXd J_rate = MatrixXd::Zero(n, n), J_q = MatrixXd::Zero(n, n);
    body_.add_tangent(c_.state(), kGravity, k, J_rate, J_q);
    return std::pair<MatrixXd, MatrixXd>(J_rate, J_q);
  };
  EXPECT_LT((tangent({1, 0, 0}).first - M).norm(), 1e-8 * M.norm());
  EXPECT_LT((tangent({0, 1, 0}).first - D).norm(), 1e-8 * D.norm());
  EXPECT_LT((tangent({0, 0, 1}).second - K).norm(), 1e-8 * K.norm());
}

TEST_P(ModalBodyContract, PowerBalances) {
  // With r = 0 for the inertia part: d/dt T = v . (M a + h); gravity and elastic parts subtracted.
  const double h = 1e-6;
  const auto energy = [&](double sign) {
    Configuration c = c_.moved(c_.v, sign * h);
    c.v = c_.v + sign * h * c_.a;
    const Energy e = body_.energy(c.state(), kGravity);
    return e.kinetic + e.strain + e.potential;
  };
  const double rate = (energy(1.0) - energy(-1.0)) / (2.0 * h);
  VectorXd r = residual(c_);
  r.tail(n_) -= D_ * c_.v.tail(n_);
  EXPECT_NEAR(c_.v.dot(r), rate, 1e-7 * std::abs(rate));
}

// A body whose field has terms of second order is no sum over nodes any more; what it must be is
// the motion that its kinetic energy has by Lagrange's equations.
class StiffenedModalBody : public testing::Test {
 protected:
  static constexpr int kModes = 4, kSize = 6 + kModes;

  StiffenedModalBody() : cloud_(12, kModes, 7), K_(cloud_.stiffness(3)) {
    std::mt19937 g(5);
    reduction::InertiaInvariants inertia = cloud_.invariants();
    inertia.C.resize(kModes * kModes);
    for (int i = 0; i < kModes; ++i)
      for (int j = 0; j <= i; ++j) {
        Matrix3d A;
        for (int a = 0; a < 3; ++a) A.col(a) = random_vector(g, 3, 0.5);
        inertia.C[i * kModes + j] = inertia.C[j * kModes + i] = A + A.transpose();
      }
    body_ = std::make_unique<ModalBody>("body", inertia, cloud_.mass_matrix(), K_,
                                        MatrixXd::Zero(kModes, kModes), VectorXd::Ones(kModes));
    c_.p = random_vector(g, 3);
    c_.R = random_rotation(g);
    c_.w = random_vector(g, kModes, 0.3);
    c_.v = random_vector(g, kSize, 2.0);
    c_.a = random_vector(g, kSize, 3.0);
  }

  VectorXd residual(const Configuration& c) {
    VectorXd r = VectorXd::Zero(kSize);
    body_->add_residual(c.state(), Vector3d::Zero(), r);
    return r;
  }
  MatrixXd mass_matrix(const Configuration& c) {
    MatrixXd M = MatrixXd::Zero(kSize, kSize), J_q = M;
    body_->add_tangent(c.state(), Vector3d::Zero(), {1, 0, 0}, M, J_q);
    return M;
  }
  Configuration along_the_motion(double h) const {
    Configuration c = c_.moved(c_.v, h);
    c.v = c_.v + h * c_.a;
    return c;
  }
  double kinetic(const Configuration& c) const {
    return body_->energy(c.state(), Vector3d::Zero()).kinetic;
  }

  MassCloud cloud_;
  MatrixXd K_;
  std::unique_ptr<ModalBody> body_;
  Configuration c_;
};

TEST_F(StiffenedModalBody, MassMatrixAndMomentaAreDerivativesOfTheKineticEnergy) {
  const VectorXd impulse = mass_matrix(c_) * c_.v;
  EXPECT_NEAR(kinetic(c_), 0.5 * c_.v.dot(impulse), 1e-12 * kinetic(c_));
  for (int i = 0; i < kSize; ++i) {  // quadratic in v: central differences are exact
    Configuration forward = c_, backward = c_;
    forward.v[i] += 1.0;
    backward.v[i] -= 1.0;
    EXPECT_NEAR(0.5 * (kinetic(forward) - kinetic(backward)), impulse[i], 1e-12 * impulse.norm());
  }
  const Momentum momentum = body_->momentum(c_.state());
  const Vector3d about_B = impulse.segment<3>(3);
  EXPECT_LT((momentum.linear - impulse.head<3>()).norm(), 1e-12 * impulse.norm());
  EXPECT_LT((momentum.angular - c_.p.cross(momentum.linear) - c_.R * about_B).norm(),
            1e-12 * impulse.norm());
}

TEST_F(StiffenedModalBody, ResidualIsThatOfLagrangesEquations) {
  const double h = 1e-5;
  const Configuration after = along_the_motion(h), before = along_the_motion(-h);
  const VectorXd impulse = mass_matrix(c_) * c_.v;
  VectorXd expected = (mass_matrix(after) * after.v - mass_matrix(before) * before.v) / (2.0 * h);
  const Vector3d v_B = c_.R.conjugate() * Vector3d(c_.v.head<3>());
  const Vector3d linear_B = c_.R.conjugate() * Vector3d(impulse.head<3>());
  expected.segment<3>(3) +=
      Vector3d(c_.v.segment<3>(3)).cross(Vector3d(impulse.segment<3>(3))) + v_B.cross(linear_B);
  for (int i = 0; i < kModes; ++i) {
    const VectorXd e = VectorXd::Unit(kSize, 6 + i);
    expected[6 + i] -= (kinetic(c_.moved(e, h)) - kinetic(c_.moved(e, -h))) / (2.0 * h);
  }
  expected.tail<kModes>() += K_ * c_.w;
  EXPECT_LT((residual(c_) - expected).norm(), 1e-8 * expected.norm());
}

TEST_F(StiffenedModalBody, TangentIsDerivativeOfResidual) {
  const double h = 1e-6;
  MatrixXd D(kSize, kSize), K(kSize, kSize);
  for (int i = 0; i < kSize; ++i) {
    const VectorXd e = VectorXd::Unit(kSize, i);
    Configuration faster = c_, slower = c_;
    faster.v += h * e;
    slower.v -= h * e;
    D.col(i) = (residual(faster) - residual(slower)) / (2 * h);
    K.col(i) = (residual(c_.moved(e, h)) - residual(c_.moved(e, -h))) / (2 * h);
  }
  MatrixXd J_rate = MatrixXd::Zero(kSize, kSize), J_q = J_rate;
  body_->add_tangent(c_.state(), Vector3d::Zero(), {0, 1, 1}, J_rate, J_q);
  EXPECT_LT((J_rate - D).norm(), 1e-8 * D.norm());
  EXPECT_LT((J_q - K).norm(), 1e-8 * K.norm());
}

TEST(RigidBody, KeepsItsInertiaAboutTheCentreOfMass) {
  Matrix3d J;
  J << 2.0, 0.1, 0.2, 0.1, 3.0, -0.3, 0.2, -0.3, 4.0;
  const Vector3d com(0.3, -0.2, 0.5);
  const auto body = make_rigid_body("rigid", 2.5, com, J);
  const Vector3d c = body->inertia().first_moment / 2.5;
  const Matrix3d D = body->inertia().N00 - 2.5 * c * c.transpose();
  EXPECT_LT((c - com).norm(), 1e-15);
  EXPECT_LT((D.trace() * Matrix3d::Identity() - D - J).norm(), 1e-14);
}

}  // namespace
}  // namespace solidyn::bodies
