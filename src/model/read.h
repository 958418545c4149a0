#pragma once
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/language/table_view.h"
#include "solidyn/model/description.h"

/// From the checked tree to the description, with the checks that need more than one value. Each
/// reports what it finds to the view's context and goes on.
namespace solidyn::model {

Units read_units(const TableView& file);

/// Names that joints, sensors and analyses may refer to.
struct Names {
  std::vector<std::string> materials;
  /// Bodies whose interfaces, frames and points are not known here: those of a reduced-body file or
  /// a mesh of another program, and those whose type is wrong, where further complaints would only
  /// confuse.
  std::set<std::string> open_bodies;
  std::set<std::string> open_joints;          ///< those whose type is wrong
  std::map<std::string, std::string> forces;  ///< their types, "" where it is wrong; read later
  std::set<std::string> untyped_bodies;       ///< of the open ones, those whose type is wrong
};

std::vector<BodyDescription> read_bodies(const TableView& file, Names& names);
std::vector<JointDescription> read_joints(const TableView& file, const ModelDescription& model,
                                          Names& names);
std::vector<SensorDescription> read_sensors(const TableView& file, const ModelDescription& model,
                                            const Names& names);
std::vector<AnalysisDescription> read_analyses(const TableView& file, const ModelDescription& model,
                                               const Names& names);
/// An entry of `analyses` that holds `modes` without a body, `linearise` or `frequency_response`.
LinearDescription read_linear(const TableView& analysis, const ModelDescription& model,
                              const Names& names);
/// What only the whole list of analyses can tell.
void check_linear_analyses(const TableView& file, const std::vector<AnalysisDescription>& analyses,
                           const ModelDescription& model);
SolverDescription read_solver(const TableView& file);
OutputDescription read_output(const TableView& file,
                              const std::vector<AnalysisDescription>& analyses);

std::vector<LoadDescription> read_loads(const TableView& file, const ModelDescription& model,
                                        const Names& names);
std::vector<ForceDescription> read_forces(const TableView& file, const ModelDescription& model,
                                          const Names& names);
std::vector<SupportDescription> read_supports(const TableView& file, const ModelDescription& model,
                                              const Names& names);

/// A word to its enum value; the order of the words is the grammar's business, not this one's.
template <class Enum>
Enum chosen(const std::string& word, std::initializer_list<std::pair<const char*, Enum>> values) {
  for (const auto& [name, value] : values)
    if (word == name) return value;
  return values.begin()->second;
}

/// `mesh_units`: a unit of length, or the name of a set of units.
void read_mesh_units(const TableView& body, FlexibleDescription& flexible);

/// `modes` of a modal body. @pre its interfaces have been read
void read_modes_of_body(const TableView& body, FlexibleDescription& flexible);

/// Of a `rotation` table.
Eigen::Quaterniond read_rotation(const TableView& rotation);

/// Which nodes, of a `nodes` table.
mesh::NodeSelection read_nodes(const TableView& nodes);

/// In SI; the zero function when the key is not there or wrong, or after a complaint.
math::TimeFunction read_time_function(const TableView& view, const std::string& key);
std::array<math::TimeFunction, 3> read_time_vector(const TableView& view, const std::string& key);

/// Drives, loads and supports whose functions cannot be evaluated over the simulated time.
void check_functions_in_time(const ModelDescription& model, Report& report);

/// Reads "body.place" and reports a name that refers to nothing. With `ground_is_allowed` false the
/// ground is not a place either.
PlaceDescription read_place(const std::string& text, const std::string& path,
                            const base::SourceLocation& where, const ModelDescription& model,
                            const Names& names, bool ground_is_allowed, Report& report);

/// The body or joint that `key` names; null when the key is not there or wrong, or after a
/// complaint.
const BodyDescription* find_referred_body(const TableView& view, const std::string& key,
                                          const ModelDescription& model);
const JointDescription* find_referred_joint(const TableView& view, const std::string& key,
                                            const std::vector<JointDescription>& joints);

}  // namespace solidyn::model
