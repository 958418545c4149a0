#include "simulation/linear_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "simulation/linear_warnings.h"
#include "simulation/mode_tables.h"
#include "solidyn/analyses/driven_motions.h"
#include "solidyn/analyses/frequency_response.h"
#include "solidyn/analyses/modes.h"
#include "solidyn/analyses/state_space.h"
#include "solidyn/analyses/steady_rotation.h"
#include "solidyn/analyses/steady_running.h"
#include "solidyn/base/atomic_file.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/joints/joint.h"
#include "solidyn/model/running_vehicle.h"
#include "solidyn/recursive/linearise.h"
#include "solidyn/system/warnings.h"

namespace solidyn::simulation {
namespace {

using analyses::MinimalCoordinates;
using model::FrequencyResponseDescription;
using model::LinearDescription;
using model::MechanismModesDescription;
using model::StateSpaceDescription;
using model::TransferDescription;
using system::IncrementAxes;
using system::Linearisation;
using system::State;

// Relative to the time steps of a run: times that are a step's are met.
constexpr double kSameTime = 1e-9;

bool has_come(const LinearDescription& linear, std::size_t next, double t) {
  return next < linear.times.size() && linear.times[next] <= t + kSameTime * std::max(1e-3, t);
}
// Unknowns up to which dense matrices are faster, and see multiple modes without fail: of natural
// vibrations, and of damped ones.
constexpr int kDenseUpTo = 600, kDenseDampedUpTo = 150;
// Where the sparse eigensolver does not converge, dense matrices are taken up to here: of a GB.
constexpr int kDenseAtMost = 3000;
// The analyses in warnings, as the model file calls them.
constexpr const char *kModes = "modes", *kStateSpace = "linearise",
                     *kResponse = "frequency_response";

IncrementAxes axes_of(const LinearDescription& analysis) {
  return analysis.axes == model::LinearAxes::world ? IncrementAxes::world : IncrementAxes::body;
}

std::vector<NamedNumber> numbers_of(const std::vector<ModeRow>& rows) {
  std::vector<NamedNumber> numbers;
  for (const ModeRow& row : rows) {
    if (row.s == 0.0) continue;
    const std::size_t k = numbers.size() / 2 + 1;
    numbers.push_back({fmt::format("mode_{}.frequency", k), "Hz", row.frequency});
    numbers.push_back({fmt::format("mode_{}.damping_ratio", k), "1", row.damping_ratio});
  }
  return numbers;
}

analyses::RotationAxis axis_of(const model::BuiltModel& built,
                               const MechanismModesDescription& analysis) {
  const bodies::ConstraintIndex index = built.joints.at(analysis.about);
  const joints::Joint& constraint = joints::joint_of(built.system.constraint(index));
  const bodies::Kinematics& k = built.system.kinematics();
  const bool is_A = k.frame_definitions[constraint.frame_A()].body == bodies::kGround;
  const bodies::FrameMotion& frame = k.frames[is_A ? constraint.frame_A() : constraint.frame_B()];
  analyses::RotationAxis axis;
  axis.point = frame.p;
  axis.direction = analysis.axis.value_or(frame.R.col(2));
  if (constraint.is_rheonomic()) axis.constraint = index;
  return axis;
}

// None where they are not found by sparse matrices, and dense ones can do it.
std::optional<std::vector<analyses::Mode>> find_sparse_modes(const Linearisation& l, int count) {
  try {
    return analyses::find_sparse_modes(l, count);
  } catch (const base::ComputationError& error) {
    if (l.M.rows() > kDenseAtMost) throw;
    const std::string what = error.what();
    base::log_info("{}: {}; they are found by dense matrices instead", kModes,
                   what.substr(0, what.find('\n')));
    return std::nullopt;
  }
}

const bodies::BeamBody& beam_named(const model::BuiltModel& built, const std::string& name) {
  for (const model::BuiltBody& body : built.bodies)
    if (body.name == name && body.beam) return *body.beam;
  throw std::logic_error("internal error: unknown body after the checks of the model");
}

analyses::LinearInputs inputs_of(const TransferDescription& analysis, model::BuiltModel& built,
                                 const State& state, const Linearisation& l) {
  analyses::LinearInputs inputs;
  for (const model::LinearInputDescription& input : analysis.inputs) {
    if (const auto* drive = std::get_if<model::DriveInputDescription>(&input.source)) {
      analyses::add_drive_input(built.system, state, l, input.name, built.joints.at(drive->joint),
                                drive->row, inputs);
      continue;
    }
    const auto& load = std::get<model::LoadInputDescription>(input.source);
    if (load.beam.empty())
      analyses::add_load_input(built.system, l, input.name, built.loads.at(load.load),
                               load.component, inputs);
    else
      analyses::add_line_load_input(built.system, l, input.name, beam_named(built, load.beam),
                                    load.load, load.component, inputs);
  }
  return inputs;
}

std::vector<const analyses::Sensor*> outputs_of(const TransferDescription& analysis,
                                                const model::ModelDescription& description,
                                                const model::BuiltModel& built) {
  const std::vector<std::string> names = description.sensor_names();
  std::vector<const analyses::Sensor*> sensors;
  for (std::size_t i = 0; i < built.sensors.size(); ++i) {
    const std::vector<std::string>& wanted = analysis.outputs;
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), names[i]) != wanted.end())
      sensors.push_back(&built.sensors[i]);
  }
  return sensors;
}

}  // namespace

