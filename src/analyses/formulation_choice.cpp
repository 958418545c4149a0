#include "solidyn/analyses/formulation_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/joints/joint.h"
#include "solidyn/system/closed_contacts.h"
#include "step_couplings.h"
#include "step_work.h"

namespace solidyn::analyses {
namespace {

using Eigen::VectorXd;
using recursive::Mechanism;
using system::State;
using system::System;

// How much faster `recursive` must be predicted to be; in implicit steps with drives it must be
// worth that the work of a drive with kinks is met less well.
constexpr double kClearlyFaster = 1.18, kClearlyFasterIfDriven = 1.3;
// Of the largest acceleration, or gravity: what both formulations may differ by at the start.
constexpr double kSame = 1e-6;

bool is_implicit(IntegratorKind integrator) {
  return integrator == IntegratorKind::generalized_alpha || integrator == IntegratorKind::hht;
}

// What the options say against it; empty: nothing.
std::string reason_in_options(const DynamicsOptions& o) {
  if (o.integrator == IntegratorKind::kinematics)
    return "drives determine the motion, and nothing is integrated";
  if (!can_use_relative_coordinates(o.integrator))
    return "the integrator has no form in relative coordinates";
  if (o.baumgarte_alpha != 0.0 || o.baumgarte_beta != 0.0)
    return "`baumgarte` is for the constraints of absolute coordinates";
  if (o.nonlinear == solvers::Nonlinear::snes)
    return "`nonlinear: snes` iterates in absolute coordinates";
  if (o.preset == solvers::Preset::direct)
    return "`preset: direct` is a solver for absolute coordinates";
  return {};
}

// Whether something rubs that presses by its own law, as contacts and tyres do. Friction in joints,
// which follows what these transmit, is found as well in both formulations.
bool has_friction_of_contacts(const System& system) {
  std::vector<forces::Slip> slips;
  for (const forces::ForceIndex i : system.forces())
    if (system.force(i).constraints().empty())
      system.force(i).add_slips(system.kinematics(), slips);
  return !slips.empty();
}

// Coordinates of forces are no modes.
bool has_modes(const recursive::Tree& tree) {
  for (std::size_t i = 0; i < tree.links().size(); ++i)
    if (tree.links()[i].modes >= 0 && !tree.forest().branches[i].is_of_force) return true;
  return false;
}

// What implicit steps of absolute coordinates have, and those of relative ones have not.
std::string reason_in_implicit_steps(const System& system, const system::Redundancy& redundancy,
                                     const Mechanism& mechanism) {
  // Counts predict loops without drives within 0.8 to 1.3 of what is measured, driven ones up
  // to 2.1 times too fast. Where rows are redundant, absolute coordinates take longer too.
  if (!mechanism.closures().empty() && !system.driven_constraints().empty() &&
      redundancy.rows.empty())
    return "with drives and loops that have no redundant rows, implicit steps in relative coordinates are as a rule no faster";
  const auto& links = mechanism.tree().links();
  const auto moves_freely = [](const recursive::Link& k) { return k.n_speeds == 6; };
  // They have the same errors, too.
  if (std::all_of(links.begin(), links.end(), moves_freely))
    return "bodies that hang on no joint have the same unknowns in both formulations";
  const auto turns_freely = [](const recursive::Link& k) { return k.hinge.turns_freely(); };
  if (has_modes(mechanism.tree()) && std::any_of(links.begin(), links.end(), turns_freely))
    return "implicit steps of bodies that turn about all axes are more exact in absolute coordinates where bodies have modes";
  if (has_friction_of_contacts(system))
    return "friction of contacts takes a search for the step that absolute coordinates have";
  return {};
}

// How far the accelerations of both are from each other; `state` has those of absolute coordinates.
double difference_of_accelerations(System& system, const State& state, Mechanism& mechanism) {
  VectorXd q, u;
  State relative = state.clone();
  mechanism.tree().find_coordinates(state, q, u);
  mechanism.compute_state(q, u, relative);
  system.update(state);
  const double scale = std::max(state.a.lpNorm<Eigen::Infinity>(), system.gravity().norm());
  const double differ = (relative.a - state.a).lpNorm<Eigen::Infinity>();
  return differ == 0.0 ? 0.0 : differ / scale;
}

FormulationChoice absolute(const std::string& reason) { return {Formulation::absolute, reason}; }

// @param size null: `recursive` whatever it takes
FormulationChoice choose(System& system, const State& state, const DynamicsOptions& o,
                         const system::Redundancy& redundancy, const solvers::FactorSize* size) {
  if (const std::string reason = reason_in_options(o); !reason.empty()) return absolute(reason);
  if (system::has_set_valued_contacts(system))
    return absolute("set-valued contacts, stops and clutches are solved in absolute coordinates");
  system.update(state);
  try {
    Mechanism mechanism(system, Mechanism::Warnings::leave);
    if (has_relative_coordinates_alone(o.integrator))
      return {Formulation::recursive, "the integrator has no form in absolute coordinates"};
    // What moves now would be another choice than that of the start.
    if (!size) return {Formulation::recursive, "the run that this one continues was `recursive`"};
    if (mechanism.tree().n_hinged() < mechanism.tree().links().size())
      return absolute(
          "nodes of beams have the same unknowns in both formulations, and joints with them more work in relative coordinates");
    if (is_implicit(o.integrator))
      if (const std::string reason = reason_in_implicit_steps(system, redundancy, mechanism);
          !reason.empty())
        return absolute(reason);
    const bool is_stiff =
        is_implicit(o.integrator) && has_stiff_couplings(mechanism, state.t, o.step);
    const StepWork work = predict_step_work(
        mechanism, o.integrator, {*size, !redundancy.rows.empty(), is_stiff, state.t, o.step});
    const double ratio = work.absolute / work.recursive;
    const bool is_driven = is_implicit(o.integrator) && !mechanism.tree().driven_links().empty();
    const double needed = is_driven ? kClearlyFasterIfDriven : kClearlyFaster;
    if (!(ratio >= needed))
      return absolute(fmt::format(
          "by counts of operations, steps in relative coordinates take {:.3g} times as long{}; at most {:.3g} times{} would be clearly less",
          1.0 / ratio,
          is_stiff
              ? ", as forces between distant bodies are too stiff for a matrix to stand longer than a step"
              : "",
          1.0 / needed, is_driven ? ", with drives," : ""));
    const double differ = difference_of_accelerations(system, state, mechanism);
    if (!(differ <= kSame))
      return absolute(fmt::format(
          "accelerations at the start differ by {:.1e} from those of relative coordinates",
          differ));
    if (mechanism.closures().has_dependent_rows() == redundancy.rows.empty())
      return absolute("constraints depend on others in one of the formulations only");
    if (!mechanism.closures().warning().empty())
      return absolute("a loop is near a singular position, where it cannot be closed well");
    return {Formulation::recursive,
            fmt::format(
                "by counts of operations, steps in absolute coordinates take {:.2g} times as long",
                ratio)};
  } catch (const recursive::NotRelative& e) {
    return absolute(e.reason());
  } catch (const base::ComputationError& e) {
    const std::string text = e.what();
    return absolute(text.substr(0, text.find('\n')));
  }
}

// Of an automatic choice that cuts nothing.
FormulationChoice heeding_cuts(const System& system, FormulationChoice choice) {
  if (choice.formulation != Formulation::absolute) return choice;
  std::string names;
  for (const bodies::ConstraintIndex c : system.constraints())
    if (const joints::Joint* joint = system.constraint(c).as_joint(); joint && joint->is_cut())
      names += (names.empty() ? "" : ", ") + joint->name();
  if (!names.empty())
    base::log_warning("{}: `cut` has no effect in absolute coordinates, which were chosen: {}",
                      names, choice.reason);
  return choice;
}

FormulationChoice or_refuse(const DynamicsOptions& o, FormulationChoice choice) {
  if (choice.formulation == Formulation::absolute && has_relative_coordinates_alone(o.integrator))
    throw base::InputError(
        "`semi_implicit_euler` takes steps in relative coordinates alone, and this model has none: " +
            choice.reason,
        "choose another integrator");
  return choice;
}

}  // namespace

FormulationChoice choose_formulation(System& system, const State& start, const DynamicsOptions& o,
                                     const system::Redundancy& redundancy,
                                     const solvers::FactorSize& size) {
  if (o.formulation != Formulation::automatic) return {o.formulation, "the model asks for it"};
  return heeding_cuts(system, or_refuse(o, choose(system, start, o, redundancy, &size)));
}

FormulationChoice keep_formulation(System& system, const State& state, const DynamicsOptions& o,
                                   const system::Redundancy& redundancy, Formulation before) {
  if (o.formulation != Formulation::automatic) return {o.formulation, "the model asks for it"};
  if (before == Formulation::absolute && !has_relative_coordinates_alone(o.integrator))
    return heeding_cuts(system, absolute("the run that this one continues was `absolute`"));
  return heeding_cuts(system, or_refuse(o, choose(system, state, o, redundancy, nullptr)));
}

}  // namespace solidyn::analyses
