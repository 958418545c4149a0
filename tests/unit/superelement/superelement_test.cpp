// The superelement against sums over its nodes and difference quotients, through a system.
#include "solidyn/bodies/superelement.h"

#include "random_superelement.h"
#include "solidyn/system/initial_conditions.h"
#include "solidyn/system/system.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing_support::make_reduced_cloud;
using testing_support::MassCloud;
using testing_support::random_number;
using testing_support::random_rotation;
using testing_support::random_vector;

const Vector3d kGravity(0.3, -9.81, 1.7);

// The assembled matrix, to be looked at.
class DenseMatrix final : public solvers::LinearSolver {
 public:
  DenseMatrix() : LinearSolver(Layout::dense) {}
  const char* name() const override { return "dense"; }
  void factor() override {}
  void solve(const VectorXd&, VectorXd&) override {}
  MatrixXd matrix() const { return Eigen::Map<const MatrixXd>(values_.data(), n_, n_); }

 private:
  void pattern_changed() override { values_.assign(static_cast<std::size_t>(n_) * n_, 0.0); }
};

// How interfaces are carried: each by a node of its own; or the second by an arm of a rigid body
// and the third by the ground; or the second and the third by one rigid arm.
enum class Carriers { nodes, arm_and_ground, one_arm };

struct Case {
  int n_interfaces, n_internal;
  Carriers carriers;
  double deformation;  // angles and displacements of the interfaces relative to a rigid body
};

class SuperelementContract : public testing::TestWithParam<Case> {
 protected:
  SuperelementContract()
      : cloud_(14, 6 * GetParam().n_interfaces - 4, 3),
        source_(make_reduced_cloud(cloud_, GetParam().n_interfaces)),
        reduced_(reduction::to_interface_coordinates(source_, GetParam().n_internal)) {
    std::mt19937 g(17);
    pose_.q_WB = random_rotation(g);
    pose_.p_WB = random_vector(g, 3);
    build();
    state_ = system_.make_state();
    VectorXd q;
    system_.advance(state_.q,
                    random_vector(g, system_.layout().n_velocities(), GetParam().deformation), q);
    state_.q = q;
    state_.v = random_vector(g, system_.layout().n_velocities(), 2.0);
    state_.a = random_vector(g, system_.layout().n_velocities(), 3.0);
  }

  void build() {
    std::vector<FrameIndex> frames(reduced_.n_interfaces);
    for (int k = 0; k < reduced_.n_interfaces; ++k) frames[k] = add_interface(k);
    auto body = std::make_unique<Superelement>("body", reduced_, frames);
    body_ = body.get();
    index_ = system_.add_body(std::move(body), {});
    system_.set_gravity(kGravity);
    system_.finalize();
  }

  bodies::FrameIndex add_interface(int k) {
    const bool is_special = GetParam().carriers != Carriers::nodes;
    const Vector3d x = reduced_.body.interfaces[k].x_B;
    system::InitialMotion motion = pose_;
    motion.p_WB += motion.q_WB * x;
    Frame frame;
    frame.R_BF = pose_.q_WB.toRotationMatrix();
    frame.x_B = motion.p_WB;
    if (is_special && k == 2) {
      if (GetParam().carriers == Carriers::arm_and_ground) return system_.add_frame(frame);
      const Matrix3d R = arm_.q_WB.toRotationMatrix();
      frame.body = rigid_.back().first;
      frame.x_B = R.transpose() * (motion.p_WB - arm_.p_WB);
      frame.R_BF = R.transpose() * frame.R_BF;
      return system_.add_frame(frame);
    }
    if (is_special && k == 1) {
      motion.q_WB = Eigen::Quaterniond(0.5, 0.1, -0.7, 0.5).normalized();
      const Matrix3d R = motion.q_WB.toRotationMatrix();
      frame.x_B = Vector3d(0.4, -0.3, 0.7);
      motion.p_WB -= R * frame.x_B;
      frame.R_BF = R.transpose() * frame.R_BF;
      arm_ = motion;
      auto arm = make_rigid_body("arm", 2.0, Vector3d(0.1, 0.2, 0.3), 0.7 * Matrix3d::Identity());
      ModalBody* body = arm.get();
      frame.body = system_.add_body(std::move(arm), motion);
      rigid_.emplace_back(frame.body, body);
    } else {
      frame = Frame();
      frame.body = system_.add_body(make_virtual_body("node"), motion);
    }
    return system_.add_frame(frame);
  }

