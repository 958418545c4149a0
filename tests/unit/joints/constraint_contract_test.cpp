// One suite for every constraint: Jacobian, rates and stiffness by finite differences on random
// states of two flexible bodies (a joint cannot tell them from rigid ones).
#include <functional>

#include "random_bodies.h"
#include "solidyn/joints/coupler.h"
#include "solidyn/joints/curve.h"
#include "solidyn/joints/joint.h"
#include "solidyn/joints/reference_condition.h"
#include "solidyn/joints/rigid_flexible_joint.h"
#include "solidyn/joints/tied_axes.h"
#include "solidyn/system/system.h"
#include "strain_cases.h"

namespace solidyn::joints {
namespace {

using bodies::Frame;
using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using system::State;
using system::System;
using testing_support::MassCloud;
using testing_support::random_rotation;
using testing_support::random_vector;

constexpr int kModes[2] = {4, 3};

Matrix3Xd random_rows(std::mt19937& g, int n, double scale) {
  Matrix3Xd rows(3, n);
  for (int i = 0; i < n; ++i) rows.col(i) = random_vector(g, 3, scale);
  return rows;
}

std::unique_ptr<bodies::Body> random_body(const char* name, int n, unsigned seed) {
  const MassCloud cloud(10, n, seed);
  return std::make_unique<bodies::ModalBody>(name, cloud.invariants(), cloud.mass_matrix(),
                                             cloud.stiffness(seed), MatrixXd::Zero(n, n),
                                             VectorXd::Ones(n));
}

Frame random_frame(std::mt19937& g, bodies::BodyIndex body, int n_elastic) {
  Frame f;
  f.body = body;
  f.x_B = random_vector(g, 3);
  f.R_BF = random_rotation(g).toRotationMatrix();
  if (body != bodies::kGround) {
    f.Psi_t = random_rows(g, n_elastic, 0.4);
    f.Psi_r = random_rows(g, n_elastic, 0.4);
    f.Y_t = testing_support::random_second_order(g, n_elastic, 0.3);
    f.Y_r = testing_support::random_second_order(g, n_elastic, 0.3);
  }
  return f;
}

// A body on absolute coordinates of which only the ports matter.
class PortsOnly final : public bodies::Body {
 public:
  explicit PortsOnly(int n) : Body("ports", n, Axes::world) {}
  void add_residual(const bodies::BodyState&, const Vector3d&, Eigen::Ref<VectorXd>) override {}
  void add_tangent(const bodies::BodyState&, const Vector3d&, const bodies::TangentCoefficients&,
                   Eigen::Ref<MatrixXd>, Eigen::Ref<MatrixXd>) override {}
  bodies::Energy energy(const bodies::BodyState&, const Vector3d&) const override { return {}; }
  bodies::Momentum momentum(const bodies::BodyState&) const override { return {}; }
  double mass() const override { return 0.0; }
  double dissipation(const bodies::BodyState&) const override { return 0.0; }
  VectorXd elastic_amplitude() const override { return VectorXd::Ones(n_elastic()); }
};

template <class Tie>
void add_tie(System& s, std::mt19937& g) {
  constexpr int n = 5;
  const auto solid = s.add_body(std::make_unique<PortsOnly>(n), {});
  const auto body = s.add_body(bodies::make_virtual_body("virtual"), {});
  RegionVectors region;
  region.p_ref = random_vector(g, 3);
  region.Psi_p = random_rows(g, n, 1.0);
  region.axes = random_rotation(g).toRotationMatrix().leftCols<2>();
  region.s_ref = random_rows(g, 2, 1.0);
  for (int j = 0; j < 2; ++j) region.Psi_s.push_back(random_rows(g, n, 0.5));
  s.add_constraint(std::make_unique<Tie>("tie", solid, body, n, region));
}

using AddConstraint = std::function<void(System&, std::mt19937&)>;

void add_joint(System& s, std::mt19937& g, const JointRows& rows, bool to_ground) {
  const bodies::BodyIndex A = to_ground ? bodies::kGround : bodies::BodyIndex(0);
  const auto frame_A = s.add_frame(random_frame(g, A, kModes[0]));
  const auto frame_B = s.add_frame(random_frame(g, bodies::BodyIndex(1), kModes[1]));
  const bodies::FrameLink link = rows.tracked ? s.tracked_link(frame_A, frame_B, rows.tracked)
                                              : s.tracked_link(frame_A, frame_B);
  s.add_constraint(std::make_unique<Joint>("joint", link, rows.primitives, rows.names));
}

// Bent gently enough that the point, which is anywhere, is on the concave side of no evolute.
PointOnCurve on_a_curve(bool is_closed) {
  std::vector<Vector3d> points;
  for (int i = 0; i < 9; ++i) {
    const double a = 2.0 * M_PI / 9.0 * i;
    points.push_back(is_closed ? Vector3d(20.0 * std::cos(a), 25.0 * std::sin(a), std::sin(2.0 * a))
                               : Vector3d(4.0 * i - 16.0, 0.05 * i * i, 2.0 * std::sin(0.7 * i)));
  }
  const auto curve = std::make_shared<const SpaceCurve>(points, is_closed);
  return point_on_curve("joint", curve, is_closed ? Vector3d(20.0, 0.0, 0.0) : Vector3d::Zero());
}

// What is driven is the way along it.
JointRows driven_along_a_curve(const math::TimeFunction& law) {
  PointOnCurve on = on_a_curve(false);
  const JointRows drive = drive_rows(on.arc_length, law, "driven translation");
  on.rows.primitives.push_back(drive.primitives[0]);
  on.rows.names.push_back(drive.names[0]);
  return on.rows;
}

// Terms between the ground and both bodies and within one of them, of an angle and lengths.
void add_coupler(System& s, std::mt19937& g) {
  const auto link = [&](bodies::BodyIndex body_A, bodies::BodyIndex body_B) {
    const auto A = s.add_frame(
        random_frame(g, body_A, body_A == bodies::kGround ? 0 : kModes[body_A.value()]));
    const auto B = s.add_frame(random_frame(g, body_B, kModes[body_B.value()]));
    return s.tracked_link(A, B);
  };
  std::vector<Coupler::Term> terms = {
      {link(bodies::BodyIndex(0), bodies::BodyIndex(1)), bodies::RotationAngle(), 0.7},
      {link(bodies::kGround, bodies::BodyIndex(1)), bodies::PointAlongFrameAxis(Vector3d::UnitZ()),
       -1.3},
      {link(bodies::BodyIndex(1), bodies::BodyIndex(0)), bodies::Distance(), 0.4},
      {link(bodies::BodyIndex(0), bodies::BodyIndex(0)), bodies::RotationAngle(), 2.0}};
  s.add_constraint(std::make_unique<Coupler>("coupler", std::move(terms), 0.3));
}

// A follower on a flexible cam: its lift is a curve over the cam's angle.
void add_cam(System& s, std::mt19937& g) {
  const auto link = [&](bodies::BodyIndex body_A, bodies::BodyIndex body_B) {
    const auto A = s.add_frame(random_frame(g, body_A, kModes[body_A.value()]));
    const auto B = s.add_frame(random_frame(g, body_B, kModes[body_B.value()]));
    return s.tracked_link(A, B);
  };
  const auto lift = math::TimeFunction::expression("0.4*sin(2*t) + 0.2*t^2");
  std::vector<Coupler::Term> terms = {
      {link(bodies::BodyIndex(0), bodies::BodyIndex(1)),
       bodies::PointAlongFrameAxis(Vector3d::UnitZ()), 1.0},
      {link(bodies::BodyIndex(1), bodies::BodyIndex(0)), bodies::RotationAngle(), 0.0, lift}};
  s.add_constraint(std::make_unique<Coupler>("cam", std::move(terms), 0.1));
}

// One of the library's coordinates as a program would define it.
class OfProgram final : public bodies::UserCoordinate::Formula {
 public:
  bodies::CoordinateValue value(const FramePair& f) const override { return slide_.value(f); }
  void add_stiffness(const FramePair& f, double lambda, Matrix12& K) const override {
    slide_.add_stiffness(f, lambda, K);
  }

