// What a body on absolute coordinates owes to the rest of the system: its condensed equations, a
// tangent that turns with it, and interfaces that follow their regions through any rotation.
#include <gtest/gtest.h>

#include "random_bodies.h"
#include "scoped_petsc_options.h"
#include "selections.h"
#include "solid_bar.h"
#include "solidyn/base/error.h"
#include "solidyn/math/rotation.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using mesh::Attachment;
using testing_support::make_solid_bar;
using testing_support::random_rotation;
using testing_support::random_vector;
using testing_support::SolidBar;
using testing_support::SolidBarOptions;

constexpr fem::SolidFormulation kFormulations[] = {fem::SolidFormulation::corotational,
                                                   fem::SolidFormulation::st_venant_kirchhoff,
                                                   fem::SolidFormulation::neo_hookean};

Eigen::Map<VectorXd> values(const base::Vec& x) {
  PetscScalar* data = nullptr;
  PetscInt n = 0;
  SOLIDYN_PETSC(VecGetLocalSize(x, &n));
  SOLIDYN_PETSC(VecGetArray(x, &data));
  Eigen::Map<VectorXd> view(data, n);
  SOLIDYN_PETSC(VecRestoreArray(x, &data));
  return view;
}

// Positions of a region's nodes: those of the mesh with x = 0.
Matrix3Xd end_positions(const SolidBody& body, const NodalState& state, bool deformed) {
  const mesh::NodeSet& set = body.mesh().sets.at("x_min");
  Matrix3Xd x(3, set.nodes.size());
  for (std::size_t k = 0; k < set.nodes.size(); ++k) {
    x.col(k) = body.mesh().x.col(set.nodes[k]);
    if (deformed) x.col(k) += values(state.u).segment<3>(3 * set.nodes[k]);
  }
  return x;
}

struct Case {
  fem::SolidFormulation formulation;
  fem::MassKind mass;
  Attachment attach;
};

class SolidBodyContract : public testing::TestWithParam<Case> {
 protected:
  SolidBodyContract() : generator_(3) {
    options_.formulation = GetParam().formulation;
    options_.mass = GetParam().mass;
    options_.attach = GetParam().attach;
    options_.rayleigh_alpha = 2.0;
    options_.rayleigh_beta = 1e-4;
    options_.motion.p_WB = random_vector(generator_, 3);
    options_.motion.q_WB = random_rotation(generator_);
    options_.motion.v_WB = random_vector(generator_, 3);
    options_.motion.w_WB_B = random_vector(generator_, 3, 5.0);
  }
  SolidBarOptions options_;
  std::mt19937 generator_;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const fem::SolidFormulation formulation : kFormulations)
    for (const fem::MassKind mass : {fem::MassKind::lumped, fem::MassKind::consistent})
      for (const Attachment attach : {Attachment::rbe3, Attachment::rbe2, Attachment::three_nodes})
        cases.push_back({formulation, mass, attach});
  return cases;
}
INSTANTIATE_TEST_SUITE_P(All, SolidBodyContract, testing::ValuesIn(all_cases()));

