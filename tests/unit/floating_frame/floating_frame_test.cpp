// The full-mesh floating-frame body against the modal body whose modes are all unit displacements.
#include <gmock/gmock.h>

#include "full_basis.h"
#include "mechanisms.h"
#include "random_bodies.h"
#include "selections.h"
#include "solidyn/bodies/floating_frame_body.h"
#include "solidyn/joints/linear_condition.h"
#include "solidyn/joints/reference_condition.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing_support::FullBasis;
using testing_support::random_rotation;
using testing_support::random_vector;

const fem::IsotropicElastic kRubber{1e6, 0.3, 1000.0};
const Vector3d kGravity(0.3, -9.81, 1.7);
constexpr double kAlpha = 0.4, kBeta = 2e-4;  // Rayleigh

mesh::DistributedMesh make_mesh() {
  mesh::BoxOptions box;
  box.type = elements::ElementType::tet4;
  box.nx = 2;
  box.size = {0.4, 0.2, 0.1};
  box.origin = {0.3, -0.1, 0.2};  // the mass centre is not the origin
  box.perturbation = 0.15;
  return mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box));
}

FloatingFrameOptions make_options(fem::MassKind kind) {
  FloatingFrameOptions options;
  options.mass = kind;
  options.rayleigh_alpha = kAlpha;
  options.rayleigh_beta = kBeta;
  options.interfaces = {test::at_set("x_min", mesh::Attachment::rbe3),
                        test::at_set("x_max", mesh::Attachment::virtual_body)};
  options.points = {{"corner", {0.7, 0.1, 0.3}}};
  using Kind = reduction::LoadDefinition::Kind;
  options.loads = {{"pull", Kind::traction, test::in_set("x_max")},
                   {"air", Kind::pressure, test::in_set("y_max")}};
  return options;
}

void set_vector(::Vec x, const VectorXd& values) {
  PetscScalar* data = nullptr;
  SOLIDYN_PETSC(VecGetArray(x, &data));
  Eigen::Map<VectorXd>(data, values.size()) = values;
  SOLIDYN_PETSC(VecRestoreArray(x, &data));
}

VectorXd get_vector(::Vec x) {
  PetscInt n = 0;
  const PetscScalar* data = nullptr;
  SOLIDYN_PETSC(VecGetLocalSize(x, &n));
  SOLIDYN_PETSC(VecGetArrayRead(x, &data));
  VectorXd values = Eigen::Map<const VectorXd>(data, n);
  SOLIDYN_PETSC(VecRestoreArrayRead(x, &data));
  return values;
}

// The same random motion for a full-mesh body and its modal twin.
class FloatingFrame : public testing::TestWithParam<fem::MassKind> {
 protected:
  FloatingFrame()
      : mesh_(make_mesh()),
        basis_(mesh_, kRubber, GetParam()),
        modal_(basis_.make_body(kAlpha, kBeta)),
        nodal_(FloatingFrameBody::make("nodal", make_mesh(), kRubber, make_options(GetParam()))),
        fields_(nodal_->make_state()) {
    std::mt19937 g(5);
    const int n = static_cast<int>(basis_.K.rows());
    u_ = random_vector(g, n, 0.02);
    v_modal_ = random_vector(g, 6 + n, 2.0);
    a_modal_ = random_vector(g, 6 + n, 30.0);
    set_vector(fields_.u, u_);
    set_vector(fields_.du, v_modal_.tail(n));
    set_vector(fields_.ddu, a_modal_.tail(n));
    s_ = nodal_->ports_of(fields_.u);
    v_nodal_.resize(6 + s_.size());
    a_nodal_.resize(6 + s_.size());
    v_nodal_ << v_modal_.head(6), nodal_->ports_of(fields_.du);
    a_nodal_ << a_modal_.head(6), nodal_->ports_of(fields_.ddu);
    modal_state_.p_WB = random_vector(g, 3);
    modal_state_.R_WB = random_rotation(g).toRotationMatrix();
    nodal_state_.p_WB = modal_state_.p_WB;
    nodal_state_.R_WB = modal_state_.R_WB;
    const auto view = [](auto& map, const VectorXd& x) {
      new (&map) Eigen::Map<const VectorXd>(x.data(), x.size());
    };
    view(modal_state_.q_e, u_);
    view(modal_state_.v, v_modal_);
    view(modal_state_.a, a_modal_);
    view(nodal_state_.q_e, s_);
    view(nodal_state_.v, v_nodal_);
    view(nodal_state_.a, a_nodal_);
    nodal_state_.nodal = &fields_;
  }

