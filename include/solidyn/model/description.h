#pragma once
#include <Eigen/Dense>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "solidyn/analyses/dynamics_options.h"
#include "solidyn/analyses/statics_options.h"
#include "solidyn/base/error.h"
#include "solidyn/fem/hex8_stiffness.h"
#include "solidyn/fem/mass_kind.h"
#include "solidyn/imported/units.h"
#include "solidyn/math/time_function.h"
#include "solidyn/mesh/interface.h"
#include "solidyn/model/beam_description.h"
#include "solidyn/model/contact_description.h"
#include "solidyn/model/force_description.h"
#include "solidyn/model/joint_description.h"
#include "solidyn/model/place_description.h"
#include "solidyn/model/sensor_description.h"
#include "solidyn/reduction/basis_choice.h"
#include "solidyn/reduction/load_pattern.h"

/// What a model file says, as plain values: names, numbers in SI and radians, enums. Everything was
/// checked by load_model (model/load.h): names resolve, numbers are in range, files exist. What the
/// builder can find wrong only later (no node near a point ...) it reports at the `where` kept
/// here.
namespace solidyn::model {

/// Body or mesh axes B in the world at t = 0, or a frame F in body axes.
struct PoseDescription {
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  ///< m
};

struct MaterialDescription {
  std::string name;
  double youngs_modulus = 0.0;  ///< Pa
  double poissons_ratio = 0.0;
  double density = 0.0;  ///< kg/m^3
  base::SourceLocation where;
};

/// Proportional damping D = mass * M + stiffness * K, and, on modal coordinates, a ratio per mode.
struct DampingDescription {
  double rayleigh_mass = 0.0;       ///< 1/s
  double rayleigh_stiffness = 0.0;  ///< s
  double modal_ratio = 0.0;         ///< fraction of critical damping, elastic modes
  double modal_ratio_from = 0.0;    ///< Hz; modes below are not given the ratio
};

enum class ReferenceConditions { mean_axis, principal_axis };
enum class EnforcedBy { orthogonal_modes, multipliers };
enum class MeanAxisLevel { position, velocity };
enum class MaterialLaw { st_venant_kirchhoff, neo_hookean };

/// A frame fixed in a rigid body.
struct FrameDescription {
  std::string name;
  PoseDescription pose;  ///< in body axes
  base::SourceLocation where;
};

struct InterfaceDescription {
  mesh::InterfaceDefinition definition;  ///< mesh axes, m
  base::SourceLocation where;
};

struct PointDescription {
  std::string name;
  Eigen::Vector3d x_B = Eigen::Vector3d::Zero();  ///< mesh axes, m
  base::SourceLocation where;
};

struct StressPlaceDescription {
  std::string name;
  mesh::NodeSelection nodes;  ///< mesh axes, m
  base::SourceLocation where;
};

/// Where the stress of a flexible body is wanted.
struct StressDescription {
  std::vector<StressPlaceDescription> places;  ///< file order
  bool is_in_pictures = false;
};

/// The part of a body that only `type: rigid` has.
struct RigidDescription {
  double mass = 0.0;                                         ///< kg, > 0
  Eigen::Vector3d center_of_mass = Eigen::Vector3d::Zero();  ///< in body axes, m
  Eigen::Matrix3d inertia =
      Eigen::Matrix3d::Zero();  ///< about the centre of mass, body axes, kg m^2
  std::vector<FrameDescription> frames;
};

/// What a modal body's basis has beside free-free modes by number and static correction.
struct ComponentModesDescription {
  double free_free_up_to = 0.0;  ///< Hz; 0: by number
  int fixed_interface = 0;
  double fixed_interface_up_to = 0.0;  ///< Hz; 0: by number
  reduction::ConstraintModesAt constraint_modes = reduction::ConstraintModesAt::none;
  std::vector<reduction::LoadPattern> static_loads;  ///< file order
  double cut_off = 0.0;                              ///< Hz; 0: none
};

/// What another program computed of a body; paths are absolute, empty when not given.
struct ImportDescription {
  bool is_given = false;
  std::filesystem::path modes;                  ///< natural modes, or
  std::filesystem::path stiffness, mass, dofs;  ///< full matrices (mass: also that of modes), or
  std::filesystem::path superelement, nodes;    ///< a superelement's (its map is `dofs`)
  std::filesystem::path masses;                 ///< of nodes, for modes
  std::filesystem::path mesh;                   ///< with the same node numbers
  int subcase = 0;                              ///< of `modes`; 0: the first
  imported::Units units;                        ///< of all these files
};

/// The part of a body that the flexible types have. With `reduced_body` set, mesh and material are
/// not used: modes, interfaces and points come from that file.
struct FlexibleDescription {
  std::filesystem::path mesh;          ///< absolute; empty when reduced_body is given
  std::filesystem::path reduced_body;  ///< absolute; modal only
  ImportDescription imported;          ///< given in place of a mesh; modal, superelement
  double mesh_scale = 1.0;             ///< metres per length unit of the mesh file
  /// What one unit of the mesh file is; by `mesh_units: mm` only the length is known.
  imported::Units mesh_units;
  bool has_unit_system = true;  ///< mass and time of mesh_units are known
  /// Key of ModelDescription::materials; empty: the mesh file of another program says it.
  std::string material;
  /// The mesh file is of another program: rigid elements in it may become interfaces.
  bool brings_interfaces = false;
  /// `type: rigid` with a mesh: the body is `modal`, without modes.
  bool is_rigid = false;
  fem::MassKind mass_matrix = fem::MassKind::lumped;
  fem::Hex8Formulation hex8 = fem::Hex8Formulation::incompatible_modes;
  fem::Hex20Integration hex20 = fem::Hex20Integration::full;
  /// The model file has these keys; else the mesh file of another program says how they are made.
  bool has_hex8 = false, has_hex20 = false;
  ReferenceConditions reference_conditions = ReferenceConditions::mean_axis;
  EnforcedBy enforced_by = EnforcedBy::orthogonal_modes;
  MeanAxisLevel mean_axis_level = MeanAxisLevel::position;
  int free_free_modes = 0;  ///< modal, superelement
  int internal_modes = 0;   ///< superelement only
  reduction::StaticCorrection static_correction =
      reduction::StaticCorrection::at_interfaces;  ///< modal only
  ComponentModesDescription component_modes;       ///< modal only
  reduction::GeometricStiffening geometric_stiffening =
      reduction::GeometricStiffening::none;                     ///< modal only
  MaterialLaw material_law = MaterialLaw::st_venant_kirchhoff;  ///< inertial only
  DampingDescription damping;
  std::vector<InterfaceDescription> interfaces;  ///< file order
  std::vector<PointDescription> points;          ///< file order
  StressDescription stress;
};

enum class BodyType { rigid, modal, superelement, floating_frame, corotational, inertial, beam };

struct BodyDescription {
  std::string name;
  BodyType type = BodyType::rigid;
  PoseDescription pose;                                        ///< body axes in the world at t = 0
  Eigen::Vector3d linear_velocity = Eigen::Vector3d::Zero();   ///< of the body's origin, world, m/s
  Eigen::Vector3d angular_velocity = Eigen::Vector3d::Zero();  ///< world axes, rad/s
  RigidDescription rigid;                                      ///< used when type == rigid
  FlexibleDescription flexible;  ///< used otherwise; of beams, the interfaces that its points are
  BeamDescription beam;          ///< used when type == beam
  base::SourceLocation where;
};

enum class LoadType { force, pressure, traction, nodal_force, distributed };

/// A force and torque on a place (type force), a load on nodes or outer faces of a flexible body,
/// or one per length along a beam (distributed).
struct LoadDescription {
  std::string name;
  LoadType type = LoadType::force;
  PlaceDescription at;                       ///< force
  std::array<math::TimeFunction, 3> force;   ///< N; traction: Pa; distributed: N/m
  std::array<math::TimeFunction, 3> torque;  ///< N m; force; distributed: N m/m
  bool follows_body = false;                 ///< axes; pressure: area and normal
  std::array<std::string, 2> between;        ///< distributed: points of the beam; empty: all of it
  /// distributed: fraction of the length and factor; empty: one. The first at 0, the last at 1.
  std::vector<Eigen::Vector2d> factors;
  std::string body;             ///< the other types
  mesh::NodeSelection nodes;    ///< of faces: those whose nodes are all selected
  math::TimeFunction pressure;  ///< Pa
  base::SourceLocation where;
};

/// Nodes whose displacements are prescribed, along axes that stand still.
struct SupportDescription {
  std::string name, body;
  mesh::NodeSelection nodes;
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< x, y, z in the world
  std::array<bool, 3> fixes{};
  std::array<math::TimeFunction, 3> displacement;  ///< m, of the components that are fixed
  bool moves = false;                              ///< one of these is not zero
  base::SourceLocation where;
};

/// Ends the analysis when a column of the history rises above a value, or falls below it.
struct StopCondition {
  std::string column;  ///< "height", or "bob.x" of a sensor with several components
  bool is_above = true;
  double value = 0.0;  ///< SI, as the history has it
  base::SourceLocation where;
};

struct DynamicsDescription {
  analyses::DynamicsOptions options;      ///< but for the preset, see dynamics_options()
  base::SourceLocation elastic_start_at;  ///< where `start.elastic` is given; else no line
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

/// A component of a load, or a drive: what disturbs a linearised mechanism.
struct LinearInputDescription {
  std::string name;     ///< as the file gives it
  std::string load;     ///< empty: a drive
  std::string line_of;  ///< of a load along a beam: the beam
  std::string drive;    ///< name of a joint
  int component = 0;    ///< 0..2 force, 3..5 torque, in the load's axes; of a drive its row
};

/// Small motions of the mechanism about a state.
struct LinearDescription {
  enum class Kind { modes, state_space, frequency_response } kind = Kind::modes;
  std::vector<double> times;  ///< s, of the dynamics; empty: at the state that there is
  bool is_in_world_axes = false;
  int count = 0;                        ///< modes
  int pictures = 0;                     ///< of each mode in its period; modes
  std::string about;                    ///< modes: joint about whose axis all turns; empty: none
  std::optional<Eigen::Vector3d> axis;  ///< unit, world; empty: that of the joint
  std::vector<double> speeds;           ///< rad/s; with `about`
  std::vector<LinearInputDescription> inputs;
  std::vector<std::string> outputs;  ///< sensors; empty: all
  std::vector<double> frequencies;   ///< Hz
  base::SourceLocation where;
};

using AnalysisDescription =
    std::variant<DynamicsDescription, StaticsDescription, ModesDescription, LinearDescription>;

struct SolverDescription {
  solvers::Preset preset = solvers::Preset::automatic;
  std::string petsc_options;  ///< "-ksp_type cg ..."
};

struct OutputDescription {
  int history_every = 1;  ///< steps between rows of history.csv; 0 when history_interval is used
  double history_interval = 0.0;      ///< s; 0: every `history_every` steps
  double fields_interval = 0.0;       ///< s; 0: no fields
  double checkpoint_interval = 60.0;  ///< wall-clock seconds; 0: not by time
  int checkpoint_every = 0;           ///< steps; 0: not by steps
  double statistics_from = 0.0;       ///< s; what sweep.csv says of columns begins here
};

struct ModelDescription {
  std::string title;
  std::string source;                                 ///< the file as the user named it
  std::filesystem::path directory;                    ///< where relative paths start
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();  ///< m/s^2, world
  std::map<std::string, MaterialDescription> materials;
  std::vector<BodyDescription> bodies;  ///< file order, as are the lists below
  std::vector<JointDescription> joints;
  std::vector<LoadDescription> loads;
  std::vector<ContactDescription> contacts;
  std::vector<ForceDescription> forces;
  std::vector<SupportDescription> supports;
  std::vector<SensorDescription> sensors;
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
  const BodyDescription* find_body(const std::string& name) const;
  const JointDescription* find_joint(const std::string& name) const;
  const SensorDescription* find_sensor(const std::string& name) const;
};

/// The word that the model file uses for a value.
const char* name(BodyType type);
const char* name(LoadType type);
const char* name(ForceType type);
const char* name(analyses::IntegratorKind integrator);
const char* name(LinearDescription::Kind kind);

}  // namespace solidyn::model