 private:
  bodies::PointAlongFrameAxis slide_{Vector3d(0.6, 0.0, 0.8)};
};

JointRows rows_of_program() {
  const bodies::UserCoordinate coordinate(std::make_shared<OfProgram>());
  return {{Primitive(coordinate, 0.2)}, {"coordinate of a program"}};
}

struct Case {
  const char* name;
  AddConstraint add;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const std::pair<const char*, JointType> types[] = {
      {"fixed", JointType::fixed},
      {"spherical", JointType::spherical},
      {"revolute", JointType::revolute},
      {"cylindrical", JointType::cylindrical},
      {"prismatic", JointType::prismatic},
      {"planar", JointType::planar},
      {"universal", JointType::universal},
      {"constant_velocity", JointType::constant_velocity},
      {"point_on_line", JointType::point_on_line},
      {"point_on_plane", JointType::point_on_plane},
      {"parallel_axes", JointType::parallel_axes},
      {"perpendicular_axes", JointType::perpendicular_axes},
      {"orientation", JointType::orientation}};
  for (const auto& [name, type] : types) {
    cases.push_back({name, [type = type](System& s, std::mt19937& g) {
                       add_joint(s, g, joint_rows(type), false);
                     }});
  }
  cases.push_back({"fixed_to_ground", [](System& s, std::mt19937& g) {
                     add_joint(s, g, joint_rows(JointType::fixed), true);
                   }});
  const auto law = math::TimeFunction::expression("1.5*t + sin(3*t)");
  using Level = Constraint::Level;
  const std::pair<const char*, JointRows> rows[] = {
      {"screw", screw_rows(0.8)},
      {"distance", distance_rows(0.6)},
      {"rolling", rolling_rows(0.4)},
      {"user_coordinate", rows_of_program()},
      {"rotation_drive", rotation_drive_rows(law)},
      {"rotation_rate_drive", rotation_drive_rows(law, Level::velocity)},
      {"translation_drive", translation_drive_rows(law)},
      {"translation_rate_drive", translation_drive_rows(law, Level::velocity)},
      {"distance_drive", distance_drive_rows(law, Level::position, 0.3)},
      {"distance_rate", distance_drive_rows(law, Level::velocity)},
      {"open_curve", on_a_curve(false).rows},
      {"closed_curve", on_a_curve(true).rows},
      {"driven_along_a_curve", driven_along_a_curve(law)},
      {"point_path", point_path_rows({law, std::nullopt, law})},
      {"point_rates", point_path_rows({law, law, law}, Level::velocity)}};
  for (const auto& [name, list] : rows) {
    cases.push_back(
        {name, [list = list](System& s, std::mt19937& g) { add_joint(s, g, list, false); }});
  }
  cases.push_back({"coupler", add_coupler});
  cases.push_back({"cam", add_cam});
  const std::pair<const char*, ReferenceConditionType> conditions[] = {
      {"mean_axis", ReferenceConditionType::mean_axis},
      {"mean_axis_velocity", ReferenceConditionType::mean_axis_velocity},
      {"principal_axis", ReferenceConditionType::principal_axis}};
  for (const auto& [name, type] : conditions) {
    cases.push_back(
        {name, [type = type](System& s, std::mt19937&) {
           s.add_constraint(std::make_unique<ReferenceCondition>(
               "first", bodies::BodyIndex(0), type, MassCloud(10, kModes[0], 5).invariants()));
         }});
  }
  cases.push_back({"rigid_flexible", [](System& s, std::mt19937& g) {
                     const auto body = s.add_body(bodies::make_virtual_body("virtual"), {});
                     Matrix3d x;
                     x << 0.1, 0.6, 0.2, 0.2, 0.3, 0.9, -0.3, 0.1, 0.2;
                     std::array<Matrix3Xd, 3> Psi;
                     for (Matrix3Xd& rows : Psi) rows = random_rows(g, kModes[0], 0.3);
                     s.add_constraint(std::make_unique<RigidFlexibleJoint>(
                         "virtual", bodies::BodyIndex(0), body, kModes[0], x, Psi,
                         random_rotation(g).toRotationMatrix()));
                   }});
  cases.push_back({"bar", add_bar});
  cases.push_back({"rigid_link", add_rigid_link});
  cases.push_back({"hinge", [](System& s, std::mt19937& g) {
                     add_hinge(s, g, s.add_body(std::make_unique<PortsOnly>(1), {}));
                   }});
  cases.push_back({"driven_beam", [](System& s, std::mt19937& g) {
                     add_driven_beam(s, g, s.add_body(std::make_unique<PortsOnly>(3), {}));
                   }});
  cases.push_back({"averaged_frame", add_tie<AveragedFrame>});
  cases.push_back({"rigid_region", add_tie<RigidRegion>});
  return cases;
}

class ConstraintContract : public testing::TestWithParam<Case> {
 protected:
  ConstraintContract() : generator_(17) {
    system_.add_body(random_body("first", kModes[0], 5), {});
    system_.add_body(random_body("second", kModes[1], 6), {});
    GetParam().add(system_, generator_);
    system_.finalize();
    state_ = system_.make_state();
    state_.t = 0.7;
    VectorXd q;
    system_.advance(state_.q, random_vector(generator_, system_.layout().n_velocities()), q);
    state_.q = q;
    state_.v = random_vector(generator_, system_.layout().n_velocities(), 2.0);
    state_.a = random_vector(generator_, system_.layout().n_velocities(), 3.0);
    state_.lambda = random_vector(generator_, system_.layout().n_constraints(), 2.0);
  }