  mesh::DistributedMesh mesh_;
  FullBasis basis_;
  std::unique_ptr<ModalBody> modal_;
  std::unique_ptr<FloatingFrameBody> nodal_;
  NodalState fields_;
  VectorXd u_, v_modal_, a_modal_, s_, v_nodal_, a_nodal_;
  BodyState modal_state_, nodal_state_;
};
INSTANTIATE_TEST_SUITE_P(Mass, FloatingFrame,
                         testing::Values(fem::MassKind::lumped, fem::MassKind::consistent),
                         [](const auto& info) {
                           return info.param == fem::MassKind::lumped ? "Lumped" : "Consistent";
                         });

TEST_P(FloatingFrame, RigidRowsAreThoseOfTheFullModalBasis) {
  VectorXd r_modal = VectorXd::Zero(modal_->n_velocities());
  VectorXd r_nodal = VectorXd::Zero(nodal_->n_velocities());
  modal_->add_residual(modal_state_, kGravity, r_modal);
  nodal_->add_residual(nodal_state_, kGravity, r_nodal);
  EXPECT_LT((r_nodal.head(6) - r_modal.head(6)).norm(), 1e-12 * r_modal.head(6).norm());
}

TEST_P(FloatingFrame, EnergyMomentumAndDissipationAreThoseOfTheFullModalBasis) {
  const Energy e = nodal_->energy(nodal_state_, kGravity);
  const Energy expected = modal_->energy(modal_state_, kGravity);
  EXPECT_NEAR(e.kinetic, expected.kinetic, 1e-12 * expected.kinetic);
  EXPECT_NEAR(e.strain, expected.strain, 1e-12 * expected.strain);
  EXPECT_NEAR(e.potential, expected.potential, 1e-12 * std::abs(expected.potential));
  const Momentum p = nodal_->momentum(nodal_state_);
  const Momentum p_expected = modal_->momentum(modal_state_);
  EXPECT_LT((p.linear - p_expected.linear).norm(), 1e-12 * p_expected.linear.norm());
  EXPECT_LT((p.angular - p_expected.angular).norm(), 1e-12 * p_expected.angular.norm());
  const double dissipation = modal_->dissipation(modal_state_);
  EXPECT_NEAR(nodal_->dissipation(nodal_state_), dissipation, 1e-12 * dissipation);
}

// What the last residual knows of its state is kept: not beyond a change of any field.
TEST_P(FloatingFrame, EnergyMomentumAndDissipationFollowChangesOfTheFields) {
  const auto n = u_.size();
  VectorXd r = VectorXd::Zero(nodal_->n_velocities());
  nodal_->add_residual(nodal_state_, kGravity, r);
  EXPECT_NEAR(nodal_->energy(nodal_state_, kGravity).strain,
              modal_->energy(modal_state_, kGravity).strain,
              1e-12 * modal_->energy(modal_state_, kGravity).strain);
  const auto expect_equal = [&] {
    const Energy e = nodal_->energy(nodal_state_, kGravity);
    const Energy expected = modal_->energy(modal_state_, kGravity);
    EXPECT_NEAR(e.kinetic, expected.kinetic, 1e-12 * expected.kinetic);
    EXPECT_NEAR(e.strain, expected.strain, 1e-12 * expected.strain);
    const Vector3d p = nodal_->momentum(nodal_state_).linear;
    const Vector3d p_expected = modal_->momentum(modal_state_).linear;
    EXPECT_LT((p - p_expected).norm(), 1e-12 * p_expected.norm());
    const double dissipation = modal_->dissipation(modal_state_);
    EXPECT_NEAR(nodal_->dissipation(nodal_state_), dissipation, 1e-12 * dissipation);
  };
  u_ *= 2.0;
  SOLIDYN_PETSC(VecScale(fields_.u, 2.0));
  expect_equal();
  v_modal_.tail(n) *= -3.0;
  set_vector(fields_.du, v_modal_.tail(n));
  expect_equal();
}

// Of all fields with the same ports, that of impulses on the ports has the least kinetic energy.
TEST_P(FloatingFrame, ImpulsesOnPortsMoveNodesAsTheMassDoes) {
  nodal_->set_coefficients({1.0, 0.0, 0.0});
  std::mt19937 g(9);
  const NodalState field = nodal_->make_state();
  const VectorXd ds = random_vector(g, nodal_->n_elastic(), 1.0);
  nodal_->follow(ds, field.u);
  EXPECT_LT((nodal_->ports_of(field.u) - ds).norm(), 1e-10 * ds.norm());
  const VectorXd other = random_vector(g, static_cast<int>(u_.size()), 1.0);
  set_vector(field.du, other);
  nodal_->follow(nodal_->ports_of(field.du), field.ddu);
  const VectorXd without_ports = other - get_vector(field.ddu), f = get_vector(field.u);
  EXPECT_LT(std::abs(f.dot(basis_.M * without_ports)),
            1e-9 * std::sqrt(f.dot(basis_.M * f) * other.dot(basis_.M * other)));
}

