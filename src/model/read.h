#pragma once
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/language/table_view.h"
#include "solidyn/model/description.h"

/// From the checked tree to the description, with the checks that need more than one value. Each
/// reports what it finds to the view's context and continues.
namespace solidyn::model {

struct JointTraits;  // model/joints/joint_traits.h

/// Names that joints, sensors and analyses may refer to.
struct Names {
  /// Those whose type is wrong, where further complaints would only confuse.
  std::set<std::string> open_bodies;
  std::map<std::string, const JointTraits*> joints;  ///< their types; read one after the other
  std::set<std::string> open_joints;                 ///< those whose type is wrong
  bool has_track = false;                            ///< the file has one, right or wrong
  std::map<std::string, std::string> forces;  ///< their types, "" where it is wrong; read later
};

/// What an entry may refer to while it is read: the parts of the file that were read before it.
struct Scope {
  const ModelDescription& model;
  const Names& names;
};

std::vector<AnalysisDescription> read_analyses(const TableView& file, const Scope& scope);
SolverDescription read_solver(const TableView& file, const Scope& scope);
/// @pre the analyses have been read
OutputDescription read_output(const TableView& file, const Scope& scope);
Units read_units(const TableView& file, const Scope& scope);

/// Of a `rotation` table.
Eigen::Quaterniond read_rotation(const TableView& rotation, const Scope& scope);

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

/// The body or joint that `key` names; null when the key is not there or wrong, after a complaint,
/// or where its own type is wrong.
const BodyEntry* find_referred_body(const TableView& view, const std::string& key,
                                    const Scope& scope);
const JointEntry* find_referred_joint(const TableView& view, const std::string& key,
                                      const Scope& scope);

}  // namespace solidyn::model
