#pragma once
#include <optional>
#include <string>
#include <vector>

#include "simulation/linear_warnings.h"
#include "simulation/mode_pictures.h"
#include "simulation/place_inertias.h"
#include "solidyn/analyses/linear_io.h"
#include "solidyn/model/build.h"
#include "solidyn/results/matrix_files.h"
#include "solidyn/results/output_folder.h"
#include "solidyn/simulation/run.h"

namespace solidyn::simulation {

/// The linear analyses of a model: done at states that others reach, written at the end.
class LinearRuns {
 public:
  LinearRuns(MPI_Comm comm, const model::ModelDescription& description, model::BuiltModel& built);

  bool is_any_wanted() const;
  /// True for linear analyses that have not been done and wait for no time of the dynamics.
  bool is_due(std::size_t analysis) const;
  /// Does analysis number `analysis` of the model at this state. Leaves the kinematics there.
  void run(std::size_t analysis, const system::State& state);
  /// Collective. Does all that are due, or those of them before number `end` of the analyses, and
  /// writes each as it is done: to be called at the end of dynamics and statics.
  void run_rest(const system::State& state, const results::OutputFolder& folder,
                std::optional<std::size_t> end = std::nullopt);
  /// Whether run_those_due() would do any at t, s.
  bool is_any_due(double t) const;
  /// Does those whose next time has come, and says whether there was one: to be called after each
  /// step of the dynamics.
  bool run_those_due(const system::State& state);
  /// @throws base::InputError where times lie before the state that a run continues from, or an
  /// analysis is to be done between statics and the dynamics that begins from there
  void refuse_restart() const;

  /// Collective. Writes what has been found; rank 0 does it. Leaves the kinematics at `state`.
  void write(const results::OutputFolder& folder, const system::State& state) const;
  /// What `reflected_inertia` has found, in order of time.
  const PlaceInertias& reflected_inertia() const { return reflected_inertia_; }
  /// Frequency (Hz) and damping ratio of each mode that is not rigid or neutral, of the last state:
  /// mode_1.frequency ... And what places feel, see numbers_of(const PlaceInertias&).
  std::vector<NamedNumber> numbers() const;

 private:
  const model::LinearDescription* find(std::size_t analysis) const;
  void look(std::size_t analysis, const system::State& state);
  // What each kind does; others have nothing to do with it.
  void look(const model::MechanismModesDescription& analysis, const system::State& state);
  void look(const model::StateSpaceDescription& analysis, const system::State& state);
  void look(const model::FrequencyResponseDescription& analysis, const system::State& state);
  void look_at_places(std::size_t analysis, const model::ReflectedInertiaDescription& places,
                      const system::State& state);
  template <class Other>
  void look(const Other&, const system::State&) {}
  void find_modes(const model::MechanismModesDescription& analysis, const system::State& state);
  void report(const model::MechanismModesDescription& analysis, const system::State& state,
              const system::Linearisation& linear, const std::vector<analyses::Mode>& modes);
  void find_modes_at_speeds(const model::MechanismModesDescription& analysis,
                            const system::State& state);
  void find_carriage(const model::LinearDescription& analysis);
  // Of small motions without a carriage: `body`, or `world` where the motion is steady in those
  // only. At rest all are the same, and it keeps the linearisation that told so.
  void choose_axes(const char* name, const model::LinearDescription& analysis,
                   const system::State& state);
  // In the unknowns of the model's formulation.
  system::Linearisation linearise(const system::State& state);
  // The same, or what choose_axes() has kept of this state.
  system::Linearisation take_linearisation(const system::State& state);
  double unsteadiness(const system::State& state, const system::Linearisation& linear,
                      const analyses::MinimalCoordinates& m,
                      const std::vector<analyses::Mode>& modes);
  // Those whose directions are not carried along with the vehicle: "`push.force_x`, ..".
  std::string inputs_left_behind(const model::TransferDescription& analysis,
                                 const system::State& state, const system::Linearisation& linear,
                                 const analyses::LinearInputs& inputs);
  void warn_of_change(const char* name, const model::LinearDescription& analysis,
                      const system::State& state, const system::Linearisation& linear,
                      const analyses::MinimalCoordinates& m);

  MPI_Comm comm_;
  const model::ModelDescription& description_;
  model::BuiltModel& built_;
  std::vector<bool> is_done_;           // of each analysis of the description
  std::vector<std::size_t> next_time_;  // of each
  std::string modes_, responses_;       // rows of the files
  std::vector<NamedNumber> mode_numbers_;
  PlaceInertias reflected_inertia_;
  std::vector<results::MatrixFiles> matrices_;
  std::size_t n_mode_rows_ = 0;  // of modes_
  ModePictures pictures_;
  std::vector<bool> is_warned_;
  std::optional<system::Carriage> carriage_;  // of the analysis that is done
  TrackAxes track_axes_ = TrackAxes::no_vehicle;
  system::IncrementAxes axes_ = system::IncrementAxes::body;  // the same
  std::optional<system::Linearisation> linearised_;           // the same
};

}  // namespace solidyn::simulation