LinearRuns::LinearRuns(MPI_Comm comm, const model::ModelDescription& description,
                       model::BuiltModel& built)
    : comm_(comm),
      description_(description),
      built_(built),
      is_done_(description.analyses.size(), false),
      next_time_(description.analyses.size(), 0),
      pictures_(comm, description, built) {}

std::vector<NamedNumber> LinearRuns::numbers() const {
  std::vector<NamedNumber> all = mode_numbers_;
  const std::vector<NamedNumber> of_places = numbers_of(reflected_inertia_);
  all.insert(all.end(), of_places.begin(), of_places.end());
  return all;
}

const LinearDescription* LinearRuns::find(std::size_t analysis) const {
  return model::find_linear(description_.analyses[analysis]);
}

bool LinearRuns::is_any_wanted() const {
  return std::any_of(description_.analyses.begin(), description_.analyses.end(),
                     [](const auto& analysis) { return model::find_linear(analysis) != nullptr; });
}

bool LinearRuns::is_due(std::size_t analysis) const {
  const LinearDescription* linear = find(analysis);
  return linear && linear->times.empty() && !is_done_[analysis];
}

void LinearRuns::run(std::size_t analysis, const State& state) {
  is_done_[analysis] = true;
  look(analysis, state);
}

void LinearRuns::run_rest(const State& state, const results::OutputFolder& folder,
                          std::optional<std::size_t> end) {
  for (std::size_t i = 0; i < end.value_or(is_done_.size()); ++i) {
    if (!is_due(i)) continue;
    run(i, state);
    write(folder, state);
  }
  write(folder, state);  // what was found before
}

void LinearRuns::look(std::size_t analysis, const State& state) {
  const model::AnalysisDescription& description = description_.analyses[analysis];
  const char* name = model::name(description);
  if (const auto* places = std::get_if<model::ReflectedInertiaDescription>(&description))
    return look_at_places(analysis, *places, state);
  warn_of_friction(name, built_.system);
  built_.system.update(state);
  system::log_warnings(built_.system, name, is_warned_);
  tell_of_contacts(name, built_.system);
  const forces::Wheelsets wheelsets = model::running_vehicle(description_, built_.system).wheelsets;
  warn_of_wheels_without_slip(name, wheelsets, built_.system);
  warn_of_changing_friction(name, wheelsets, built_.system);
  find_carriage(*find(analysis));
  choose_axes(name, *find(analysis), state);
  if (carriage_) warn_of_changing_forces(name, wheelsets, *carriage_, state, built_.system);
  std::visit([&](const auto& kind) { look(kind, state); }, description);
}

void LinearRuns::look_at_places(std::size_t analysis,
                                const model::ReflectedInertiaDescription& places,
                                const State& state) {
  const char* name = model::name(description_.analyses[analysis]);
  built_.system.update(state);
  warn_of_what_is_left_out(name, built_.system);
  const PlaceInertias found = find_place_inertias(description_, built_, analysis, places, state);
  base::log_info("inertia at places at t = {:.6g} s, along axes of the {}:\n{}", state.t,
                 found.front().axes, inertia_table(found));
  reflected_inertia_.insert(reflected_inertia_.end(), found.begin(), found.end());
}

void LinearRuns::look(const MechanismModesDescription& analysis, const State& state) {
  return analysis.about.empty() ? find_modes(analysis, state)
                                : find_modes_at_speeds(analysis, state);
}

