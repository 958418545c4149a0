#pragma once
#include <Eigen/Dense>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "solidyn/analyses/dynamics_options.h"
#include "solidyn/analyses/statics_options.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/support.h"
#include "solidyn/integrators/contact_event.h"
#include "solidyn/materials/material.h"
#include "solidyn/model/contact_description.h"
#include "solidyn/model/joint_freedom.h"
#include "solidyn/model/place_description.h"
#include "solidyn/system/twist_axes.h"

/// The contents of a model file, as plain values: names, numbers in SI and radians, enums.
/// Everything was checked by load_model (model/load.h): names resolve, numbers are in range, files
/// exist. What the builder can find wrong only later (no node near a point ...) it reports at the
/// `where` kept here.
namespace solidyn::model {

class BodyEntry;          // model/bodies/body_entry.h
class ForceEntry;         // model/forces/force_entry.h
class JointEntry;         // model/joints/joint_entry.h
class LoadEntry;          // model/loads/load_entry.h
class SensorEntry;        // model/sensors/sensor_entry.h
struct TrackDescription;  // model/track/rail_track.h

/// Shared by copies of a description: entries do not change once they are read.
using SensorEntries = std::vector<std::shared_ptr<const SensorEntry>>;

/// What solids and beams are made of, as their elements take it.
struct MaterialDescription {
  std::string name;
  materials::Material solid;  ///< axes: in mesh axes
  bool has_axes = false;      ///< the file gives axes; else those of the regions of a deck stay
  base::SourceLocation where;
};

/// Nodes of a body whose displacements are prescribed, along axes that stand still.
struct SupportDescription : bodies::Support {
  std::string body;
  base::SourceLocation where;
};

/// Ends the analysis when a column of the history rises above a value, or falls below it; or when
/// something happens to what is set-valued.
struct StopCondition {
  std::string column;  ///< "height", or "bob.x" of a sensor with several components
  bool is_above = true;
  double value = 0.0;  ///< SI, as the history has it
  struct Event {
    integrators::ContactEvent::Kind kind = integrators::ContactEvent::Kind::impact;
    std::string contact;  ///< as events.csv has it; empty: any
    int count = 1;        ///< how often it has happened then
  };
  std::optional<Event> event;  ///< in place of a column
  base::SourceLocation where;
};

struct DynamicsDescription {
  analyses::DynamicsOptions options;       ///< but for the preset, see dynamics_options()
  base::SourceLocation elastic_start_at;   ///< where `start.elastic` is given; else no line
  base::SourceLocation assemble_at;        ///< likewise `start.assemble`
  base::SourceLocation contact_solver_at;  ///< the same of `contact_solver`; else the analysis
  std::vector<StopCondition> stop_when;
  base::SourceLocation where;
};

/// Equilibrium under loads, supports and drives.
struct StaticsDescription {
  analyses::StaticsOptions options;  ///< but for the preset, see statics_options()
  /// `time` is given. Else it is the load parameter, but the start where dynamics follows and
  /// something varies with time.
  bool has_time = false;
  bool has_path_keys = false;  ///< keys are given that only a path of equilibria needs
  base::SourceLocation where;
};

/// Natural modes of one flexible body.
struct ModesDescription {
  std::string body;
  int count = 0;
  base::SourceLocation where;
};

/// A component of a load that disturbs a linearised mechanism.
struct LoadInputDescription {
  std::string load;
  std::string beam;   ///< of a load along a beam; else empty
  int component = 0;  ///< 0..2 force, 3..5 torque, in the load's axes
};
/// A row of a drive that does.
struct DriveInputDescription {
  std::string joint;
  int row = 0;
};
struct LinearInputDescription {
  std::string name;  ///< as the file gives it
  std::variant<LoadInputDescription, DriveInputDescription> source;
};

/// In what axes small motions are written; `automatic`: those of the track for a vehicle that runs
/// on one, else each body's own.
enum class LinearAxes : unsigned char { automatic, world, body, track };

/// What the analyses of small motions of the mechanism about a state have in common.
struct LinearDescription {
  std::vector<double> times;  ///< s, of the dynamics; empty: at the state that there is
  LinearAxes axes = LinearAxes::automatic;
  base::SourceLocation where;
};

/// Natural modes of the mechanism.
struct MechanismModesDescription : LinearDescription {
  int count = 0;
  int pictures = 0;                     ///< of each mode in its period
  std::string about;                    ///< joint about whose axis all turns; empty: none
  std::optional<Eigen::Vector3d> axis;  ///< unit, world; empty: that of the joint
  std::vector<double> speeds;           ///< rad/s; with `about`
};

/// What takes inputs to outputs.
struct TransferDescription : LinearDescription {
  std::vector<LinearInputDescription> inputs;
  std::vector<std::string> outputs;  ///< sensors; empty: all
};

/// Matrices of the linearised equations.
struct StateSpaceDescription : TransferDescription {};

struct FrequencyResponseDescription : TransferDescription {
  std::vector<double> frequencies;  ///< Hz
};

/// The inertia that forces feel at places.
struct ReflectedInertiaDescription : LinearDescription {
  std::vector<PlaceDescription> places;
  system::TwistAxes along = system::TwistAxes::world;
};

using AnalysisDescription = std::variant<DynamicsDescription, StaticsDescription, ModesDescription,
                                         MechanismModesDescription, StateSpaceDescription,
                                         FrequencyResponseDescription, ReflectedInertiaDescription>;

/// Of an analysis of small motions of the mechanism; null for others.
const LinearDescription* find_linear(const AnalysisDescription& analysis);

struct SolverDescription {
  solvers::Preset preset = solvers::Preset::automatic;
  solvers::Nonlinear nonlinear = solvers::Nonlinear::newton;
  std::string petsc_options;  ///< "-ksp_type cg ..."
};

struct OutputDescription {
  int history_every = 1;  ///< steps between rows of history.csv; 0 when history_interval is used
  double history_interval = 0.0;  ///< s; 0: every `history_every` steps
  double fields_interval = 0.0;   ///< s; 0: no fields
  /// Between pictures in motion.h5, s; 0: none. Empty: a 500th of the duration.
  std::optional<double> motion_interval;
  bool report = false;                ///< report.html at the end
  double checkpoint_interval = 60.0;  ///< wall-clock seconds; 0: not by time
  int checkpoint_every = 0;           ///< steps; 0: not by steps
  double statistics_from = 0.0;       ///< s; the statistics of columns in sweep.csv start here
};

struct ModelDescription {
  std::string title;
  std::string source;                                 ///< the file as the user named it
  std::string text;                                   ///< its contents
  std::vector<std::string> overrides;                 ///< values given beside it: "path=value"
  std::filesystem::path directory;                    ///< where relative paths start
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  ///< m/s^2, world
  analyses::Formulation formulation = analyses::Formulation::automatic;
  base::SourceLocation formulation_at;  ///< no line where the key is not given
  std::map<std::string, MaterialDescription> materials;
  /// File order, as are the lists below. Entries do not change once they are read, so that copies
  /// of the description share them.
  std::vector<std::shared_ptr<const BodyEntry>> bodies;
  std::vector<std::shared_ptr<const JointEntry>> joints;
  std::vector<std::shared_ptr<const LoadEntry>> loads;
  std::vector<ContactDescription> contacts;
  std::shared_ptr<const TrackDescription> track;  ///< null: none
  std::vector<std::shared_ptr<const ForceEntry>> forces;
  std::vector<SupportDescription> supports;
  SensorEntries sensors;
  std::vector<AnalysisDescription> analyses;
  SolverDescription solver;
  OutputDescription output;
  /// Every value of the file, overrides included, as text by path: "bodies.crank.mass" -> "0.12".
  /// Numbers are written alike; a list of numbers or words is one value.
  std::map<std::string, std::string> entries;
  /// The same without values that are defaults.
  std::map<std::string, std::string> entries_beside_defaults;
  /// Files of time functions by the path of their key: "joints.drive.angle.file".
  std::map<std::string, std::filesystem::path> data_files;
  std::vector<base::Diagnostic> warnings;  ///< suspicious, not wrong; the loader does not log them

  /// Null when there is none of that name.
  const BodyEntry* find_body(const std::string& name) const;
  const JointEntry* find_joint(const std::string& name) const;
  const SensorEntry* find_sensor(const std::string& name) const;
  std::vector<std::string> sensor_names() const;
};

/// The word that the model file uses for a value.
const char* name(analyses::IntegratorKind integrator);
/// "dynamics", "kinematics" or "inverse_dynamics".
const char* name(const analyses::DynamicsOptions& motion);
/// "dynamics", "frequency_response" ...; kinematics are dynamics too.
const char* name(const AnalysisDescription& analysis);

}  // namespace solidyn::model