// (36) of the port condensation with dense algebra: any load f on the ports and the residual's
// interior give the same increment as A du = -(r_f + P f).
TEST_P(FloatingFrame, CondensedIncrementSolvesTheWholeBody) {
  const TangentCoefficients c{3e4, 200.0, 1.0};
  nodal_->set_coefficients(c);
  const int n_p = nodal_->n_elastic(), n = static_cast<int>(u_.size());
  VectorXd r = VectorXd::Zero(6 + n_p), r_modal = VectorXd::Zero(6 + n);
  nodal_->add_residual(nodal_state_, kGravity, r);
  modal_->add_residual(modal_state_, kGravity, r_modal);
  MatrixXd J = MatrixXd::Zero(6 + n_p, 6 + n_p), J_q = J;
  nodal_->add_tangent(nodal_state_, kGravity, c, J, J_q);

  std::mt19937 g(8);
  const VectorXd f = random_vector(g, n_p, 10.0);
  const VectorXd ds = J.bottomRightCorner(n_p, n_p).ldlt().solve(-(f + r.tail(n_p)));
  const NodalState increment = nodal_->make_state();
  nodal_->recover(ds, increment.u);

  MatrixXd P(n, n_p);
  for (int i = 0; i < n; ++i) {
    set_vector(fields_.u, VectorXd::Unit(n, i));
    P.row(i) = nodal_->ports_of(fields_.u).transpose();
  }
  const MatrixXd A =
      (c.mass + kAlpha * c.damping) * basis_.M + (c.stiffness + kBeta * c.damping) * basis_.K;
  const VectorXd expected = A.ldlt().solve(-(r_modal.tail(n) + P * f));
  EXPECT_LT((get_vector(increment.u) - expected).norm(), 1e-9 * expected.norm());
  EXPECT_LT((nodal_->ports_of(increment.u) - ds).norm(), 1e-9 * ds.norm());
}

TEST_P(FloatingFrame, PortsGiveWhatInterfacesAndPointsReadOfTheField) {
  const reduction::ReducedInterface& virtual_body = nodal_->interfaces()[1];
  ASSERT_EQ(virtual_body.Psi_nodes.size(), 3u);
  const Matrix3Xd u = Eigen::Map<const Matrix3Xd>(u_.data(), 3, u_.size() / 3);
  const auto displacement_at = [&](const Vector3d& x) -> Vector3d {
    Eigen::Index k = 0;
    (mesh_.x.colwise() - x).colwise().norm().minCoeff(&k);
    return u.col(k);
  };
  for (int i = 0; i < 3; ++i)
    EXPECT_LT(
        (virtual_body.Psi_nodes[i] * s_ - displacement_at(virtual_body.x_nodes.col(i))).norm(),
        1e-12);
  const reduction::TrackedPoint& corner = nodal_->points()[0];
  EXPECT_LT((corner.Psi * s_ - displacement_at(corner.x_B)).norm(), 1e-12);

  const VectorXd m = fem::assemble(mesh_, kRubber).lumped_mass;
  const mesh::Interface rbe3 =
      mesh::resolve_interface(mesh_, test::at_set("x_min", mesh::Attachment::rbe3), m);
  VectorXd u_region(3 * rbe3.nodes.size());
  for (std::size_t k = 0; k < rbe3.nodes.size(); ++k)
    u_region.segment<3>(3 * k) = u.col(rbe3.nodes[k]);
  const VectorXd motion = rbe3.weights * u_region;
  const reduction::ReducedInterface& region = nodal_->interfaces()[0];
  EXPECT_LT((region.Psi_t * s_ - motion.head<3>()).norm(), 1e-12);
  EXPECT_LT((region.Psi_r * s_ - motion.tail<3>()).norm(), 1e-11);
}

