#include "simulation/linear_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "solidyn/analyses/steady_running.h"
#include "solidyn/base/log.h"
#include "solidyn/system/closed_contacts.h"

namespace solidyn::simulation {
namespace {

constexpr double kSteady = 1e-3;
// Eigenvalues with a larger relative error are not to be relied on.
constexpr double kUncertain = 1e-4;

// "wheels_1, wheels_2": the wheelsets of which it holds.
std::string names_of(const forces::Wheelsets& wheelsets, const system::System& system,
                     bool forces::LinearisationLimits::*limit) {
  std::vector<double> places;
  for (const forces::RunsOnTrack* wheelset : wheelsets)
    places.push_back(wheelset->running_motion(system.kinematics(), 1.0).s);
  std::string names;
  for (const forces::RunsOnTrack* wheelset : wheelsets)
    if (wheelset->linearisation_limits(system.kinematics(), places).*limit)
      names += (names.empty() ? "" : ", ") + wheelset->force().name();
  return names;
}

}  // namespace

bool is_steady(double change) { return change <= kSteady; }

void warn_of_unsteadiness(const char* name, const model::LinearDescription& analysis, double change,
                          TrackAxes of_track) {
  if (is_steady(change)) return;
  if (of_track == TrackAxes::in_use)
    return base::log_warning(
        "{}: the vehicle does not run steadily as seen along the track: the coefficients of the linearised equations vary with time; they are frozen at this instant\n  begin with steady running (`running_speed` of the track, and `statics`), without irregularities",
        name);
  const bool is_in_world_axes = analysis.axes == model::LinearAxes::world;
  const auto advice = [&]() -> std::string {
    if (of_track == TrackAxes::not_chosen)
      return "take  axes: track,  in which a vehicle that runs is steady";
    if (of_track == TrackAxes::in_absolute_coordinates_only)
      return "take  formulation: absolute,  whose linear analyses have the axes of the track, in which a vehicle that runs is steady";
    return fmt::format(
        "compute an equilibrium first (`statics`, `about` with `speeds`), or try  axes: {}",
        is_in_world_axes ? "body" : "world");
  };
  base::log_warning(
      "{}: the state is neither an equilibrium nor a steady motion in the axes of `{}`: the coefficients of the linearised equations vary with time; they are frozen at this instant\n  {}",
      name, is_in_world_axes ? "world" : "body", advice());
}

void warn_of_uncertain(const char* name, const std::vector<analyses::Mode>& modes) {
  constexpr int kMostNamed = 5;
  std::string named;
  int count = 0;
  for (const analyses::Mode& mode : modes)
    if (mode.residual > kUncertain && ++count <= kMostNamed)
      named += fmt::format("{}{:.6g} {:+.6g} i (by {:.1e})", count > 1 ? ", " : "", mode.s.real(),
                           mode.s.imag(), mode.residual);
  if (count == 0) return;
  if (count > kMostNamed) named += fmt::format(", and {} more", count - kMostNamed);
  base::log_warning(
      "{}: eigenvalues miss the linearised equations: {} 1/s: these modes are inaccurate\n  look for parts that are much lighter or stiffer than the others, and compare with the state matrix of `linearise`",
      name, named);
}

void tell_of_search(const char* name, const analyses::ModeSearch& search) {
  const auto eigenvalues = [](int n) {
    return fmt::format("{} eigenvalue{}", std::abs(n), std::abs(n) == 1 ? "" : "s");
  };
  if (search.without_zeros) {
    const auto& poor = *search.without_zeros;
    base::log_info(
        "{}: slow and fast motions lie many decades apart: with the eigenvalues of zero taken off first, {}the others missed the linearised equations by up to {:.1e}; these were found with the zeros among them, and do so by up to {:.1e}",
        name,
        poor.n_missing == 0 ? ""
                            : fmt::format("{} {} and ", eigenvalues(poor.n_missing),
                                          poor.n_missing > 0 ? "were missing" : "were too many"),
        poor.missed_by, search.missed_by);
    if (poor.taken_for_zero > 0.0)
      base::log_warning(
          "{}: what is slower than {:.2e} 1/s is taken for zero, and may be a slow motion: slow and fast motions lie too many decades apart to tell\n  look for parts that are much lighter, or springs and dampers that are much stiffer than the others",
          name, poor.taken_for_zero);
  }
  if (search.n_missing == 0) return;
  base::log_warning(
      "{}: {} of the linearised equations {} {}: slow and fast motions lie too many decades apart to tell how many eigenvalues are zero\n  look for parts that are much lighter, or springs and dampers that are much stiffer than the others, and compare with the state matrix of `linearise`",
      name, eigenvalues(search.n_missing), std::abs(search.n_missing) == 1 ? "is" : "are",
      search.n_missing > 0 ? "missing" : "too many");
}

void warn_of_friction(const char* name, const system::System& system) {
  std::string names;
  for (const forces::ForceIndex i : system.forces())
    if (!system.force(i).constraints().empty())
      names += (names.empty() ? "" : ", ") + system.force(i).name();
  if (names.empty()) return;
  base::log_warning(
      "{}: {}: near standstill dry friction is linearised as a damper (normal force times coefficient over `transition_speed`), while a real joint sticks\n  for modes of the mechanism without slip, remove the friction or use a fixed joint",
      name, names);
}

void tell_of_contacts(const char* name, const system::System& system) {
  const system::ClosedContacts contacts = system::find_closed_contacts(system);
  const std::string text = system::describe(contacts);
  if (!text.empty()) base::log_info("{}: set-valued contacts\n  {}", name, text);
  if (contacts.unloaded.empty()) return;
  base::log_warning(
      "{}: `{}`{} is closed but carries no force: it is taken as closed in both directions, while in a motion it may open",
      name, contacts.unloaded.front(),
      contacts.unloaded.size() > 1 ? fmt::format(", and {} more,", contacts.unloaded.size() - 1)
                                   : std::string());
}

void warn_of_wheels_without_slip(const char* name, const forces::Wheelsets& wheelsets,
                                 const system::System& system) {
  const std::string names = names_of(wheelsets, system, &forces::LinearisationLimits::has_no_slope);
  if (names.empty()) return;
  base::log_warning(
      "{}: {}: the wheels hardly slip (creepages below 1e-5), where  creep: polach  has no derivative: linearised are Kalker's coefficients, c11 along and c22 across, while motions in time have Polach's, of the direction in which they slip; damping and critical speed differ\n  choose  creep: fastsim  or  creep: linear  for small motions, or judge by `dynamics`",
      name, names);
}

void warn_of_changing_friction(const char* name, const forces::Wheelsets& wheelsets,
                               const system::System& system) {
  const std::string names =
      names_of(wheelsets, system, &forces::LinearisationLimits::friction_changes);
  if (names.empty()) return;
  base::log_warning(
      "{}: {}: friction (`friction_along`) changes under the vehicle, which does not run steadily there: forces and coefficients are those of this place\n  let it change in front of the vehicle, or give a constant `friction`",
      name, names);
}

void warn_of_changing_forces(const char* name, const forces::Wheelsets& wheelsets,
                             const system::Carriage& carriage, const system::State& state,
                             system::System& system) {
  constexpr std::size_t kMostNamed = 4;
  const auto forces = analyses::find_changing_forces(system, wheelsets, carriage, state);
  if (forces.empty()) return;
  std::string text;
  for (std::size_t i = 0; i < std::min(forces.size(), kMostNamed); ++i)
    text += fmt::format("{} `{}` changes by {:.3g} N and {:.3g} N m", i == 0 ? "" : ", that of",
                        forces[i].name, forces[i].force, forces[i].moment);
  if (forces.size() > kMostNamed) text += fmt::format(", and {} more", forces.size() - kMostNamed);
  base::log_warning(
      "{}: the vehicle does not run steadily: the force of{}, on the next {:.2g} m; motions in time leave this state\n  connect nothing that runs to the ground, hold wheelsets at points of their axles, and give bushings between those that turn (spin: frame) and what does not no moments (stiffness 4 to 6)",
      name, text, forces.front().distance);
}

void warn_of_inputs_left_behind(const char* name, const std::string& inputs) {
  if (inputs.empty()) return;
  base::log_warning(
      "{}: the vehicle turns while the directions of {} do not turn with it (an arc, or a wheelset that turns): the columns of these inputs hold for this instant only\n  give such a load  axes: body  at a body that stands still in the vehicle's axes",
      name, inputs);
}

void warn_of_unbounded(const std::vector<double>& frequencies) {
  if (frequencies.empty()) return;
  base::log_warning(
      "frequency_response: the response at {:g} Hz{} is unbounded: this is the frequency of an undamped mode (0 for a rigid-body mode); amplitudes are inf\n  remove that frequency, or add damping",
      frequencies.front(),
      frequencies.size() > 1 ? fmt::format(" and {} others", frequencies.size() - 1) : "");
}

void warn_of_turning_inputs(const char* name, double turns) {
  if (turns <= kSteady) return;
  base::log_warning(
      "{}: the bodies moved by the drives among the inputs rotate while the mechanism moves: the columns of these inputs hold for this instant only\n  for the response to slow inputs run `dynamics` or `kinematics`",
      name);
}

}  // namespace solidyn::simulation
