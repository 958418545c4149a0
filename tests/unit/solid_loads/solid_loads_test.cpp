// Loads and supports of a body on absolute coordinates, in motion: they are where they are said to
// be, balance the momentum and the energy, and keep Newton quadratic.
#include <gtest/gtest.h>

#include "mechanisms.h"
#include "selections.h"
#include "solid_bar.h"
#include "solidyn/base/error.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::TimeFunction;

constexpr double kWidth = 0.05, kHeight = 0.04, kMass = 0.3 * 0.05 * 0.04 * 1000.0;

std::array<TimeFunction, 3> functions(const std::array<const char*, 3>& texts) {
  return {TimeFunction::expression(texts[0]), TimeFunction::expression(texts[1]),
          TimeFunction::expression(texts[2])};
}

SolidLoad load_on(const char* set, SolidLoad::Kind kind, const std::array<const char*, 3>& vector,
                  const char* pressure = "0") {
  SolidLoad load;
  load.name = "load";
  load.where = test::in_set(set);
  load.kind = kind;
  load.vector = functions(vector);
  load.pressure = TimeFunction::expression(pressure);
  return load;
}

Support clamp(const std::array<const char*, 3>& displacement = {"0", "0", "0"}) {
  return {"clamp", test::in_set("x_min"), {true, true, true}, functions(displacement)};
}

struct Bar {
  system::System system;
  SolidBody* body = nullptr;
};

std::unique_ptr<Bar> make_bar(SolidBodyOptions options, const InitialMotion& motion = {}) {
  auto bar = std::make_unique<Bar>();
  if (options.points.empty()) options.points = {{"tip", {0.3, 0.05, 0.04}}};
  auto body =
      SolidBody::make("bar", mesh::distribute(PETSC_COMM_SELF, testing_support::make_bar_mesh()),
                      fem::IsotropicElastic{2e6, 0.3, 1000.0}, options);
  bar->body = body.get();
  bar->system.add_body(std::move(body), motion);
  bar->system.finalize();
  return bar;
}

// Force on a free body at rest: mass times the acceleration of the centre, by the residual's sum.
Vector3d resultant(Bar& bar, double t) {
  system::State s = bar.system.make_state();
  s.t = t;
  testing_support::start(bar.system);  // its solver accepts the body
  bar.system.update(s);
  auto solver =
      solvers::make_linear_solver(solvers::Preset::small, bar.system.layout().n_unknowns());
  bar.system.set_pattern(*solver);
  bar.system.set_coefficients({1.0, 0.0, 0.0});
  system::solve_accelerations(bar.system, s, *solver, false);
  BodyState b;
  b.nodal = &s.nodal[0];
  NodalState rates = bar.body->make_state();
  SOLIDYN_PETSC(VecCopy(s.nodal[0].ddu, rates.du));
  b.nodal = &rates;
  return bar.body->momentum(b).linear;
}

TEST(SolidLoads, ResultantsAreThoseOfAreaAndNodes) {
  using Kind = SolidLoad::Kind;
  SolidBodyOptions options;
  options.loads = {load_on("x_max", Kind::traction, {"100", "200*t", "0"})};
  const double area = kWidth * kHeight;
  const Vector3d traction = resultant(*make_bar(options), 2.0);
  EXPECT_LT((traction - area * Vector3d(100, 400, 0)).norm(), 1e-9);
  options.loads = {load_on("x_max", Kind::nodal_force, {"0", "0", "2"})};
  const auto n_nodes =
      static_cast<double>(mesh::distribute(PETSC_COMM_SELF, testing_support::make_bar_mesh())
                              .sets.at("x_max")
                              .nodes.size());
  EXPECT_LT((resultant(*make_bar(options), 0.0) - Vector3d(0, 0, 2.0 * n_nodes)).norm(), 1e-9);
  // Pressure acts along the normal of the body where it is placed, followed or not.
  InitialMotion turned;
  turned.q_WB = Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitZ());
  for (const auto follows : {SolidLoad::Follows::reference, SolidLoad::Follows::deformed}) {
    options.loads = {load_on("x_max", Kind::pressure, {"0", "0", "0"}, "300*t")};
    options.loads[0].follows = follows;
    const Vector3d pressure = resultant(*make_bar(options, turned), 1.0);
    EXPECT_LT((pressure - area * Vector3d(0, -300, 0)).norm(), 1e-9);
  }
}

struct Case {
  fem::SolidFormulation formulation;
  fem::MassKind mass;
  SolidLoad::Follows follows;
};
class LoadedBar : public testing::TestWithParam<Case> {
 protected:
  SolidBodyOptions options() const {
    SolidBodyOptions o;
    o.formulation = GetParam().formulation;
    o.mass = GetParam().mass;
    o.loads = {load_on("z_max", SolidLoad::Kind::pressure, {"0", "0", "0"}, "3e3*sin(40*t)"),
               load_on("x_max", SolidLoad::Kind::traction, {"0", "4e3*t", "0"})};
    o.loads[0].follows = GetParam().follows;
    o.supports = {clamp({"0", "0.01*sin(30*t)^2", "0"})};
    return o;
  }
};
INSTANTIATE_TEST_SUITE_P(
    All, LoadedBar,
    testing::Values(Case{fem::SolidFormulation::corotational, fem::MassKind::lumped,
                         SolidLoad::Follows::deformed},
                    Case{fem::SolidFormulation::st_venant_kirchhoff, fem::MassKind::consistent,
                         SolidLoad::Follows::deformed},
                    Case{fem::SolidFormulation::neo_hookean, fem::MassKind::lumped,
                         SolidLoad::Follows::reference}));