bool LinearRuns::is_any_due(double t) const {
  for (std::size_t i = 0; i < next_time_.size(); ++i)
    if (const LinearDescription* linear = find(i); linear && has_come(*linear, next_time_[i], t))
      return true;
  return false;
}

bool LinearRuns::run_those_due(const State& state) {
  bool is_any = false;
  for (std::size_t i = 0; i < next_time_.size(); ++i) {
    const LinearDescription* linear = find(i);
    if (!linear) continue;
    std::size_t& next = next_time_[i];
    const std::size_t before = next;
    while (has_come(*linear, next, state.t)) ++next;
    if (next == before) continue;
    look(i, state);
    is_any = true;
  }
  return is_any;
}

void LinearRuns::refuse_restart() const {
  bool is_after_statics = false;
  for (std::size_t i = 0; i < is_done_.size(); ++i) {
    if (std::holds_alternative<model::DynamicsDescription>(description_.analyses[i])) {
      is_after_statics = false;
      continue;
    }
    const LinearDescription* linear = find(i);
    if (linear && !linear->times.empty())
      throw base::InputError(
          "a run with linear analyses at `times` cannot be restarted from a checkpoint",
          "run it again without --restart, or remove `times`", linear->where);
    if (linear && is_after_statics)
      throw base::InputError(
          "a run with a linear analysis between statics and dynamics cannot be restarted from a checkpoint, which does not contain the static equilibrium",
          "run it again without --restart, or put that analysis after dynamics, or into a separate file",
          linear->where);
    is_after_statics |= std::holds_alternative<model::StaticsDescription>(description_.analyses[i]);
  }
}

void LinearRuns::find_modes(const MechanismModesDescription& analysis, const State& state) {
  const Linearisation l = take_linearisation(state);
  const bool is_damped = l.D.nonZeros() > 0 && l.D.coeffs().cwiseAbs().maxCoeff() > 0.0;
  if (l.is_at_rest() && l.M.rows() > (is_damped ? kDenseDampedUpTo : kDenseUpTo))
    if (const auto modes = find_sparse_modes(l, analysis.count))
      return report(analysis, state, l, *modes);
  const MinimalCoordinates m = analyses::make_minimal_coordinates(l);
  analyses::ModeSearch search;
  const std::vector<analyses::Mode> modes = analyses::find_modes(l, m, analysis.count, &search);
  tell_of_search(kModes, search);
  warn_of_unsteadiness(kModes, analysis, unsteadiness(state, l, m, modes), track_axes_);
  report(analysis, state, l, modes);
}

void LinearRuns::report(const MechanismModesDescription& analysis, const State& state,
                        const Linearisation& l, const std::vector<analyses::Mode>& modes) {
  warn_of_uncertain(kModes, modes);
  const std::vector<ModeRow> rows = mode_rows(built_.system, l, modes);
  base::log_info("modes of the mechanism at t = {:.6g} s:\n{}", state.t, mode_table(rows));
  modes_ += mode_lines(state.t, 0.0, rows);
  mode_numbers_ = numbers_of(rows);
  pictures_.add(state, l, modes, n_mode_rows_, analysis.pictures);
  n_mode_rows_ += rows.size();
}

void LinearRuns::find_modes_at_speeds(const MechanismModesDescription& analysis,
                                      const State& state) {
  carriage_.reset();
  linearised_.reset();
  axes_ = axes_of(analysis);
  const analyses::RotationAxis axis = axis_of(built_, analysis);
  State steady = state.clone();
  ModeTracker tracker;
  for (const double speed : analysis.speeds) {
    steady = analyses::steady_rotation(built_.system, steady, axis, speed);
    system::log_warnings(built_.system, fmt::format("{:.6g} rad/s", speed), is_warned_);
    const Linearisation l = linearise(steady);
    const MinimalCoordinates m = analyses::make_minimal_coordinates(l);
    analyses::ModeSearch search;
    const std::vector<analyses::Mode> modes = analyses::find_modes(l, m, analysis.count, &search);
    tell_of_search(kModes, search);
    warn_of_unsteadiness(kModes, analysis, unsteadiness(steady, l, m, modes),
                         TrackAxes::no_vehicle);
    warn_of_uncertain(kModes, modes);
    std::vector<ModeRow> rows = mode_rows(built_.system, l, modes);
    tracker.name_branches(l, modes, rows);
    base::log_info("modes of the mechanism turning with {:.6g} rad/s about {}:\n{}", speed,
                   analysis.about, mode_table(rows));
    modes_ += mode_lines(steady.t, speed, rows);
    mode_numbers_ = numbers_of(rows);
    pictures_.add(steady, l, modes, n_mode_rows_, analysis.pictures);
    n_mode_rows_ += rows.size();
  }
}

