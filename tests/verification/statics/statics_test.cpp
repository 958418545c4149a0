// Equilibria of solid bodies against beam theory and published figures, small and large.
#include "solidyn/analyses/statics.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "mechanisms.h"
#include "selections.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/bodies/solid_body.h"
#include "solidyn/joints/joint.h"
#include "solidyn/joints/tied_axes.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::analyses {
namespace {

using Eigen::Vector3d;
using elements::ElementType;
using fem::SolidFormulation;
using math::TimeFunction;
using test::in_set;

using Functions = std::array<TimeFunction, 3>;
Functions functions(const std::string& x, const std::string& y, const std::string& z) {
  return {TimeFunction::expression(x), TimeFunction::expression(y), TimeFunction::expression(z)};
}

bodies::Support clamp() { return {"clamp", in_set("x_min"), {true, true, true}, {}}; }

bodies::SolidLoad traction(const Functions& t) {
  bodies::SolidLoad load;
  load.name = "end";
  load.where = in_set("x_max");
  load.kind = bodies::SolidLoad::Kind::traction;
  load.vector = t;
  return load;
}

// A straight beam along x.
struct Beam {
  system::System system;
  const bodies::SolidBody* body = nullptr;
  bodies::BodyIndex index;

  Beam(const mesh::BoxOptions& box, const fem::IsotropicElastic& material,
       const bodies::SolidBodyOptions& options) {
    auto solid = bodies::SolidBody::make(
        "beam", mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box)), material, options);
    body = solid.get();
    index = system.add_body(std::move(solid), {});
  }

  // The virtual body that follows an interface, here at its region's centre.
  bodies::BodyIndex add_tie(const bodies::SolidInterface& i) {
    system::InitialMotion motion;
    motion.p_WB = i.region.p_ref;
    const auto follower = system.add_body(bodies::make_virtual_body(i.name), motion);
    system.add_constraint(std::make_unique<joints::AveragedFrame>(i.name, index, follower,
                                                                  body->n_elastic(), i.region));
    return follower;
  }

  void fix_to_ground(bodies::BodyIndex follower, const Vector3d& p) {
    bodies::Frame ground, on_body;
    ground.x_B = p;
    on_body.body = follower;
    const auto A = system.add_frame(ground), B = system.add_frame(on_body);
    const joints::JointRows rows = joints::joint_rows(joints::JointType::fixed);
    system.add_constraint(
        std::make_unique<joints::Joint>("wall", system.link(A, B), rows.primitives, rows.names));
  }

  // Mean displacement of the nodes at the end x_max.
  Vector3d end_displacement(const system::State& s) const {
    const PetscScalar* u = nullptr;
    SOLIDYN_PETSC(VecGetArrayRead(s.nodal[0].u, &u));
    Vector3d sum = Vector3d::Zero();
    const std::vector<std::int32_t>& nodes = body->mesh().sets.at("x_max").nodes;
    for (std::int32_t node : nodes) sum += Eigen::Map<const Vector3d>(u + 3 * node);
    SOLIDYN_PETSC(VecRestoreArrayRead(s.nodal[0].u, &u));
    return sum / static_cast<double>(nodes.size());
  }
};

void solve(Statics& statics) {
  statics.start();
  while (!statics.is_done()) statics.advance();
}

struct Case {
  ElementType element;
  SolidFormulation formulation;
};
std::string name_of(const testing::TestParamInfo<Case>& info) {
  return std::string(elements::name(info.param.element)) +
         (info.param.formulation == SolidFormulation::corotational ? "Corotational" : "Inertial");
}

class SlenderBeam : public testing::TestWithParam<Case> {
 protected:
  static constexpr double kLength = 1.0, kModulus = 1e9;
  SlenderBeam() {
    box_.type = GetParam().element;
    box_.nx = GetParam().element == ElementType::hex8 ? 40 : 20;
    options_.formulation = GetParam().formulation;
    options_.hex8 = fem::Hex8Formulation::incompatible_modes;
    options_.supports = {clamp()};
  }
  // A square section. @return EI
  double set_side(double side) {
    box_.size = {kLength, side, side};
    box_.origin = {0.0, -0.5 * side, -0.5 * side};
    return kModulus * side * side * side * side / 12.0;
  }
  mesh::BoxOptions box_;
  bodies::SolidBodyOptions options_;
  const fem::IsotropicElastic material_{kModulus, 0.0, 1000.0};
};