// Also where a row is zero: no displacement gives the flat face y_max a torque about y.
TEST_P(FloatingFrame, PortsGiveWhatLoadsReadOfTheField) {
  const std::vector<reduction::LoadDefinition> definitions = make_options(GetParam()).loads;
  ASSERT_EQ(nodal_->loads().size(), definitions.size());
  for (std::size_t i = 0; i < definitions.size(); ++i) {
    const VectorXd expected =
        reduction::make_nodal_load(mesh_, definitions[i]).columns.transpose() * u_;
    EXPECT_GT(expected.norm(), 1e-4);
    EXPECT_LT((nodal_->loads()[i].rows * s_ - expected).norm(), 1e-11 * expected.norm());
  }
  EXPECT_EQ(nodal_->loads()[1].rows.row(1).norm(), 0.0);
}

// A virtual body's frame rows (6), and a tracked point on one of its nodes (3), are combinations of
// its nine nodal displacements.
TEST(FloatingFramePorts, DependentRowsBecomeCombinationsOfTheOthers) {
  FloatingFrameOptions options;
  options.interfaces = {test::at_set("x_max", mesh::Attachment::virtual_body)};
  const auto without = FloatingFrameBody::make("body", make_mesh(), kRubber, options);
  EXPECT_EQ(without->n_elastic(), 6 + 9);
  const Vector3d x_k = without->interfaces()[0].x_nodes.col(0);
  options.points = {{"node k", x_k}};
  const auto with = FloatingFrameBody::make("body", make_mesh(), kRubber, options);
  EXPECT_EQ(with->n_elastic(), 6 + 9);
  EXPECT_LT((with->points()[0].Psi - with->interfaces()[0].Psi_nodes[0]).norm(), 1e-14);
  EXPECT_LT((with->interfaces()[0].Psi_t - with->interfaces()[0].Psi_nodes[0]).norm(), 1e-14);
}

TEST(FloatingFramePorts, RigidRegionsAreRefusedWithARemedy) {
  FloatingFrameOptions options;
  options.interfaces = {test::at_set("x_max", mesh::Attachment::rbe2)};
  try {
    FloatingFrameBody::make("body", make_mesh(), kRubber, options);
    FAIL() << "accepted";
  } catch (const base::InputError& e) {
    EXPECT_THAT(e.diagnostics()[0].what, testing::HasSubstr("`x_max`"));
    EXPECT_THAT(e.diagnostics()[0].remedy, testing::HasSubstr("rbe3"));
  }
}

TEST(FloatingFrameCoefficients, NothingAtAllIsRefused) {
  const auto body = FloatingFrameBody::make("body", make_mesh(), kRubber, {});
  EXPECT_THROW(body->set_coefficients({0.0, 0.0, 0.0}), base::ComputationError);
}

// A body that hangs with its x_min face on a spherical joint, spins and swings. `is_nodal` chooses
// the formulation.
struct Pendulum {
  explicit Pendulum(bool is_nodal, joints::JointType type = joints::JointType::revolute) {
    const mesh::DistributedMesh mesh = make_mesh();
    const FullBasis basis(mesh, kRubber, fem::MassKind::lumped);
    system::InitialMotion motion;
    motion.q_WB = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized());
    motion.w_WB_B = {0.5, -1.0, 2.0};
    Frame on_body;
    on_body.body = bodies::BodyIndex(0);
    FloatingFrameOptions options;
    options.rayleigh_alpha = kAlpha;
    options.rayleigh_beta = kBeta;
    options.interfaces = {test::at_set("x_min", mesh::Attachment::rbe3)};
    if (is_nodal) {
      auto body = FloatingFrameBody::make("body", make_mesh(), kRubber, options);
      const reduction::ReducedInterface& i = body->interfaces()[0];
      on_body.x_B = i.x_B;
      on_body.Psi_t = i.Psi_t;
      on_body.Psi_r = i.Psi_r;
      system.add_constraint(std::make_unique<joints::LinearCondition>(
          "mean axis", bodies::BodyIndex(0), body->mean_axis_rows(),
          FloatingFrameBody::mean_axis_row_names()));
      system.add_body(std::move(body), motion);
    } else {
      const mesh::Interface i = mesh::resolve_interface(mesh, options.interfaces[0],
                                                        fem::assemble(mesh, kRubber).lumped_mass);
      on_body.x_B = i.x_B;
      on_body.Psi_t.setZero(3, basis.K.rows());
      on_body.Psi_r.setZero(3, basis.K.rows());
      for (std::size_t k = 0; k < i.nodes.size(); ++k) {
        on_body.Psi_t.middleCols<3>(3 * i.nodes[k]) = i.weights.block<3, 3>(0, 3 * k);
        on_body.Psi_r.middleCols<3>(3 * i.nodes[k]) = i.weights.block<3, 3>(3, 3 * k);
      }
      system.add_constraint(std::make_unique<joints::ReferenceCondition>(
          "body", bodies::BodyIndex(0), joints::ReferenceConditionType::mean_axis, basis.inertia));
      system.add_body(basis.make_body(kAlpha, kBeta), motion);
    }
    motion.v_WB = -(motion.q_WB * motion.w_WB_B.cross(on_body.x_B));
    Frame on_ground;
    on_ground.x_B = motion.q_WB * on_body.x_B;
    const auto A = system.add_frame(on_ground), B = system.add_frame(on_body);
    joints::JointRows rows = joints::joint_rows(type);
    system.add_constraint(
        std::make_unique<joints::Joint>("joint", system.link(A, B), rows.primitives, rows.names));
    system.set_gravity(kGravity);
    system.finalize();
  }
  system::System system;
};

