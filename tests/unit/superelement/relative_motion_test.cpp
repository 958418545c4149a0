// The motion of a node frame seen from a floating frame, against difference quotients.
#include "solidyn/bodies/relative_motion.h"

#include "random_bodies.h"

namespace solidyn::bodies {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing_support::random_rotation;
using testing_support::random_vector;

using Vector12 = Eigen::Matrix<double, 12, 1>;

// Two frames in fast motion, turned against each other by the parameter.
class RelativeMotionContract : public testing::TestWithParam<double> {
 protected:
  RelativeMotionContract() {
    std::mt19937 g(5);
    const auto motion = [&] {
      RigidMotion m;
      m.p = random_vector(g, 3);
      m.v = random_vector(g, 3, 2.0);
      m.w = random_vector(g, 3, 3.0);
      m.a = random_vector(g, 3, 4.0);
      m.dw = random_vector(g, 3, 5.0);
      return m;
    };
    B_ = motion();
    K_ = motion();
    B_.R = random_rotation(g).toRotationMatrix();
    K_.R = B_.R * math::exp_rotation(GetParam() * Vector3d(0.48, -0.6, 0.64));
    x_ = random_vector(g, 3);
  }

  static RigidMotion moved(const RigidMotion& m, const VectorXd& d) {
    RigidMotion n = m;
    n.p += d.head<3>();
    n.R = m.R * math::exp_rotation(d.tail<3>());
    return n;
  }
  RelativeMotion motion(const RigidMotion& B, const RigidMotion& K) const {
    RelativeMotion r;
    r.set_positions(B, K, x_);
    r.set_velocities(B, K);
    return r;
  }
  RelativeMotion motion_at(const Vector12& d) const {
    return motion(moved(B_, d.head<6>()), moved(K_, d.tail<6>()));
  }
  static Vector12 rates(const RigidMotion& B, const RigidMotion& K) {
    Vector12 r;
    r << B.v, B.w, K.v, K.w;
    return r;
  }
  Vector6 acceleration(const RelativeMotion& r) const {
    Vector12 a;
    a << B_.a, B_.dw, K_.a, K_.dw;
    return r.G() * a + r.bias();
  }

  template <class F>
  static MatrixXd differences(F&& f, int rows) {
    constexpr double h = 2e-6;
    MatrixXd D(rows, 12);
    for (int i = 0; i < 12; ++i) {
      const Vector12 e = h * Vector12::Unit(i);
      D.col(i) = (f(e) - f(-e)) / (2.0 * h);
    }
    return D;
  }
  static void expect_near(const MatrixXd& a, const MatrixXd& b, double tolerance) {
    EXPECT_LT((a - b).norm(), tolerance * std::max(1.0, b.norm()));
  }

  RigidMotion B_, K_;
  Vector3d x_;
};
INSTANTIATE_TEST_SUITE_P(RelativeAngles, RelativeMotionContract,
                         testing::Values(0.0, 1e-5, 0.3, 1.5, 2.9));

TEST_P(RelativeMotionContract, JacobianIsTheDerivativeOfTheCoordinates) {
  const MatrixXd D = differences([&](const Vector12& d) { return motion_at(d).q(); }, 6);
  expect_near(motion(B_, K_).G(), D, 1e-8);
}

TEST_P(RelativeMotionContract, RatesAreTheDerivativesAlongTheMotion) {
  constexpr double h = 1e-6;
  const auto at = [&](double t) {
    RigidMotion B = B_, K = K_;
    for (RigidMotion* m : {&B, &K}) {  // to second order in t
      m->p += t * m->v + 0.5 * t * t * m->a;
      m->R = m->R * math::exp_rotation(t * m->w + 0.5 * t * t * m->dw);
      m->v += t * m->a;
      m->w += t * m->dw;
    }
    return motion(B, K);
  };
  const RelativeMotion now = motion(B_, K_);
  expect_near(now.dq(), (at(h).q() - at(-h).q()) / (2.0 * h), 1e-7);
  expect_near(acceleration(now), (at(h).dq() - at(-h).dq()) / (2.0 * h), 1e-7);
}

TEST_P(RelativeMotionContract, SecondDerivativesAreThoseOfTheRates) {
  const RelativeMotion now = motion(B_, K_);
  expect_near(now.rate_stiffness(),
              differences([&](const Vector12& d) { return motion_at(d).dq(); }, 6), 1e-7);
  expect_near(now.acceleration_stiffness(B_, K_),
              differences([&](const Vector12& d) { return acceleration(motion_at(d)); }, 6), 1e-7);
  const auto with_rates = [&](const Vector12& d) {
    RigidMotion B = B_, K = K_;
    B.v += d.segment<3>(0);
    B.w += d.segment<3>(3);
    K.v += d.segment<3>(6);
    K.w += d.segment<3>(9);
    return motion(B, K).bias();
  };
  expect_near(now.acceleration_damping(), differences(with_rates, 6), 1e-7);
}

TEST_P(RelativeMotionContract, GeometricStiffnessIsTheDerivativeOfTheForces) {
  std::mt19937 g(8);
  const Vector6 f = random_vector(g, 6);
  const auto forces = [&](const Vector12& d) -> VectorXd {
    return motion_at(d).G().transpose() * f;
  };
  expect_near(motion(B_, K_).geometric_stiffness(f), differences(forces, 12), 1e-7);
}

}  // namespace
}  // namespace solidyn::bodies