// The small system and the interior together solve the linearised equations: with the ports held
// still, one step with the consistent tangent leaves a residual of second order.
TEST_P(SolidBodyContract, CondensedNewtonStepIsThatOfTheWholeBody) {
  options_.is_hung = false;
  options_.rayleigh_beta = 0.0;  // its tangent leaves out how D depends on x
  options_.motion.v_WB.setZero();
  options_.motion.w_WB_B.setZero();
  SolidBar bar = make_solid_bar(PETSC_COMM_SELF, options_);
  system::State s = bar.system->make_state();
  const TangentCoefficients c{1e4, 1e2, 1.0};
  auto& body = const_cast<SolidBody&>(*bar.body);
  const int n = body.n_elastic();
  const auto residual_after = [&](double size) {
    system::State trial = s.clone();
    // An admissible disturbance: a stretch of the whole body.
    const Matrix3Xd X = body.mesh().x.leftCols(body.mesh().n_owned);
    const Matrix3d stretch =
        options_.motion.q_WB.toRotationMatrix() * Matrix3d(Vector3d(0.3, -0.2, 0.1).asDiagonal());
    Eigen::Map<Matrix3Xd>(values(trial.nodal[0].u).data(), 3, X.cols()) += size * stretch * X;
    BodyState b;
    b.nodal = &trial.nodal[0];
    body.set_coefficients(c);
    body.renew_tangent(b);
    VectorXd r = VectorXd::Zero(n);
    body.add_residual(b, Vector3d::Zero(), r);
    const double before = body.interior_increment();
    NodalState increment = body.make_state();
    body.recover(VectorXd::Zero(n), increment.u);
    EXPECT_LT(body.ports_of(increment.u).norm(), 1e-12 + 1e-9 * values(increment.u).norm());
    values(trial.nodal[0].u) += values(increment.u);
    values(trial.nodal[0].du) += c.damping * values(increment.u);
    values(trial.nodal[0].ddu) += c.mass * values(increment.u);
    r.setZero();
    body.add_residual(b, Vector3d::Zero(), r);
    return std::make_pair(before, body.interior_increment());
  };
  const auto coarse = residual_after(2e-3), fine = residual_after(1e-3);
  EXPECT_GT(coarse.first, 1e-7);
  EXPECT_LT(coarse.second, 0.05 * coarse.first);
  EXPECT_LT(fine.second, 0.3 * coarse.second + 1e-14);  // quadratic: a quarter
}

// To round-off, which is that of double precision.
TEST_P(SolidBodyContract, TurnedTangentIsTheTangentOfTheTurnedBody) {
  const test::ScopedPetscOptions precise({"-body_precision double"});
  SolidBar bar = make_solid_bar(PETSC_COMM_SELF, options_);
  auto& body = const_cast<SolidBody&>(*bar.body);
  NodalState placed = body.make_state();
  body.start(options_.motion, placed);
  BodyState state;
  state.nodal = &placed;
  const int n = body.n_elastic();
  const TangentCoefficients c{1e4, 1e2, 1.0};
  const auto tangent = [&] {
    MatrixXd J = MatrixXd::Zero(n, n), none = J;
    body.add_tangent(state, Vector3d::Zero(), c, J, none);
    return J;
  };
  body.set_coefficients(c);  // at the mesh's own orientation
  EXPECT_TRUE(body.turn_tangent(state));
  const MatrixXd turned = tangent();
  EXPECT_TRUE(body.renew_tangent(state));
  EXPECT_LT((turned - tangent()).norm(), 1e-9 * turned.norm());
  EXPECT_FALSE(body.turn_tangent(state));
}

// Free flight as a rigid motion: the only accelerations are centripetal.
TEST_P(SolidBodyContract, RigidSpinNeedsOnlyCentripetalForces) {
  options_.is_hung = false;
  options_.rayleigh_alpha = 0.0;
  const SolidBar bar = make_solid_bar(PETSC_COMM_SELF, options_);
  system::State s = bar.system->make_state();
  bar.system->update(s);
  const Energy e =
      bar.body->energy(bar.system->kinematics().bodies[bodies::BodyIndex(0)], Vector3d::Zero());
  const fem::MassProperties& m = bar.body->mass_properties();
  const Vector3d w = options_.motion.w_WB_B, c = m.center_of_mass;
  const Vector3d v_c = options_.motion.v_WB + options_.motion.q_WB * w.cross(c);
  EXPECT_NEAR(e.kinetic, 0.5 * m.mass * v_c.squaredNorm() + 0.5 * w.dot(m.inertia * w),
              1e-12 * e.kinetic);
  EXPECT_LT(e.strain, 1e-15 * 2e6 * 0.3 * 0.05 * 0.04);  // round-off of modulus times volume
  const Momentum p = bar.body->momentum(bar.system->kinematics().bodies[bodies::BodyIndex(0)]);
  EXPECT_LT((p.linear - m.mass * v_c).norm(), 1e-12 * p.linear.norm());
  EXPECT_NEAR(bar.body->dissipation(bar.system->kinematics().bodies[bodies::BodyIndex(0)]), 0.0,
              1e-12 * e.kinetic);
}