  system::State moved(const VectorXd& d, double h) const {
    system::State s = state_.clone();
    system_.advance(state_.q, h * d, s.q);
    return s;
  }
  VectorXd residual(const system::State& s) {
    VectorXd r, phi;
    system_.update(s);
    system_.compute_residual(s, r, phi);
    return r;
  }
  VectorXd own_residuals_of_carriers() {
    VectorXd r = VectorXd::Zero(system_.layout().n_velocities());
    for (const auto& [i, body] : rigid_)
      body->add_residual(system_.kinematics().bodies[i], kGravity,
                         r.segment<6>(system_.layout().velocity_offset(i)));
    return r;
  }
  // Velocities of all nodes in W.
  Matrix3Xd node_velocities(const system::State& s) {
    system_.update(s);
    const BodyState& b = system_.kinematics().bodies[index_];
    const VectorXd u = reduced_.body.X * b.q_e, du = reduced_.body.X * b.dq_e();
    Matrix3Xd v(3, cloud_.x.cols());
    for (int k = 0; k < v.cols(); ++k) {
      const Vector3d x = cloud_.x.col(k) + u.segment<3>(3 * k);
      v.col(k) = b.v_WB() + b.R_WB * (b.w_WB_B().cross(x) + du.segment<3>(3 * k));
    }
    return v;
  }
  Matrix3Xd node_positions(const system::State& s) {
    system_.update(s);
    const BodyState& b = system_.kinematics().bodies[index_];
    const VectorXd u = reduced_.body.X * b.q_e;
    const Matrix3Xd x = cloud_.x + Eigen::Map<const Matrix3Xd>(u.data(), 3, cloud_.x.cols());
    return (b.R_WB * x).colwise() + b.p_WB;
  }
  MatrixXd tangent(const TangentCoefficients& c) {
    DenseMatrix matrix;
    system_.set_pattern(matrix);
    system::System::TangentOptions options;
    options.coefficients = c;
    system_.update(state_);
    system_.assemble(state_, options, matrix);
    return matrix.matrix();
  }

  MassCloud cloud_;
  reduction::ReducedBody source_;
  reduction::InterfaceBody reduced_;
  system::InitialMotion pose_, arm_;
  system::System system_;
  Superelement* body_ = nullptr;
  std::vector<std::pair<BodyIndex, ModalBody*>> rigid_;
  bodies::BodyIndex index_;
  system::State state_;
};
INSTANTIATE_TEST_SUITE_P(Cases, SuperelementContract,
                         testing::Values(Case{2, 0, Carriers::nodes, 0.01},
                                         Case{2, 2, Carriers::nodes, 0.4},
                                         Case{3, 0, Carriers::nodes, 0.3},
                                         Case{3, 1, Carriers::arm_and_ground, 0.3},
                                         Case{3, 1, Carriers::one_arm, 0.3}));

TEST_P(SuperelementContract, FrameSatisfiesItsConditions) {
  system_.update(state_);
  const BodyState& b = system_.kinematics().bodies[index_];
  const auto n_q = reduced_.frame_rows.cols();
  EXPECT_LT((reduced_.frame_rows * b.q_e.head(n_q)).norm(), 1e-13);
  EXPECT_LT((reduced_.frame_rows * b.dq_e().head(n_q)).norm(), 1e-12);
  for (int k = 0; k < reduced_.n_interfaces; ++k) {
    const FrameMotion& f = system_.kinematics().frames[body_->frames()[k]];
    const Vector3d x = reduced_.body.interfaces[k].x_B + b.q_e.segment<3>(6 * k);
    EXPECT_LT((b.p_WB + b.R_WB * x - f.p).norm(), 1e-13);
    EXPECT_LT((b.R_WB * math::exp_rotation(b.q_e.segment<3>(6 * k + 3)) - f.R).norm(), 1e-13);
  }
}

TEST_P(SuperelementContract, VelocitiesAreTheRatesOfThePositions) {
  const double h = 1e-6;
  const Matrix3Xd v =
      (node_positions(moved(state_.v, h)) - node_positions(moved(state_.v, -h))) / (2.0 * h);
  EXPECT_LT((node_velocities(state_) - v).norm(), 1e-7 * v.norm());
}

// M a + h = sum m J_k^T (d/dt v_k - g) + elastic and damping forces, node accelerations by
// differences along the motion: no formula of the superelement is used twice.
TEST_P(SuperelementContract, ResidualIsTheVirtualPowerOfNodeAccelerations) {
  const double h = 1e-6;
  const auto along = [&](double sign) {
    system::State s = moved(state_.v, sign * h);
    s.v = state_.v + sign * h * state_.a;
    return node_velocities(s);
  };
  const Matrix3Xd acceleration = (along(1.0) - along(-1.0)) / (2.0 * h);
  system_.update(state_);
  const BodyState& b = system_.kinematics().bodies[index_];
  const VectorXd elastic = reduced_.body.K * b.q_e + reduced_.body.D * b.dq_e();
  VectorXd expected(system_.layout().n_velocities());
  for (int i = 0; i < expected.size(); ++i) {
    system::State unit = state_.clone();
    unit.v = VectorXd::Unit(expected.size(), i);
    const Matrix3Xd J = node_velocities(unit);
    expected[i] = elastic.dot(system_.kinematics().bodies[index_].dq_e());
    for (int k = 0; k < J.cols(); ++k)
      expected[i] += cloud_.m[k] * J.col(k).dot(acceleration.col(k) - kGravity);
  }
  const VectorXd got = residual(state_);
  expected += own_residuals_of_carriers();
  EXPECT_LT((got - expected).norm(), 1e-7 * expected.norm());
}