// Work of loads and of the moving support against the energy, with an integrator that damps
// nothing.
TEST_P(LoadedBar, EnergyIsTheWorkOfLoadsAndSupports) {
  const auto bar = make_bar(options());
  integrators::GeneralizedAlphaOptions o;
  o.rho_infinity = 0.95;
  system::State s = testing_support::start(bar->system);
  integrators::GeneralizedAlpha stepper(bar->system, o);
  stepper.initialize(s);
  double work = 0.0, power = 0.0, largest = 0.0, drift = 0.0;
  for (int i = 0; i < 200; ++i) {
    stepper.step(s, 5e-4);
    const double now = bar->system.external_powers(s).sum();
    work += 0.5 * 5e-4 * (power + now);
    power = now;
    const Energy e = bar->system.energy(s);
    largest = std::max(largest, e.kinetic + e.strain);
    drift = std::max(drift, std::abs(e.kinetic + e.strain - work));
  }
  EXPECT_GT(largest, 1e-3);
  EXPECT_LT(drift, 0.01 * largest);
}

TEST_P(LoadedBar, HeldNodesAreWhereTheSupportPutsThem) {
  const auto bar = make_bar(options());
  integrators::GeneralizedAlphaOptions o;
  const system::State s = testing_support::run_generalized_alpha(bar->system, 0.05, 50, o);
  const double expected = 0.01 * std::pow(std::sin(30 * 0.05), 2);
  const PetscScalar* u = nullptr;
  SOLIDYN_PETSC(VecGetArrayRead(s.nodal[0].u, &u));
  for (std::int32_t node : bar->body->mesh().sets.at("x_min").nodes) {
    EXPECT_NEAR(u[3 * node], 0.0, 1e-15);
    EXPECT_NEAR(u[3 * node + 1], expected, 1e-12);
    EXPECT_NEAR(u[3 * node + 2], 0.0, 1e-15);
  }
  SOLIDYN_PETSC(VecRestoreArrayRead(s.nodal[0].u, &u));
}

// A tracked point moves as its node does, though nothing yields there.
TEST_P(LoadedBar, PointsOnHeldNodesFollowThem) {
  SolidBodyOptions o = options();
  o.points = {{"held", {0.0, 0.0, 0.0}}, {"free", {0.3, 0.0, 0.0}}};
  const auto bar = make_bar(o);
  const system::State s = testing_support::run_generalized_alpha(bar->system, 0.05, 50, {});
  const double expected = 0.01 * std::pow(std::sin(30 * 0.05), 2);
  const VectorXd ports = bar->body->ports_of(s.nodal[0].u);
  ASSERT_EQ(ports.size(), 6);
  EXPECT_NEAR(s.q[1], expected, 1e-12);
  EXPECT_GT(s.q.tail(3).norm(), 1e-3);
  EXPECT_LT((s.q - ports).norm(), 1e-12);
}

// d(momentum)/dt = loads + support forces.
TEST_P(LoadedBar, SupportForcesBalanceTheMomentum) {
  SolidBodyOptions o = options();
  o.loads.erase(o.loads.begin());
  const auto bar = make_bar(o);
  integrators::GeneralizedAlphaOptions integrator;
  system::State s = testing_support::start(bar->system);
  integrators::GeneralizedAlpha stepper(bar->system, integrator);
  stepper.initialize(s);
  VectorXd r, phi;
  for (int i = 0; i < 40; ++i) stepper.step(s, 1e-3);
  bar->system.update(s);
  bar->system.compute_residual(s, r, phi);
  const Vector3d reaction = bar->body->support_forces().col(0);
  NodalState rates = bar->body->make_state();
  SOLIDYN_PETSC(VecCopy(s.nodal[0].ddu, rates.du));
  BodyState b;
  b.nodal = &rates;
  const Vector3d rate = bar->body->momentum(b).linear;
  const Vector3d loads(0.0, 4e3 * s.t * kWidth * kHeight, 0.0);
  EXPECT_GT(reaction.norm(), 0.1);
  EXPECT_LT((rate - loads - reaction).norm(), 1e-6 * reaction.norm());
}

TEST(SolidLoadErrors, NameTheLoadOrSupport) {
  const auto message = [](const SolidBodyOptions& options) -> std::string {
    try {
      make_bar(options);
    } catch (const base::InputError& e) {
      return e.what();
    }
    return "";
  };
  SolidBodyOptions options;
  options.loads = {load_on("nowhere", SolidLoad::Kind::traction, {"0", "0", "0"})};
  EXPECT_NE(message(options).find("load `load`: the mesh has no set `nowhere`"), std::string::npos);
  options.loads[0].where = mesh::NodesNear{{0.3, 0.05, 0.04}};
  EXPECT_NE(message(options).find("no surface face of the body"), std::string::npos);
  options.loads.clear();
  options.supports = {clamp(), clamp()};
  EXPECT_NE(message(options).find("support `clamp`: another support"), std::string::npos);
  options.supports = {clamp()};
  options.interfaces = {test::at_set("x_min")};
  EXPECT_NE(message(options).find("a support constrains all nodes of the interface `x_min`"),
            std::string::npos);
}

}  // namespace
}  // namespace solidyn::bodies
