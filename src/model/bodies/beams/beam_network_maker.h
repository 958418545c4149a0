#pragma once
#include <map>
#include <optional>
#include <set>

#include "model/bodies/beams/beam_lines.h"
#include "model/bodies/beams/beam_network.h"

namespace solidyn::model {

struct SectionPoint;

/// Makes the network of one body from the lines of its mesh file, and complains of all that is
/// wrong with them at once. Local. Private to beam_network*.cpp.
class BeamNetworkMaker {
 public:
  /// An end of a line: its second node, or its first.
  struct LineEnd {
    std::size_t line = 0;
    bool is_second = false;
  };
  BeamNetworkMaker(const imported::SolidModel& file, const ModelDescription& model,
                   const BeamOfMesh& body);
  /// @throws base::InputError with all complaints
  BeamNetwork make();

 private:
  void error(std::string what, std::string remedy, const base::SourceLocation& where = {}) {
    complaints_.add({where.file.empty() ? base::SourceLocation{file_.source, 0, 0} : where,
                     std::move(what), std::move(remedy)});
  }
  void warn(std::string what, std::string remedy, const base::SourceLocation& where = {}) {
    network_.warnings.push_back(
        {where.file.empty() ? base::SourceLocation{file_.source, 0, 0} : where, std::move(what),
         std::move(remedy)});
  }
  void throw_if_any() const {
    std::vector<base::Diagnostic> all = complaints_.all();
    if (!all.empty()) throw base::InputError(std::move(all));
  }
  bool is_read(const std::string& card) const;
  void refuse_file();

  void find_size();
  int node_at(std::int64_t tag, const Eigen::Vector3d& arm);
  int add_node(const Eigen::Vector3d& x, std::string name);
  bool is_node(std::int64_t tag) const { return nodes_of_.count(tag) > 0; }
  int first_node(std::int64_t tag) const { return nodes_of_.at(tag).front(); }
  void add_line(const BeamLineElement& line);

  bool touches(const imported::RigidElement& element) const;
  void add_rigid_elements();
  void take_rigid_element(const imported::RigidElement& element);
  void add_rigid_element(const imported::RigidElement& element);

  void refuse_parts();

  void add_place(const std::string& name, std::int64_t tag, const base::SourceLocation& where);
  void add_places();
  std::optional<std::int64_t> find_tag(const BeamNodePlace& place);
  std::optional<std::int64_t> node_of_set(const std::string& name, const std::string& path,
                                          const base::SourceLocation& where);
  std::optional<std::int64_t> node_at_point(const Eigen::Vector3d& x_B, const std::string& path,
                                            const base::SourceLocation& where);

  void add_masses();
  bool is_on_solid(std::int64_t tag) const;
  void refuse_mass(const imported::PointMass& mass);
  bool is_good(const imported::PointMass& mass);
  void add_mass(const imported::PointMass& mass, std::map<int, BeamNetwork::Mass>& by_node);

  void add_sections();
  std::vector<LineEnd> lines_at(const SectionPoint& at, std::int64_t tag) const;
  void add_section_at(const SensorEntry& sensor, const SectionPoint& at);
  void add_section_along(const SensorEntry& sensor, const SectionPoint& at);
  void add_section(const SensorEntry& sensor, std::size_t line, double fraction);
  bool is_in_group(std::size_t line, const std::string& group) const;

  void doubt_units();
  void tell_of_the_rest();

  const imported::SolidModel& file_;
  const ModelDescription& model_;
  const BeamOfMesh& body_;
  const NodePositions positions_;
  LineComplaints complaints_;
  std::vector<BeamLineElement> lines_;
  double size_ = 0.0;
  std::map<std::int64_t, std::vector<int>> nodes_of_;  // of the file's nodes, the first for places
  std::set<std::int64_t> held_;
  std::map<std::string, std::int64_t> tags_of_places_;
  BeamNetwork network_;
};

}  // namespace solidyn::model