TEST_P(SuperelementContract, TangentIsDerivativeOfResidual) {
  const int n = system_.layout().n_velocities();
  const double h = 1e-6;
  MatrixXd M(n, n), D(n, n), K(n, n);
  for (int i = 0; i < n; ++i) {
    const VectorXd e = VectorXd::Unit(n, i);
    const auto with = [&](double dv, double da) {
      system::State s = state_.clone();
      s.v += dv * e;
      s.a += da * e;
      return residual(s);
    };
    M.col(i) = (with(0, h) - with(0, -h)) / (2 * h);
    D.col(i) = (with(h, 0) - with(-h, 0)) / (2 * h);
    K.col(i) = (residual(moved(e, h)) - residual(moved(e, -h))) / (2 * h);
  }
  const MatrixXd M_tangent = tangent({1, 0, 0});
  EXPECT_LT((M_tangent - M).norm(), 1e-8 * M.norm());
  EXPECT_LT((M_tangent - M_tangent.transpose()).norm(), 1e-12 * M.norm());
  EXPECT_LT((tangent({0, 1, 0}) - D).norm(), 2e-8 * D.norm());
  EXPECT_LT((tangent({0, 0, 1}) - K).norm(), 2e-8 * K.norm());
  EXPECT_LT((tangent({2, 3, 4}) - 2 * M - 3 * D - 4 * K).norm(), 1e-7 * K.norm());
}

TEST_P(SuperelementContract, PowerGoesIntoEnergyAndDissipation) {
  const double h = 1e-5;
  const auto energy = [&](double sign) {
    system::State s = moved(state_.v, sign * h);
    s.v = state_.v + sign * h * state_.a;
    system_.update(s);
    return system_.energy(s);
  };
  const Energy after = energy(1.0), before = energy(-1.0);
  const double change = (after.kinetic + after.strain + after.potential - before.kinetic -
                         before.strain - before.potential) /
                        (2.0 * h);
  const double power = residual(state_).dot(state_.v);
  const double dissipated = body_->dissipation(system_.kinematics().bodies[index_]);
  EXPECT_GT(dissipated, 0.0);
  EXPECT_NEAR(change + dissipated, power, 1e-7 * std::abs(power));
}

TEST_P(SuperelementContract, MomentaAreTheSumsOverNodes) {
  const Matrix3Xd p = node_positions(state_), v = node_velocities(state_);
  Vector3d linear = Vector3d::Zero(), angular = Vector3d::Zero();
  for (int k = 0; k < v.cols(); ++k) {
    linear += cloud_.m[k] * v.col(k);
    angular += cloud_.m[k] * Vector3d(p.col(k)).cross(Vector3d(v.col(k)));
  }
  const Momentum momentum = body_->momentum(system_.kinematics().bodies[index_]);
  EXPECT_LT((momentum.linear - linear).norm(), 1e-12 * linear.norm());
  EXPECT_LT((momentum.angular - angular).norm(), 1e-12 * angular.norm());
}

// A free body of two nodes: the simplest system, for claims about rigid motion.
class FreeSuperelement : public testing::Test {
 protected:
  FreeSuperelement() : cloud_(14, 14, 3), source_(make_reduced_cloud(cloud_, 3)) {}

  // The system of the body with its interfaces in the order given, moving as one rigid body.
  void build(const std::vector<int>& order, system::System& system) {
    reduction::ReducedBody body = source_;
    for (std::size_t k = 0; k < order.size(); ++k)
      body.interfaces[k] = source_.interfaces[order[k]];
    const auto reduced = reduction::to_interface_coordinates(body, 0);
    std::vector<bodies::FrameIndex> frames;
    for (const reduction::ReducedInterface& i : body.interfaces) {
      system::InitialMotion motion = pose_;
      motion.p_WB += motion.q_WB * i.x_B;
      motion.v_WB += motion.q_WB * pose_.w_WB_B.cross(i.x_B);
      Frame frame;
      frame.body = system.add_body(make_virtual_body("node"), motion);
      frames.push_back(system.add_frame(frame));
    }
    system.add_body(std::make_unique<Superelement>("body", reduced, frames), {});
    system.finalize();
  }
  static VectorXd residual(system::System& system, const system::State& s) {
    VectorXd r, phi;
    system.update(s);
    system.compute_residual(s, r, phi);
    return r;
  }