// B08: an inextensible cantilever under a dead end force, alpha = P L^2 / EI (elastica).
TEST_P(SlenderBeam, BendsAsTheElasticaUnderADeadForce) {
  constexpr double kSide = 0.01;
  const double EI = set_side(kSide);
  options_.loads = {traction(functions("0", "0", fmt::format("{}*t", 5.0 * EI / kSide / kSide)))};
  Beam beam(box_, material_, options_);
  beam.system.finalize();
  StaticsOptions o;
  o.load_steps = 5;
  Statics statics(beam.system, o);
  statics.start();
  const double expected[4][3] = {// alpha, w/L, u/L
                                 {1.0, 0.30172077, 0.05643324},
                                 {2.0, 0.49345748, 0.16064172},
                                 {3.0, 0.60325344, 0.25442018},
                                 {5.0, 0.71379152, 0.38762836}};
  for (int next = 0; next < 4;) {
    statics.advance();
    const double alpha = 5.0 * statics.state().t;
    ASSERT_LT(alpha, expected[next][0] + 1e-9);
    if (alpha < expected[next][0] - 1e-9) continue;
    const Vector3d u = beam.end_displacement(statics.state());
    EXPECT_NEAR(u.z(), expected[next][1], 0.005) << alpha;
    EXPECT_NEAR(-u.x(), expected[next][2], 0.005) << alpha;
    ++next;
  }
  const double strain = beam.system.energy(statics.state()).strain;
  EXPECT_NEAR(statics.work(), strain, 0.05 * strain);  // trapezoidal rule, five steps
  const Vector3d reaction = beam.body->support_forces().col(0);
  EXPECT_NEAR(reaction.z(), -5.0 * EI, 1e-5 * 5.0 * EI);
}

