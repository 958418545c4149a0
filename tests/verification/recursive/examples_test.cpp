// One model, two formulations: the bundled examples that qualify, at their start.
#include <gmock/gmock.h>

#include "solidyn/analyses/dynamics.h"
#include "solidyn/model/build.h"
#include "solidyn/model/load.h"
#include "solidyn/recursive/mechanism.h"

namespace solidyn {
namespace {

using Eigen::VectorXd;

// Of the largest; multipliers of rows that depend on others come from regularised equations.
constexpr double kSameAtStart = 1e-10, kSameIfDependent = 1e-9;

// Without the three whose reduction takes seconds: held_bracket, reduced_bracket and the flexible
// locomotive agree to 1e-13.
constexpr const char* kModels[] = {"balance/pendulum",
                                   "boom/boom",
                                   "bouncing_ball/bouncing_ball",
                                   "box_on_box/box_on_box",
                                   "cardan_shaft/cardan_shaft",
                                   "chair_ride/chair_ride",
                                   "clearance/slider_crank",
                                   "cpp/oscillator",
                                   "engine_mounts/engine",
                                   "four_bar/four_bar_rigid",
                                   "gas_engine/engine",
                                   "gear_train/gear_train",
                                   "governor/governor",
                                   "import/abaqus_rotor",
                                   "import/calculix_rod",
                                   "import/flywheel",
                                   "import/nastran_rod",
                                   "import/table_rod",
                                   "inverse_dynamics/arm",
                                   "mechanisms/andrews",
                                   "mechanisms/bricard",
                                   "mechanisms/free_body",
                                   "mechanisms/heavy_top",
                                   "mechanisms/n_four_bar",
                                   "mechanisms/pendulum",
                                   "mechanisms/spatial_slider_crank",
                                   "one_word/one_word",
                                   "press/press",
                                   "quarter_car/quarter_car",
                                   "railway/bogie",
                                   "railway/coach",
                                   "railway/coach_in_curve",
                                   "railway/wheelset",
                                   "recursive/arm",
                                   "recursive/satellite",
                                   "recursive/scissor_mast",
                                   "rod_impact/rod_impact",
                                   "roller_coaster/roller_coaster",
                                   "rolling_disc/rolling_disc",
                                   "slider_crank/slider_crank",
                                   "slider_crank/slider_crank_classical",
                                   "slider_crank/slider_crank_rigid",
                                   "spin_up/spin_up",
                                   "stress/arm"};

// @param least  size, where they are round-off of what balances
void expect_same_at_start(const VectorXd& found, const VectorXd& expected, double same,
                          double least, const char* what) {
  ASSERT_EQ(found.size(), expected.size());
  if (found == expected) return;  // both may be nothing
  EXPECT_LT((found - expected).lpNorm<Eigen::Infinity>(),
            same * std::max(least, expected.lpNorm<Eigen::Infinity>()))
      << what;
}

void expect_same_start(const std::string& name) {
  const model::ModelDescription description = model::load_model(
      PETSC_COMM_WORLD, std::string(SOLIDYN_SOURCE_DIR) + "/examples/" + name + ".yaml", {});
  const auto built = model::build(PETSC_COMM_WORLD, description, {});
  const auto analysis = std::find_if(
      description.analyses.begin(), description.analyses.end(),
      [](const auto& each) { return std::holds_alternative<model::DynamicsDescription>(each); });
  ASSERT_NE(analysis, description.analyses.end());
  analyses::DynamicsOptions options =
      model::dynamics_options(std::get<model::DynamicsDescription>(*analysis), description.solver);
  options.formulation = analyses::Formulation::absolute;
  options.integrator = analyses::IntegratorKind::runge_kutta;  // which changes nothing of a start
  options.adaptive.reset();
  system::System& system = built->system;
  analyses::Dynamics dynamics(system, options);
  dynamics.start();
  const system::State& expected = dynamics.state();
  system.update(expected);
  recursive::Mechanism mechanism(system, recursive::Mechanism::Warnings::leave);
  VectorXd q, u;
  mechanism.tree().find_coordinates(expected, q, u);
  system::State state = expected.clone();
  state.a.setZero();
  state.lambda.setZero();
  mechanism.compute_state(q, u, state);
  const double gravity = system.gravity().norm();
  double mass = 0.0;
  for (const bodies::BodyIndex i : system.bodies()) mass += system.body(i).mass();
  expect_same_at_start(state.a, expected.a, kSameAtStart, gravity, "accelerations");
  const bool has_dependent_rows = mechanism.closures().has_dependent_rows();
  expect_same_at_start(state.lambda, expected.lambda,
                       has_dependent_rows ? kSameIfDependent : kSameAtStart, mass * gravity,
                       "multipliers");
}

TEST(ExamplesAtTheStart, HaveTheSameAccelerationsMultipliersAndReactions) {
  for (const char* name : kModels) {
    SCOPED_TRACE(name);
    expect_same_start(name);
  }
}

}  // namespace
}  // namespace solidyn
