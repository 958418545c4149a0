#include "model/language/key.h"

namespace solidyn::model {
namespace {

const KeySpec& stop_key() {
  static const KeySpec key =
      Key("stop_when", Form::list, "conditions, each of which ends the analysis",
          "[{sensor: height, below: 0}]")
          .holds(stop_table());
  return key;
}

}  // namespace

const TableSpec& adaptive_table() {
  static const TableSpec table{
      "adaptive",
      "Steps that follow an estimate of the local error.",
      {Key("tolerance", Form::number, "largest local error per step, relative", "1e-5")
           .within(kPositive)
           .needed(),
       Key("minimum_step", Form::number, "give up below this step", "1e-9")
           .in(kTime)
           .within(kPositive)
           .needed(),
       Key("maximum_step", Form::number, "largest step", "1e-3")
           .in(kTime)
           .within(kPositive)
           .needed()}};
  return table;
}

const TableSpec& baumgarte_table() {
  static const TableSpec table{
      "baumgarte",
      "Stabilisation Phi'' + 2 alpha Phi' + beta^2 Phi = 0 of the constraints, in place of the "
      "projection after each step. With both rates 0 states are projected.",
      {Key("alpha", Form::number, "damping of the drift", "50")
           .in(kRate)
           .within(kNotNegative)
           .needed(),
       Key("beta", Form::number, "stiffness of the drift", "50")
           .in(kRate)
           .within(kNotNegative)
           .needed()}};
  return table;
}

const TableSpec& stop_table() {
  static const TableSpec table{
      "stop condition",
      "Ends the analysis after the step in which a column of the history comes to pass a value; "
      "the "
      "run is then done, and `summary.json` says what stopped it.",
      {Key("sensor", Form::reference, "the sensor, or `sensor.component` where it has several",
           "bob.x")
           .needed(),
       Key("above", Form::number, "stop when it rises above this value, in SI units", "0.5"),
       Key("below", Form::number, "stop when it falls below this value, in SI units", "0")},
      "",
      false,
      {"above", "below"}};
  return table;
}

const TableSpec& start_table() {
  static const TableSpec table{
      "start",
      "How the motion begins, where a checkpoint does not say.",
      {Key("elastic", Form::word,
           "elastic coordinates of all flexible bodies: `undeformed` (as drawn, or as statics "
           "before left them), or `quasi_static`: deformed by the loads and inertia forces of the "
           "first "
           "instant, without elastic velocity, so that they do not ring",
           "quasi_static")
           .among({"undeformed", "quasi_static"})
           .needed()}};
  return table;
}

const TableSpec& dynamics_table() {
  static const TableSpec table{
      "dynamics",
      "Motion in time. Keys of another integrator are ignored with a warning.",
      {Key("duration", Form::number, "length of the simulation", "0.1")
           .in(kTime)
           .within(kPositive)
           .needed(),
       Key("step", Form::number, "time step; the first one where steps vary", "1e-5")
           .in(kTime)
           .within(kPositive)
           .needed(),
       Key("integrator", Form::word,
           "`generalized_alpha` (implicit, Lie group), `hht` (its special case of Hilber, Hughes "
           "and "
           "Taylor), `bdf` (Gear, variable order and step), `runge_kutta` (explicit, of order 8); "
           "both in index-1 form, projected onto the constraints after each step",
           "generalized_alpha")
           .among({"generalized_alpha", "hht", "bdf", "runge_kutta"})
           .later({"bathe", "ed_alpha"})
           .or_else("generalized_alpha"),
       Key("rho_infinity", Form::number,
           "numerical damping: 1 none, 0 strongest (spectral radius at infinite frequency)", "0.8")
           .within({0.0, 1.0, true, true})
           .or_else("0.8")
           .of({"generalized_alpha"}),
       Key("alpha", Form::number,
           "numerical damping: 0 none, -1/3 strongest (spectral radius (1 + alpha)/(1 - alpha) at "
           "infinite frequency)",
           "-0.1")
           .within({-1.0 / 3.0, 0.0, true, true})
           .or_else("-0.1")
           .of({"hht"}),
       Key("adaptive", Form::table, "vary the step; by default it is fixed",
           "{tolerance: 1e-5, minimum_step: 1e-8, maximum_step: 1e-3}")
           .holds(adaptive_table())
           .of({"generalized_alpha", "hht"}),
       Key("tolerance", Form::number, "error that Newton leaves in a step's displacement, relative",
           "1e-10")
           .within({0.0, 1.0, false, false})
           .or_else("1e-10")
           .of({"generalized_alpha", "hht"}),
       Key("max_iterations", Form::integer, "Newton iterations allowed in a step", "20")
           .within(kOneOrMore)
           .or_else("20")
           .of({"generalized_alpha", "hht"}),
       Key("tangent", Form::word,
           "of bodies with all nodes in absolute coordinates: `kept` (factorised once, turned with "
           "the body, renewed when convergence slows) or `consistent` (Newton's own, in every "
           "iteration)",
           "consistent")
           .among({"kept", "consistent"})
           .or_else("kept")
           .of({"generalized_alpha", "hht"}),
       Key("baumgarte", Form::table,
           "stabilisation of the constraints; by default states are projected onto them",
           "{alpha: 50, beta: 50}")
           .holds(baumgarte_table())
           .of({"bdf", "runge_kutta"}),
       Key("relative_tolerance", Form::number, "local error relative to the solution", "1e-6")
           .within({0.0, 1.0, false, false})
           .or_else("1e-6")
           .of({"bdf", "runge_kutta"}),
       Key("absolute_tolerance", Form::number, "local error, in SI units of each unknown", "1e-9")
           .within(kPositive)
           .or_else("1e-9")
           .of({"bdf", "runge_kutta"}),
       Key("start", Form::table, "how the motion begins", "{elastic: quasi_static}")
           .holds(start_table()),
       stop_key()},
      "integrator",
      true};
  return table;
}

const TableSpec& kinematics_table() {
  static const TableSpec table{
      "kinematics",
      "Motion of a mechanism of rigid bodies that its drives determine, without integration in "
      "time. `reaction` sensors of the drives give the forces and torques that they need (inverse "
      "dynamics).",
      {Key("duration", Form::number, "length of the motion", "1")
           .in(kTime)
           .within(kPositive)
           .needed(),
       Key("step", Form::number, "time between two positions", "0.01")
           .in(kTime)
           .within(kPositive)
           .needed(),
       stop_key()}};
  return table;
}

const TableSpec& statics_table() {
  static const TableSpec table{
      "statics",
      "Equilibrium. The time of loads, supports and drives is a load parameter that goes from 0 to "
      "1; the history has a row for each of its steps. Where `dynamics` follows it begins from the "
      "equilibrium, and the rows go to `statics.csv`.",
      {Key("load_steps", Form::integer,
           "steps of the load parameter; cut where Newton fails, and grown again", "10")
           .within(kOneOrMore)
           .or_else("10"),
       Key("tolerance", Form::number,
           "Newton ends with a correction so small, relative to the largest displacement", "1e-8")
           .within({0.0, 1.0, false, false})
           .or_else("1e-8"),
       Key("max_iterations", Form::integer, "Newton iterations allowed in a step", "25")
           .within(kOneOrMore)
           .or_else("25"),
       Key("smallest_step", Form::number, "give up when steps must be cut below this", "1e-5")
           .within({0.0, 1.0, false, true})
           .or_else("1e-5"),
       Key("time", Form::word,
           "of loads, supports and drives: `load_parameter` (from 0 to 1), or `start` (it stays at "
           "0, and there is one equilibrium). By default `load_parameter`, but `start` where "
           "dynamics follows and one of them varies with time",
           "start")
           .among({"load_parameter", "start"}),
       Key("control", Form::word,
           "`load` (steps of the load parameter) or `arc_length` (steps along the path of "
           "equilibria, on which the load parameter may fall beyond a limit load)",
           "arc_length")
           .among({"load", "arc_length"})
           .or_else("load"),
       Key("method", Form::word,
           "`newton`, `relaxation` (damped motion until all is at rest), or `automatic`: Newton, "
           "and relaxation where that fails or comes to an unstable equilibrium",
           "relaxation")
           .among({"automatic", "newton", "relaxation"})
           .or_else("automatic")
           .of({"load"}),
       Key("max_relaxation_steps", Form::integer,
           "give up a relaxation that is not at rest after so many steps", "5000")
           .within(kOneOrMore)
           .or_else("5000")
           .of({"load"}),
       Key("max_steps", Form::integer, "give up when the path is longer", "1000")
           .within(kOneOrMore)
           .or_else("1000")
           .of({"arc_length"})},
      "control",
      true};
  return table;
}

const TableSpec& analysis_table() {
  static const TableSpec table{
      "analysis",
      "One entry of the list `analyses`; they are run in order.",
      {Key("dynamics", Form::table, "motion in time", "{duration: 0.1, step: 1e-5}")
           .holds(dynamics_table()),
       Key("kinematics", Form::table, "motion that drives determine, and the forces it takes",
           "{duration: 1, step: 0.01}")
           .holds(kinematics_table()),
       Key("statics", Form::table, "equilibrium under growing loads", "{load_steps: 10}")
           .holds(statics_table()),
       Key("modes", Form::table, "natural modes of the mechanism, or of one body", "{count: 10}")
           .holds(modes_table()),
       Key("linearise", Form::table, "state-space matrices", "{inputs: [push.force_z]}")
           .holds(linearise_table()),
       Key("frequency_response", Form::table, "answers to harmonic inputs",
           "{inputs: [push.force_z], frequencies: [1, 2, 5]}")
           .holds(frequency_response_table())},
      "",
      false,
      {"dynamics", "kinematics", "statics", "modes", "linearise", "frequency_response"}};
  return table;
}

}  // namespace solidyn::model
