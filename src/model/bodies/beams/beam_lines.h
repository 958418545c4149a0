#pragma once
#include <map>
#include <set>

#include "model/bodies/beams/beam_of_mesh.h"
#include "model/bodies/beams/section_properties.h"
#include "solidyn/imported/solid_model.h"
#include "solidyn/model/description.h"

namespace solidyn::model {

/// A line with all that an element needs, in SI and body axes.
struct BeamLineElement {
  const imported::LineElement* line = nullptr;
  SectionProperties properties;
  MaterialDescription material;  ///< unless the section has its own stiffness
  bool has_material_of_file = false;
  Eigen::Matrix3d R_BS = Eigen::Matrix3d::Identity();
  std::array<Eigen::Vector3d, 2> arms;  ///< from the line's nodes to the ends of the centre line, m
  double length = 0.0;
  int group = -1;  ///< in BeamOfMesh::groups; -1: in none
};

/// Complaints about many lines: one for each kind, that names the first few.
class LineComplaints {
 public:
  void add(const imported::LineElement& line, const std::string& what, const std::string& remedy);
  void add(base::Diagnostic complaint) { others_.push_back(std::move(complaint)); }
  /// All of them, in the order in which their kinds came.
  std::vector<base::Diagnostic> all() const;

 private:
  struct Kind {
    std::string what, remedy;
    base::SourceLocation where;
    std::vector<std::string> names;
  };
  std::vector<Kind> kinds_;
  std::vector<base::Diagnostic> others_;
};

/// Positions of a file's nodes by their numbers, those of solids and the loose ones.
using NodePositions = std::map<std::int64_t, Eigen::Vector3d>;

/// Gives each line its section, material and axes: those of the model file's groups, else of its
/// body, else of the mesh file. Local. @param file in SI
std::vector<BeamLineElement> make_beam_lines(const imported::SolidModel& file,
                                             const ModelDescription& model, const BeamOfMesh& body,
                                             const NodePositions& nodes,
                                             LineComplaints& complaints);

}  // namespace solidyn::model