  MassCloud cloud_;
  reduction::ReducedBody source_;
  system::InitialMotion pose_;
};

TEST_F(FreeSuperelement, RigidMotionGivesNoForce) {
  std::mt19937 g(3);
  pose_.q_WB = random_rotation(g);
  pose_.p_WB = random_vector(g, 3, 10.0);
  pose_.v_WB = random_vector(g, 3, 5.0);
  system::System system;
  build({0, 1, 2}, system);
  EXPECT_LT(residual(system, system.make_state()).norm(), 1e-11 * source_.K.norm());
}

TEST_F(FreeSuperelement, RigidSpinGivesExactlyTheCentripetalForces) {
  std::mt19937 g(4);
  pose_.q_WB = random_rotation(g);
  pose_.w_WB_B = random_vector(g, 3, 30.0);
  system::System system;
  build({0, 1, 2}, system);
  system::State s = system.make_state();
  const Vector3d w = pose_.w_WB_B;
  const Matrix3d R = pose_.q_WB.toRotationMatrix();
  for (int k = 0; k < 3; ++k) {
    const Vector3d x = source_.interfaces[k].x_B;
    s.a.segment<3>(system.layout().velocity_offset(bodies::BodyIndex(k))) = R * w.cross(w.cross(x));
  }
  const VectorXd r = residual(system, s);
  const BodyState& b = system.kinematics().bodies[bodies::BodyIndex(3)];
  EXPECT_LT(b.q_e.norm(), 1e-13);
  EXPECT_LT(b.dq_e().norm(), 1e-12 * w.norm());
  EXPECT_LT(b.a.norm(), 1e-12 * w.squaredNorm());
  const auto reduced = reduction::to_interface_coordinates(source_, 0);
  VectorXd expected = VectorXd::Zero(18);  // sum m X^T (w x (w x x)), on axes of W
  for (int i = 0; i < 18; ++i)
    for (int k = 0; k < cloud_.x.cols(); ++k)
      expected[i] += cloud_.m[k] * reduced.body.X.block<3, 1>(3 * k, i).dot(
                                       w.cross(w.cross(Vector3d(cloud_.x.col(k)))));
  for (int k = 0; k < 3; ++k) expected.segment<3>(6 * k) = R * expected.segment<3>(6 * k).eval();
  EXPECT_LT((r - expected).norm(), 1e-11 * expected.norm());
}

TEST_F(FreeSuperelement, StartsWithoutDeformingWhateverVelocitiesWereGuessed) {
  std::mt19937 g(6);
  pose_.q_WB = random_rotation(g);
  pose_.w_WB_B = random_vector(g, 3, 30.0);
  pose_.v_WB = random_vector(g, 3, 5.0);
  system::System system;
  build({0, 1, 2}, system);
  system::State s = system.make_state();
  const VectorXd rigid = s.v;
  system::make_velocities_consistent(system, s, 1e-12);
  EXPECT_LT((s.v - rigid).norm(), 1e-12 * rigid.norm());
  s.v.segment<6>(system.layout().velocity_offset(bodies::BodyIndex(1))).setZero();
  system.update(s);
  const BodyState& b = system.kinematics().bodies[bodies::BodyIndex(3)];
  EXPECT_GT(b.dq_e().norm(), 1.0);
  system::make_velocities_consistent(system, s, 1e-12);
  EXPECT_LT(b.dq_e().norm(), 1e-12 * rigid.norm());
  EXPECT_GT(s.v.norm(), 0.1 * rigid.norm());
}

TEST_F(FreeSuperelement, NoInterfaceIsPreferred) {
  std::mt19937 g(5);
  system::System first, second;
  const std::vector<int> order = {2, 0, 1};
  build({0, 1, 2}, first);
  build(order, second);
  system::State a = first.make_state(), b = second.make_state();
  const VectorXd d = random_vector(g, 18, 0.3), v = random_vector(g, 18), dv = random_vector(g, 18);
  const auto permuted = [&](const VectorXd& x) {
    VectorXd y(18);
    for (int k = 0; k < 3; ++k) y.segment<6>(6 * k) = x.segment<6>(6 * order[k]);
    return y;
  };
  VectorXd q;
  first.advance(a.q, d, q);
  a.q = q;
  second.advance(b.q, permuted(d), q);
  b.q = q;
  a.v = v;
  a.a = dv;
  b.v = permuted(v);
  b.a = permuted(dv);
  const VectorXd r = residual(first, a);
  EXPECT_LT((residual(second, b) - permuted(r)).norm(), 1e-12 * r.norm());
}

}  // namespace
}  // namespace solidyn::bodies