// B08: an end moment rolls the beam into a circle. An element's share of it, 9 degrees, must be
// flat against its depth, else parabolas lock; and strains must stay small. In its plane: a moment
// about an axis that stays can turn it aside.
TEST_P(SlenderBeam, RollsUpUnderAnEndMoment) {
  const double EI = set_side(0.0125);
  box_.nx *= 2;
  const mesh::NodesInBox all_but_the_end{{-1.0, -1.0, -1.0}, {0.9, 1.0, 1.0}};
  options_.supports = {{"clamp", in_set("x_min"), {true, false, true}, {}},
                       {"plane", all_but_the_end, {false, true, false}, {}}};
  mesh::InterfaceDefinition tip;
  tip.name = "tip";
  tip.nodes = in_set("x_max");
  options_.interfaces = {tip};
  Beam beam(box_, material_, options_);
  bodies::Frame frame;
  frame.body = beam.add_tie(beam.body->interfaces()[0]);
  const auto at = beam.system.add_frame(frame);
  testing_support::add_load(beam.system, "moment", at, {},
                            functions("0", fmt::format("{}*t", -2.0 * M_PI * EI / kLength), "0"));
  beam.system.finalize();
  StaticsOptions o;
  o.load_steps = 16;
  Statics statics(beam.system, o);
  statics.start();
  while (!statics.is_done()) {
    statics.advance();
    const double angle = 2.0 * M_PI * statics.state().t;
    const Vector3d u = beam.end_displacement(statics.state());
    EXPECT_NEAR(kLength + u.x(), kLength * std::sin(angle) / angle, 0.005 * kLength) << angle;
    EXPECT_NEAR(u.z(), kLength * (1.0 - std::cos(angle)) / angle, 0.005 * kLength) << angle;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Elements, SlenderBeam,
    testing::Values(Case{ElementType::hex20, SolidFormulation::corotational},
                    Case{ElementType::hex20, SolidFormulation::st_venant_kirchhoff},
                    Case{ElementType::tet10, SolidFormulation::corotational},
                    Case{ElementType::tet10, SolidFormulation::st_venant_kirchhoff},
                    Case{ElementType::hex8, SolidFormulation::corotational},
                    Case{ElementType::wedge15, SolidFormulation::corotational},
                    Case{ElementType::wedge15, SolidFormulation::st_venant_kirchhoff}),
    name_of);

// B05, MacNeal and Harder's straight beam, 24 x 2 x 2 bricks of 27 nodes to 1 % (tet10: 2 %).
class StraightBeam : public testing::TestWithParam<Case> {};

TEST_P(StraightBeam, DeflectsAsMacNealAndHardersDoes) {
  const double expected[3] = {2.99514e-5, 0.107596, 0.429743};
  constexpr double kForce = 1e-3, kArea = 0.2 * 0.1;  // small: the figures are of linear theory
  const bool is_tet = GetParam().element == ElementType::tet10;
  for (int axis = 0; axis < 3; ++axis) {
    mesh::BoxOptions box;
    box.type = GetParam().element;
    box.nx = 24;
    box.ny = box.nz = 2;
    box.size = {6.0, 0.2, 0.1};
    bodies::SolidBodyOptions options;
    options.formulation = GetParam().formulation;
    options.supports = {clamp()};
    Functions t;
    t[axis] = TimeFunction::constant(kForce / kArea);
    options.loads = {traction(t)};
    Beam beam(box, {1e7, 0.3, 1.0}, options);
    beam.system.finalize();
    Statics statics(beam.system, {});
    statics.start();  // the load is there from t = 0
    EXPECT_NEAR(beam.end_displacement(statics.state())[axis] / kForce, expected[axis],
                (is_tet ? 0.02 : 0.01) * expected[axis])
        << "axis " << axis;
  }
}

INSTANTIATE_TEST_SUITE_P(Elements, StraightBeam,
                         testing::Values(Case{ElementType::hex20, SolidFormulation::corotational},
                                         Case{ElementType::wedge15,
                                              SolidFormulation::st_venant_kirchhoff},
                                         Case{ElementType::tet10, SolidFormulation::corotational}),
                         name_of);

mesh::BoxOptions stout_box() {
  mesh::BoxOptions box;
  box.nx = 6;
  box.ny = box.nz = 2;
  box.size = {0.3, 0.06, 0.05};
  box.perturbation = 0.15;
  return box;
}

class StoutBeam : public testing::TestWithParam<SolidFormulation> {};
INSTANTIATE_TEST_SUITE_P(All, StoutBeam,
                         testing::Values(SolidFormulation::corotational,
                                         SolidFormulation::st_venant_kirchhoff,
                                         SolidFormulation::neo_hookean));

// Corrections fall as e, C e^2, C^3 e^4 ... once they are small.
void expect_quadratic(const std::vector<double>& e) {
  int checked = 0;
  for (std::size_t i = 2; i < e.size(); ++i) {
    if (e[i - 1] > 3e-4) continue;
    EXPECT_LT(e[i], 200.0 * e[i - 1] * e[i - 1] + 1e-11) << testing::PrintToString(e);
    ++checked;
  }
  EXPECT_GE(checked, 1) << testing::PrintToString(e);
}

TEST_P(StoutBeam, NewtonConvergesQuadraticallyUnderAFollowerPressure) {
  bodies::SolidBodyOptions options;
  options.formulation = GetParam();
  options.supports = {clamp()};
  bodies::SolidLoad load;
  load.name = "skin";  // the whole skin, whose only edge is held
  load.kind = bodies::SolidLoad::Kind::pressure;
  load.follows = bodies::SolidLoad::Follows::deformed;
  load.where = mesh::NodesInBox{{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}};
  load.pressure = TimeFunction::expression("2e5*t");
  options.loads = {load, traction(functions("0", "8e3*t", "5e3*t"))};
  Beam beam(stout_box(), {2e6, 0.3, 1000.0}, options);
  beam.system.finalize();
  StaticsOptions o;
  o.load_steps = 1;
  Statics statics(beam.system, o);
  solve(statics);
  EXPECT_GT(beam.end_displacement(statics.state()).norm(), 0.05);
  expect_quadratic(statics.statistics().corrections);
}

// Held by an averaged frame and a joint only, the stiffness of the body alone is singular: the
// springs that anchor it must leave no trace.
TEST_P(StoutBeam, HeldByAnInterfaceBalancesItsLoad) {
  bodies::SolidBodyOptions options;
  options.formulation = GetParam();
  options.is_anchored = true;
  mesh::InterfaceDefinition root;
  root.name = "root";
  root.nodes = in_set("x_min");
  options.interfaces = {root};
  options.loads = {traction(functions("0", "8e3*t", "5e3*t"))};
  Beam beam(stout_box(), {2e6, 0.3, 1000.0}, options);
  const bodies::SolidInterface& i = beam.body->interfaces()[0];
  beam.fix_to_ground(beam.add_tie(i), i.region.p_ref);
  beam.system.finalize();
  StaticsOptions o;
  o.load_steps = 2;
  Statics statics(beam.system, o);
  solve(statics);
  expect_quadratic(statics.statistics().corrections);
  const auto& joint =
      static_cast<const joints::Joint&>(beam.system.constraint(bodies::ConstraintIndex(1)));
  const Eigen::VectorXd reactions = joint.reaction(
      beam.system.kinematics(),
      statics.state().lambda.segment(
          beam.system.layout().constraint_offset(bodies::ConstraintIndex(1)), joint.n_rows()));
  const Vector3d load = 0.06 * 0.05 * Vector3d(0.0, 8e3, 5e3), on_second = reactions.segment<3>(6);
  EXPECT_LT((on_second + load).norm(), 1e-7 * load.norm());
  const double strain = beam.system.energy(statics.state()).strain;
  EXPECT_NEAR(statics.work(), strain, 0.1 * strain);
}

// nu = 0 and small strain: force E A strain; the support's work is the strain energy.
TEST_P(StoutBeam, PrescribedDisplacementStretchesIt) {
  bodies::SolidBodyOptions options;
  options.formulation = GetParam();
  options.supports = {
      clamp(), {"pull", in_set("x_max"), {true, false, false}, functions("3e-6*t", "0", "0")}};
  Beam beam(stout_box(), {2e6, 0.0, 1000.0}, options);
  beam.system.finalize();
  StaticsOptions o;
  o.load_steps = 4;
  Statics statics(beam.system, o);
  solve(statics);
  const double force = 2e6 * 0.06 * 0.05 * 1e-5;
  EXPECT_NEAR(beam.body->support_forces()(0, 1), force, 1e-4 * force);
  EXPECT_NEAR(beam.body->support_forces()(0, 0), -force, 1e-4 * force);
  EXPECT_NEAR(beam.end_displacement(statics.state()).x(), 3e-6, 1e-15);
  EXPECT_NEAR(statics.work(), 0.5 * force * 3e-6, 1e-3 * 0.5 * force * 3e-6);
}

// Gravity does not grow with t: it is there from the start.
TEST_P(StoutBeam, SagsUnderItsWeightFromTheStart) {
  bodies::SolidBodyOptions options;
  options.formulation = GetParam();
  options.supports = {clamp()};
  Beam beam(stout_box(), {2e6, 0.3, 1000.0}, options);
  beam.system.set_gravity({0.0, 0.0, -9.81});
  beam.system.finalize();
  Statics statics(beam.system, {});
  statics.start();
  const double weight = 0.3 * 0.06 * 0.05 * 1000.0 * 9.81;
  EXPECT_NEAR(beam.body->support_forces()(2, 0), weight, 1e-8 * weight);
  // Large for the beam theory that says w L^4 / 8 EI.
  const double sag =
      weight / 0.3 * std::pow(0.3, 4) / (8.0 * 2e6 * 0.06 * std::pow(0.05, 3) / 12.0);
  EXPECT_NEAR(-beam.end_displacement(statics.state()).z(), sag, 0.2 * sag);
}

// Supports that let it slide along a wall leave its stiffness singular: it is anchored, and a joint
// holds the rest.
TEST_P(StoutBeam, SlidingBeamIsHeldByItsJoint) {
  bodies::SolidBodyOptions options;
  options.formulation = GetParam();
  options.is_anchored = true;
  options.supports = {{"wall", in_set("x_min"), {true, false, false}, {}}};
  mesh::InterfaceDefinition tip;
  tip.name = "tip";
  tip.nodes = in_set("x_max");
  options.interfaces = {tip};
  options.loads = {traction(functions("0", "4e3*t", "0"))};
  Beam beam(stout_box(), {2e6, 0.3, 1000.0}, options);
  const bodies::SolidInterface& i = beam.body->interfaces()[0];
  const auto follower = beam.add_tie(i);
  bodies::Frame ground, on_body;
  ground.x_B = i.region.p_ref;
  on_body.body = follower;
  const auto A = beam.system.add_frame(ground), B = beam.system.add_frame(on_body);
  using bodies::PointAlongWorldAxis;
  const auto wall = beam.system.add_constraint(std::make_unique<joints::Joint>(
      "guide", beam.system.link(A, B),
      std::vector<joints::Primitive>{PointAlongWorldAxis(1), PointAlongWorldAxis(2),
                                     bodies::AxesDot({0, 0, 1}, {0, 1, 0})},
      std::vector<std::string>{"y", "z", "turn"}));
  beam.system.finalize();
  Statics statics(beam.system, {});
  solve(statics);
  const Eigen::VectorXd lambda =
      statics.state().lambda.segment(beam.system.layout().constraint_offset(wall), 3);
  EXPECT_NEAR(std::abs(lambda[0]), 0.06 * 0.05 * 4e3, 1e-7 * 12.0);
  EXPECT_NEAR(beam.body->support_forces()(0, 0), 0.0, 1e-6);
}

TEST(StaticsErrors, FreeMotionIsNamed) {
  bodies::SolidBodyOptions options;
  options.is_anchored = true;
  mesh::InterfaceDefinition root;
  root.name = "root";
  root.nodes = in_set("x_min");
  options.interfaces = {root};
  options.loads = {traction(functions("0", "10*t", "0"))};
  Beam beam(stout_box(), {2e6, 0.3, 1000.0}, options);
  beam.add_tie(beam.body->interfaces()[0]);
  beam.system.finalize();
  StaticsOptions o;
  o.smallest_step = 0.05;
  Statics statics(beam.system, o);
  try {
    solve(statics);
    FAIL() << "a free body is in no equilibrium";
  } catch (const base::ComputationError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("can move freely"));
    EXPECT_THAT(e.what(), testing::HasSubstr("constrain it by a support or a joint"));
  }
}

}  // namespace
}  // namespace solidyn::analyses