// But for the start, which knows the rate of modal accelerations and not of nodal ones.
TEST(FloatingFrameStep, EqualsTheFullModalBasis) {
  Pendulum nodal(true), modal(false);
  integrators::GeneralizedAlphaOptions options;
  options.tolerance = 1e-12;
  const system::State a = testing_support::run_generalized_alpha(nodal.system, 0.02, 10, options);
  const system::State b = testing_support::run_generalized_alpha(modal.system, 0.02, 10, options);
  EXPECT_LT((a.q.head<7>() - b.q.head<7>()).norm(), 1e-9);
  EXPECT_LT((a.v.head<6>() - b.v.head<6>()).norm(), 1e-7);
  const VectorXd u = get_vector(a.nodal[0].u), u_modal = b.q.tail(u.size());
  ASSERT_GT(u_modal.lpNorm<Eigen::Infinity>(), 1e-4);  // it does deform
  EXPECT_LT((u - u_modal).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_LT((get_vector(a.nodal[0].ddu) - b.a.tail(u.size())).norm(),
            1e-4 * b.a.tail(u.size()).norm());
  EXPECT_LT((a.lambda.tail<5>() - b.lambda.tail<5>()).norm(), 1e-7 * b.lambda.tail<5>().norm());
  // The elastic coordinates of the small system are the ports of the field.
  const auto& body =
      dynamic_cast<const FloatingFrameBody&>(nodal.system.body(bodies::BodyIndex(0)));
  EXPECT_LT((body.ports_of(a.nodal[0].u) - a.q.tail(body.n_elastic())).norm(), 1e-13);
}

// The forces that hold the frame in the body do no physical work. Those on the mean displacement
// vanish; those on the mean rotation balance the moment sum u x (K u + D du) that a stiffness
// linear in u leaves, of second order in u: with t_i = e_i x b in the rows of u and in those of w,
//   sum m (e_i x b) . (e_j x (x - c)) lambda_j / (mass size^2) = -e_i . sum u x (K u + D du).
TEST(FloatingFrameReference, MultipliersBalanceTheMomentOfLinearStiffnessOnly) {
  Pendulum pendulum(true, joints::JointType::spherical);
  integrators::GeneralizedAlphaOptions options;
  options.tolerance = 1e-13;
  const system::State s =
      testing_support::run_generalized_alpha(pendulum.system, 0.02, 20, options);
  const auto& body =
      dynamic_cast<const FloatingFrameBody&>(pendulum.system.body(bodies::BodyIndex(0)));
  const double reaction = s.lambda.tail<3>().norm();
  EXPECT_LT(s.lambda.head<3>().norm(), 1e-8 * reaction);

  const mesh::DistributedMesh mesh = make_mesh();
  const FullBasis basis(mesh, kRubber, fem::MassKind::lumped);
  const VectorXd u = get_vector(s.nodal[0].u), du = get_vector(s.nodal[0].du);
  const VectorXd force = basis.K * (u + kBeta * du) + kAlpha * basis.M * du;
  const Vector3d c = body.mass_properties().center_of_mass;
  Vector3d moment = Vector3d::Zero();
  Eigen::Matrix3d J = Eigen::Matrix3d::Zero();
  double size = 0.0;
  for (int k = 0; k < u.size() / 3; ++k) {
    const Vector3d u_k = u.segment<3>(3 * k), x_k = mesh.x.col(k);
    moment += u_k.cross(Vector3d(force.segment<3>(3 * k)));
    J -= basis.M(3 * k, 3 * k) * math::skew(x_k + u_k) * math::skew(x_k - c);
    size = std::max(size, (x_k - c).norm());
  }
  const Vector3d expected = -body.mass() * size * size * J.lu().solve(moment);
  EXPECT_LT((s.lambda.segment<3>(3) - expected).norm(), 1e-6 * expected.norm());
}

}  // namespace
}  // namespace solidyn::bodies