  // The state after moving for `h` seconds with constant rates `v` (a quadratic path when `a` is
  // given).
  State moved(const VectorXd& v, double h, const VectorXd* a = nullptr) {
    State s = state_.clone();
    VectorXd step = h * v;
    if (a) step += 0.5 * h * h * *a;
    system_.advance(state_.q, step, s.q);
    return s;
  }
  VectorXd phi(const State& s) {
    system_.update(s);
    VectorXd r, p;
    system_.compute_residual(s, r, p);
    return p;
  }
  MatrixXd G(const State& s) {
    phi(s);
    return Eigen::MatrixXd(system_.sparse_G());
  }
  // Rows of velocity level, which have no Phi to compare with, as zeros.
  template <class Rows>
  Rows of_position_level(Rows rows) {
    for (int i = 0; i < rows.rows(); ++i)
      if (system_.layout().is_velocity_level()[i]) rows.row(i).setZero();
    return rows;
  }

  std::mt19937 generator_;
  System system_;
  State state_;
};
INSTANTIATE_TEST_SUITE_P(All, ConstraintContract, testing::ValuesIn(all_cases()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(ConstraintContract, JacobianIsDerivativeOfPhi) {
  const MatrixXd exact = G(state_);
  const double h = 1e-6;
  MatrixXd D(exact.rows(), exact.cols());
  for (int i = 0; i < exact.cols(); ++i) {
    const VectorXd e = VectorXd::Unit(exact.cols(), i);
    D.col(i) = (phi(moved(e, h)) - phi(moved(e, -h))) / (2 * h);
  }
  EXPECT_LT(of_position_level(MatrixXd(exact - D)).norm(), 1e-8 * exact.norm());
}

TEST_P(ConstraintContract, VelocityRightHandSideIsRateOfPhi) {
  // d Phi/dt along the motion = G v - nu
  VectorXd nu, gamma;
  const MatrixXd jacobian = G(state_);
  system_.update_accelerations();
  system_.compute_rates(state_, nu, gamma);
  const VectorXd rate_of_phi = jacobian * state_.v - nu, violation = phi(state_);
  for (int i = 0; i < nu.size(); ++i)
    if (system_.layout().is_velocity_level()[i]) {
      EXPECT_NEAR(violation[i], rate_of_phi[i], 1e-13);
    }
  const double h = 1e-6;
  State forward = moved(state_.v, h), backward = moved(state_.v, -h);
  forward.t += h;
  backward.t -= h;
  const VectorXd rate = (phi(forward) - phi(backward)) / (2 * h);
  EXPECT_LT(of_position_level(VectorXd(rate_of_phi - rate)).norm(), 1e-7 * (1.0 + rate.norm()));
}

TEST_P(ConstraintContract, AccelerationRightHandSideIsRateOfVelocityConstraint) {
  // d/dt (G v - nu) = G a - gamma for every a
  const MatrixXd jacobian = G(state_);
  VectorXd nu, gamma;
  system_.update_accelerations();
  system_.compute_rates(state_, nu, gamma);
  const double h = 1e-5;
  const auto velocity_level = [&](double sign) {
    State s = moved(state_.v, sign * h, &state_.a);
    s.t += sign * h;
    s.v = state_.v + sign * h * state_.a;
    const MatrixXd g = G(s);
    VectorXd n, unused;
    system_.compute_rates(s, n, unused);
    return VectorXd(g * s.v - n);
  };
  const VectorXd rate = (velocity_level(1.0) - velocity_level(-1.0)) / (2 * h);
  EXPECT_LT((jacobian * state_.a - gamma - rate).norm(), 1e-6 * (1.0 + rate.norm()));
}

TEST_P(ConstraintContract, StiffnessIsDerivativeOfConstraintForce) {
  system_.update(state_);
  MatrixXd K_all = MatrixXd::Zero(system_.layout().n_velocities(), system_.layout().n_velocities());
  std::vector<int> columns;
  for (const BodyIndex body : system_.constraint(bodies::ConstraintIndex(0)).bodies())
    for (int i = 0; i < system_.body(body).n_velocities(); ++i)
      columns.push_back(system_.layout().velocity_offset(body) + i);
  MatrixXd K = MatrixXd::Zero(columns.size(), columns.size());
  system_.constraint(bodies::ConstraintIndex(0))
      .add_stiffness(system_.kinematics(), state_.t, state_.lambda, 1.0, K);
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (std::size_t j = 0; j < columns.size(); ++j) K_all(columns[i], columns[j]) = K(i, j);
  const double h = 1e-6;
  MatrixXd D(K_all.rows(), K_all.cols());
  for (int i = 0; i < D.cols(); ++i) {
    const VectorXd e = VectorXd::Unit(D.cols(), i);
    D.col(i) =
        (G(moved(e, h)).transpose() * state_.lambda - G(moved(e, -h)).transpose() * state_.lambda) /
        (2 * h);
  }
  EXPECT_LT((K_all - D).norm(), 1e-7 * (1.0 + D.norm()));
}

TEST(PrincipalAxis, IsRefusedWithEqualMoments) {
  const auto body = bodies::make_rigid_body("rod", 1.0, Vector3d::Zero(),
                                            Vector3d(1e-6, 5e-4, 5e-4).asDiagonal());
  try {
    ReferenceCondition condition("rod", bodies::BodyIndex(0),
                                 ReferenceConditionType::principal_axis, body->inertia());
    FAIL();
  } catch (const base::InputError& e) {
    EXPECT_NE(std::string(e.what()).find("not unique"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("mean_axis"), std::string::npos) << e.what();
  }
}

/// Equal masses in pairs at +-a_k on the axes, and a mode that moves the second pair apart by its
/// coordinate: along axis k sum m y_k^2 = 2 m a_k^2, all products zero. The moments about axes 2
/// and 3 are equal at w = a_3 - a_2 = 0.1.
MassCloud three_pairs() {
  MassCloud cloud(6, 1, 1);
  cloud.m.setConstant(0.7);
  cloud.x.setZero();
  cloud.X[0].setZero();
  for (int k = 0; k < 3; ++k) {
    const double a[3] = {1.0, 0.5, 0.6};
    cloud.x(k, 2 * k) = a[k];
    cloud.x(k, 2 * k + 1) = -a[k];
  }
  cloud.X[0](1, 2) = 1.0;
  cloud.X[0](1, 3) = -1.0;
  return cloud;
}

TEST(PrincipalAxis, IsAConcernWhereTheDeformedBodysMomentsMeetAndBeyond) {
  const reduction::InertiaInvariants inertia = three_pairs().invariants();
  const ReferenceCondition principal("rod", bodies::BodyIndex(0),
                                     ReferenceConditionType::principal_axis, inertia);
  const ReferenceCondition mean("rod", bodies::BodyIndex(0), ReferenceConditionType::mean_axis,
                                inertia);
  const auto warning_at = [](const ReferenceCondition& condition, double w) {
    bodies::Kinematics kinematics;
    kinematics.bodies.resize(1);
    new (&kinematics.bodies[bodies::BodyIndex(0)].q_e) Eigen::Map<const VectorXd>(&w, 1);
    return condition.warning(kinematics);
  };
  for (double w : {0.0, -0.2, 0.0999}) EXPECT_EQ(warning_at(principal, w), "") << w;
  for (double w : {0.1 - 1e-6, 0.1, 0.1 + 1e-6})
    EXPECT_NE(warning_at(principal, w).find("principal moments"), std::string::npos) << w;
  EXPECT_NE(warning_at(principal, 0.1 - 1e-6).find("nearly equal"), std::string::npos);
  EXPECT_NE(warning_at(principal, 0.2).find("exchanged their order"), std::string::npos);
  EXPECT_NE(warning_at(principal, 0.2).find("mean_axis"), std::string::npos);
  EXPECT_EQ(warning_at(mean, 0.1), "");
}

TEST(RigidFlexible, IsAConcernNearItsSingularPositions) {
  Matrix3d x;
  x << 0.1, 0.6, 0.2, 0.2, 0.3, 0.9, -0.3, 0.1, 0.2;
  std::array<Matrix3Xd, 3> Psi;
  Psi.fill(Matrix3Xd::Zero(3, 1));
  const Matrix3d R_BV = RigidFlexibleJoint::triad(x);
  const RigidFlexibleJoint joint("virtual", bodies::BodyIndex(0), bodies::BodyIndex(1), 1, x, Psi,
                                 R_BV);
  const auto warning_at = [&](double degrees) {  // e1 comes towards the virtual body's second axis
    bodies::Kinematics kinematics;
    kinematics.bodies.resize(2);
    const VectorXd still = VectorXd::Zero(7);
    new (&kinematics.bodies[bodies::BodyIndex(0)].q_e) Eigen::Map<const VectorXd>(still.data(), 1);
    new (&kinematics.bodies[bodies::BodyIndex(0)].v) Eigen::Map<const VectorXd>(still.data(), 7);
    kinematics.bodies[bodies::BodyIndex(1)].R_WB =
        R_BV * Eigen::AngleAxisd(degrees * M_PI / 180.0, Vector3d::UnitZ()).toRotationMatrix();
    return joint.warning(kinematics);
  };
  // arcsin(0.95) is 71.8 degrees.
  EXPECT_EQ(warning_at(0.0), "");
  EXPECT_EQ(warning_at(71.7), "");
  EXPECT_NE(warning_at(71.9).find("within 18.1 degrees"), std::string::npos) << warning_at(71.9);
}

}  // namespace
}  // namespace solidyn::joints
