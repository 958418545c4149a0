// Stops, clutches and friction of a given size on a mass that nothing else guides, by every scheme
// that solves set-valued laws.
#include <gtest/gtest.h>

#include "small_systems.h"
#include "solidyn/forces/set_valued_coordinates.h"
#include "solidyn/integrators/bathe.h"
#include "solidyn/integrators/contact_start.h"
#include "solidyn/integrators/generalized_alpha.h"

namespace solidyn::integrators {
namespace {

using forces::SetValuedCoordinates;
using forces::SetValuedLaw;
using system::State;
using system::System;

constexpr double kMass = 2.0, kStiffness = 200.0;  // 10 rad/s

struct OnALine {
  double x0 = 0.0, v0 = 0.0, stiffness = 0.0;
  std::string force = "0";

  std::unique_ptr<System> make(std::vector<SetValuedCoordinates::Options> laws) const {
    auto system = std::make_unique<System>();
    system::InitialMotion motion;
    motion.p_WB = Eigen::Vector3d(x0, 0, 0);
    motion.v_WB = Eigen::Vector3d(v0, 0, 0);
    const auto body =
        system->add_body(bodies::make_rigid_body("mass", kMass, Eigen::Vector3d::Zero(),
                                                 Eigen::Matrix3d::Identity()),
                         motion);
    const auto origin = system::add_frame(*system, system::kGround, Eigen::Vector3d::Zero(),
                                          Eigen::Vector3d::UnitX()),
               centre = system::add_frame(*system, body, motion.p_WB, Eigen::Vector3d::UnitX());
    forces::SpringDamper::Options spring;
    spring.stiffness = stiffness;
    system::add_spring(*system, "spring", bodies::PointAlongFrameAxis(Eigen::Vector3d::UnitZ()),
                       spring, {origin, centre});
    system::add_load(
        *system, "push", centre,
        {math::TimeFunction::expression(force), math::TimeFunction(), math::TimeFunction()});
    for (SetValuedCoordinates::Options& law : laws)
      system->add_force(std::make_unique<SetValuedCoordinates>("law", system->link(origin, centre),
                                                               std::move(law)));
    system->finalize();
    return system;
  }
};

const bodies::Coordinate kAlong = bodies::PointAlongFrameAxis(Eigen::Vector3d::UnitZ());

SetValuedCoordinates::Options stop(double sign, double offset, double restitution) {
  SetValuedCoordinates::Options o;
  o.law.kind = SetValuedLaw::Kind::stop;
  o.law.restitution = restitution;
  o.normal = {kAlong, sign};
  o.offset = offset;
  return o;
}

SetValuedCoordinates::Options clutch() {
  SetValuedCoordinates::Options o;
  o.law.kind = SetValuedLaw::Kind::clutch;
  o.normal = {kAlong, 1.0};
  return o;
}

SetValuedCoordinates::Options friction(double force) {
  SetValuedCoordinates::Options o;
  o.law.kind = SetValuedLaw::Kind::friction;
  o.law.static_coefficient = o.law.dynamic_coefficient = 0.5;
  o.law.pressing_force = 2.0 * force;
  o.slips = {{kAlong, 1.0}};
  return o;
}

struct Row {
  double t, x, v;
};

template <class Scheme, class Options>
std::vector<Row> motion(System& system, const Options& options, double h, int n) {
  State state = testing_support::start(system);
  start_contacts(system, state, 0.0, solvers::Preset::automatic);
  Scheme scheme(system, options);
  scheme.initialize(state);
  system.accept(state);
  std::vector<Row> rows;
  for (int i = 0; i < n; ++i) {
    scheme.step(state, h);
    system.accept(state);
    rows.push_back({state.t, state.q[0], state.v[0]});
  }
  return rows;
}

enum class SchemeKind { generalized_alpha, damped, bathe };

class LawsInSteps : public testing::TestWithParam<SchemeKind> {
 protected:
  std::vector<Row> go(System& system, double h, int n) const {
    if (GetParam() == SchemeKind::bathe) return motion<Bathe>(system, StageOptions{}, h, n);
    GeneralizedAlphaOptions options;
    options.rho_infinity = GetParam() == SchemeKind::damped ? 0.0 : 0.8;
    return motion<GeneralizedAlpha>(system, options, h, n);
  }
};
INSTANTIATE_TEST_SUITE_P(Schemes, LawsInSteps,
                         testing::Values(SchemeKind::generalized_alpha, SchemeKind::damped,
                                         SchemeKind::bathe));

// Each half period takes 2 F/k = 0.04 m; within 0.02 m it stays.
TEST_P(LawsInSteps, FrictionTakesAsMuchOfEachSwingAndHolds) {
  const auto system = OnALine{0.11, 0.0, kStiffness, "0"}.make({friction(4.0)});
  const std::vector<Row> rows = go(*system, 1e-3, 1500);
  EXPECT_NEAR(rows[314].x, -0.07, 2e-5);
  EXPECT_NEAR(rows[628].x, 0.03, 2e-5);
  for (const Row& row : rows)
    if (row.t > 0.95) {
      EXPECT_LT(std::abs(row.v), 1e-14);
      EXPECT_NEAR(row.x, 0.01, 2e-5);
    }
}

// Constant speed between two walls with e = 0.5.
TEST_P(LawsInSteps, StopsAreNotPassed) {
  const auto system = OnALine{0.0, 1.0, 0.0, "0"}.make({stop(1.0, 0.1, 0.5), stop(-1.0, 0.2, 0.5)});
  const std::vector<Row> rows = go(*system, 1e-3, 900);
  for (const Row& row : rows) {
    EXPECT_LE(row.x, 0.2 + 1e-14);
    EXPECT_GE(row.x, -0.1 - 1e-14);
  }
  EXPECT_NEAR(rows[300].v, -0.5, 1e-12);  // hit at 0.2 s
  EXPECT_NEAR(rows[850].v, 0.25, 1e-12);  // and at 0.8 s
}

TEST_P(LawsInSteps, StopCarriesWhatPressesOnIt) {
  const auto system = OnALine{0.2, 0.0, 0.0, "30*cos(4*t)"}.make({stop(-1.0, 0.2, 0.0)});
  const std::vector<Row> rows = go(*system, 1e-3, 700);
  // It lets go at pi/8 s, where the force turns: x = 0.2 + 15/16 (1 - cos 4t) - ... from there.
  for (const Row& row : rows) {
    const double since = row.t - M_PI / 8.0;
    const double x = since < 0.0
                         ? 0.2
                         : 0.2 + 15.0 / 16.0 * (std::cos(M_PI / 2.0) - std::cos(4.0 * row.t)) -
                               15.0 / 4.0 * since;
    EXPECT_NEAR(row.x, x, 2e-5) << row.t;
  }
}

// m dv/dt = F cos(4t) until v comes back to zero at pi/4 s; it waits there until F pushes forward.
TEST_P(LawsInSteps, ClutchHoldsWhatWouldGoBack) {
  const auto system = OnALine{0.0, 0.0, 0.0, "30*cos(4*t)"}.make({clutch()});
  const std::vector<Row> rows = go(*system, 1e-3, 1500);
  const double amplitude = 15.0 / 16.0;
  for (const Row& row : rows) {
    const double stroke = 2.0 * amplitude, next = 3.0 * M_PI / 8.0;  // F > 0 again
    const double since = 4.0 * (row.t - next);
    const double x = row.t < M_PI / 4.0 ? amplitude * (1.0 - std::cos(4.0 * row.t))
                     : row.t < next
                         ? stroke
                         : stroke + 15.0 / 4.0 * (row.t - next) - amplitude * std::sin(since);
    EXPECT_GE(row.v, -1e-12) << row.t;
    if (row.t < next + M_PI / 4.0) EXPECT_NEAR(row.x, x, 1e-4) << row.t;
    if (row.t > M_PI / 4.0 + 2e-3 && row.t < next - 2e-3) EXPECT_LT(std::abs(row.v), 1e-13);
  }
}

// A clutch that is driven backwards at the start holds at once.
TEST_P(LawsInSteps, ClutchStopsASpeedAgainstItAtTheStart) {
  const auto system = OnALine{0.3, -2.0, 0.0, "-5"}.make({clutch()});
  const std::vector<Row> rows = go(*system, 1e-2, 50);
  for (const Row& row : rows) {
    EXPECT_NEAR(row.x, 0.3, 1e-14);
    EXPECT_LT(std::abs(row.v), 1e-14);
  }
}

// A stop, a clutch towards it and friction hold together what any of them would hold: with forces
// that are not unique.
TEST_P(LawsInSteps, RedundantLawsHoldTogether) {
  const auto system = OnALine{0.0, 0.0, 0.0, "-3"}.make(
      {stop(1.0, 0.0, 0.5), clutch(), friction(10.0), stop(1.0, 0.0, 0.0)});
  const std::vector<Row> rows = go(*system, 1e-2, 50);
  for (const Row& row : rows) {
    EXPECT_LT(std::abs(row.x), 1e-14);
    EXPECT_LT(std::abs(row.v), 1e-14);
  }
}

}  // namespace
}  // namespace solidyn::integrators