void LinearRuns::warn_of_change(const char* name, const LinearDescription& analysis,
                                const State& state, const Linearisation& l,
                                const MinimalCoordinates& m) {
  if (l.is_at_rest()) return;
  warn_of_unsteadiness(name, analysis,
                       unsteadiness(state, l, m, analyses::find_modes(l, m, m.n_y())), track_axes_);
}

// At the state of the kinematics. On a straight, axes of the world are those of the track.
void LinearRuns::find_carriage(const LinearDescription& analysis) {
  using model::LinearAxes;
  carriage_ = analyses::find_carriage(
      built_.system, model::running_vehicle(description_, built_.system).wheelsets);
  const bool is_absolute = description_.formulation != analyses::Formulation::recursive;
  const bool is_chosen =
      analysis.axes == LinearAxes::automatic || analysis.axes == LinearAxes::track ||
      (analysis.axes == LinearAxes::world && carriage_ && carriage_->w_W.isZero(0.0));
  track_axes_ = !carriage_     ? TrackAxes::no_vehicle
                : !is_absolute ? TrackAxes::in_absolute_coordinates_only
                : is_chosen    ? TrackAxes::in_use
                               : TrackAxes::not_chosen;
  if (track_axes_ != TrackAxes::in_use) carriage_.reset();
  if (!carriage_ && analysis.axes == LinearAxes::track)
    throw base::InputError(
        "axes: track  is for vehicles whose wheelsets run on the same straight, arc or slope, in absolute coordinates, and this is none",
        "leave `axes` out, and give the vehicle a `running_speed` and `statics`", analysis.where);
}

void LinearRuns::choose_axes(const char* name, const LinearDescription& analysis,
                             const State& state) {
  linearised_.reset();
  axes_ = axes_of(analysis);
  if (carriage_ || analysis.axes != model::LinearAxes::automatic || state.v.isZero(0.0) ||
      description_.formulation == analyses::Formulation::recursive)
    return;
  const auto change_in = [&](IncrementAxes axes) {
    axes_ = axes;
    Linearisation l = linearise(state);
    if (l.is_at_rest()) {  // nothing turns; minimal coordinates are dense, of however many unknowns
      linearised_ = std::move(l);
      return 0.0;
    }
    const MinimalCoordinates m = analyses::make_minimal_coordinates(l);
    return unsteadiness(state, l, m, analyses::find_modes(l, m, m.n_y()));
  };
  if (is_steady(change_in(IncrementAxes::body))) return;
  if (is_steady(change_in(IncrementAxes::world)))
    base::log_info(
        "{}: the motion is steady in axes of the world, and not in those of the bodies: small motions are written in the former (axes: world)",
        name);
  else
    axes_ = IncrementAxes::body;
}

Linearisation LinearRuns::take_linearisation(const State& state) {
  if (!linearised_) return linearise(state);
  Linearisation l = std::move(*linearised_);
  linearised_.reset();
  return l;
}

Linearisation LinearRuns::linearise(const State& state) {
  if (carriage_) return system::linearise(built_.system, state, *carriage_);
  if (description_.formulation == analyses::Formulation::recursive) {
    Linearisation l = recursive::linearise(built_.system, state, axes_);
    if (axes_ == IncrementAxes::world && !l.is_at_rest())
      recursive::refuse_turning_hinges(built_.system, state);
    return l;
  }
  return system::linearise(built_.system, state, axes_);
}

double LinearRuns::unsteadiness(const State& state, const Linearisation& l,
                                const MinimalCoordinates& m,
                                const std::vector<analyses::Mode>& modes) {
  if (carriage_)
    return analyses::departure(built_.system,
                               model::running_vehicle(description_, built_.system).wheelsets,
                               *carriage_, state, l);
  const auto again = [&](const State& later) { return linearise(later); };
  return analyses::unsteadiness(built_.system, state, again, l, m, modes);
}