TEST_P(SolidBodyContract, InterfaceFollowsItsRegion) {
  options_.motion.w_WB_B = {0.0, 0.0, 20.0};
  options_.motion.v_WB.setZero();
  SolidBar bar = make_solid_bar(PETSC_COMM_SELF, options_);
  integrators::GeneralizedAlphaOptions o;
  const system::State s = testing_support::run_generalized_alpha(*bar.system, 0.05, 25, o);
  const Matrix3Xd X = end_positions(*bar.body, s.nodal[0], false),
                  x = end_positions(*bar.body, s.nodal[0], true);
  bar.system->update(s);
  const BodyState& v = bar.system->kinematics().bodies[bar.virtual_body];
  const Vector3d p_ref = bar.body->interfaces()[0].region.p_ref;
  const Matrix3Xd rigid = (v.R_WB * options_.motion.q_WB.toRotationMatrix().transpose() *
                           (options_.motion.q_WB.toRotationMatrix() * (X.colwise() - p_ref)))
                              .colwise() +
                          v.p_WB;
  EXPECT_GT(std::acos(std::min(
                1.0, 0.5 * ((v.R_WB * options_.motion.q_WB.toRotationMatrix().transpose()).trace() -
                            1.0))),
            0.5);
  if (options_.attach == Attachment::rbe2) {
    EXPECT_LT((x - rigid).norm(), 1e-9);
  } else {
    // Held by all nodes, or by three of them.
    EXPECT_LT((x - rigid).norm(), (options_.attach == Attachment::rbe3 ? 0.02 : 0.1) * X.norm());
    EXPECT_GT((x - rigid).norm(), 1e-7);  // it does deform
  }
}

// Trilinear bricks resist pure bending by parasitic shear; incompatible modes do not.
TEST(SolidBodyHex8, TakesTheFormulationAskedFor) {
  mesh::BoxOptions box;
  box.type = elements::ElementType::hex8;
  box.nx = 4;
  box.size = {1.0, 0.2, 0.1};
  const auto bending_energy = [&](fem::Hex8Formulation hex8) {
    SolidBodyOptions options;
    options.hex8 = hex8;
    const auto body =
        SolidBody::make("beam", mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box)),
                        fem::IsotropicElastic{2e6, 0.3, 1000.0}, options);
    NodalState state = body->make_state();
    for (std::int32_t k = 0; k < body->mesh().n_owned; ++k) {
      const Vector3d x = body->mesh().x.col(k) - Vector3d(0.5, 0.1, 0.05);
      values(state.u).segment<3>(3 * k) = 1e-3 * Vector3d(-x.x() * x.z(), 0, 0.5 * x.x() * x.x());
    }
    BodyState b;
    b.nodal = &state;
    return body->energy(b, Vector3d::Zero()).strain;
  };
  EXPECT_GT(bending_energy(fem::Hex8Formulation::standard),
            2.0 * bending_energy(fem::Hex8Formulation::incompatible_modes));
}

TEST(SolidBodyErrors, RigidRegionsMayNotShareNodes) {
  SolidBodyOptions options;
  options.interfaces = {test::at_set("x_min", Attachment::rbe2),
                        test::at_set("y_min", Attachment::rbe2)};
  EXPECT_THROW(
      SolidBody::make("bar", mesh::distribute(PETSC_COMM_SELF, testing_support::make_bar_mesh()),
                      fem::IsotropicElastic{2e6, 0.3, 1000.0}, options),
      base::InputError);
}

}  // namespace
}  // namespace solidyn::bodies