std::string LinearRuns::inputs_left_behind(const TransferDescription& analysis, const State& state,
                                           const Linearisation& l,
                                           const analyses::LinearInputs& inputs) {
  constexpr double kSameDirection = 1e-6;
  if (!carriage_ || inputs.force_names.empty()) return "";
  const analyses::FurtherAlong further(
      built_.system, model::running_vehicle(description_, built_.system).wheelsets, *carriage_,
      state);
  built_.system.update(further.state());
  const Eigen::MatrixXd there = inputs_of(analysis, built_, further.state(), l).on_bodies,
                        carried = further.carried(inputs.on_bodies);
  built_.system.update(state);
  std::string names;
  for (Eigen::Index k = 0; k < there.cols(); ++k)
    if ((there.col(k) - carried.col(k)).norm() > kSameDirection * carried.col(k).norm())
      names += fmt::format("{}`{}`", names.empty() ? "" : ", ",
                           inputs.force_names[static_cast<std::size_t>(k)]);
  return names;
}

void LinearRuns::look(const StateSpaceDescription& analysis, const State& state) {
  const Linearisation l = take_linearisation(state);
  const MinimalCoordinates m = analyses::make_minimal_coordinates(l);
  warn_of_change(kStateSpace, analysis, state, l, m);
  const analyses::LinearInputs inputs = inputs_of(analysis, built_, state, l);
  warn_of_inputs_left_behind(kStateSpace, inputs_left_behind(analysis, state, l, inputs));
  const analyses::DrivenMotions driven = analyses::find_driven_motions(l, m, inputs.motions);
  warn_of_turning_inputs(kStateSpace, driven.turns);
  const analyses::StateSpace s = analyses::make_state_space(
      l, m, driven, inputs,
      analyses::linearise_sensors(built_.system, state, l,
                                  outputs_of(analysis, description_, built_), inputs));
  results::MatrixFiles files;
  files.time = state.t;
  files.dense = {{"A", s.A}, {"B", s.B}, {"C", s.C}, {"D", s.D}, {"N", m.N}};
  files.sparse = {{"mass", l.M}, {"damping", l.D}, {"stiffness", l.K}, {"constraints", l.G}};
  files.names = {{"states", s.states}, {"inputs", s.inputs}, {"outputs", s.outputs}};
  matrices_.push_back(std::move(files));
  base::log_info("state space at t = {:.6g} s: {} states, {} inputs, {} outputs", state.t,
                 s.states.size(), s.inputs.size(), s.outputs.size());
}

void LinearRuns::look(const FrequencyResponseDescription& analysis, const State& state) {
  const Linearisation l = take_linearisation(state);
  const analyses::LinearInputs inputs = inputs_of(analysis, built_, state, l);
  warn_of_inputs_left_behind(kResponse, inputs_left_behind(analysis, state, l, inputs));
  if (!l.is_at_rest()) {
    const MinimalCoordinates m = analyses::make_minimal_coordinates(l);
    warn_of_change(kResponse, analysis, state, l, m);
    warn_of_turning_inputs(kResponse, analyses::find_driven_motions(l, m, inputs.motions).turns);
  }
  const analyses::LinearOutputs outputs = analyses::linearise_sensors(
      built_.system, state, l, outputs_of(analysis, description_, built_), inputs);
  const std::vector<std::string> names = inputs.names();
  std::vector<double> unbounded;
  for (const double f : analysis.frequencies) {
    const Eigen::MatrixXcd response = analyses::frequency_response(l, inputs, outputs, f);
    if (!response.allFinite()) unbounded.push_back(f);
    responses_ += response_lines(state.t, f, names, outputs.columns, response);
  }
  warn_of_unbounded(unbounded);
  base::log_info("frequency response at t = {:.6g} s: {} frequencies, {} inputs, {} outputs",
                 state.t, analysis.frequencies.size(), names.size(), outputs.columns.size());
}

void LinearRuns::write(const results::OutputFolder& folder, const State& state) const {
  base::run_together(comm_, [&] {
    if (base::rank(comm_) != 0) return;
    if (!modes_.empty()) base::write_atomically(folder.modes(), mode_header() + modes_);
    if (!responses_.empty())
      base::write_atomically(folder.frequency_response(), response_header() + responses_);
    if (!matrices_.empty())
      results::write_matrices(folder.state_space(), folder.state_space_h5(), matrices_);
  });
  pictures_.write(folder);
  built_.system.update(state);
}

}  // namespace solidyn::simulation
