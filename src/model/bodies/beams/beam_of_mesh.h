#pragma once
#include <variant>

#include "model/bodies/beams/beam_entry.h"
#include "model/bodies/mesh_source.h"

namespace solidyn::model {

/// Lines of a mesh file that differ from the others: an element set, a physical group, the elements
/// of a property.
struct BeamGroup {
  std::string name;                                  ///< as a model file can write it
  std::optional<SectionDescription> section;         ///< else that of the body, or of the mesh file
  std::string material;                              ///< "": the body's
  Eigen::Vector3d y_axis = Eigen::Vector3d::Zero();  ///< body axes; zero: the body's
  bool has_strains = false;                          ///< of its own, not all those of the body
  GivenStrains given;
  base::SourceLocation where;

  static const Fields<BeamGroup>& fields();
};

struct NodeByNumber {
  int number = 0;
};
struct NodeOfSet {
  std::string set;  ///< which has no other
};
struct NodeAtPoint {
  Eigen::Vector3d x_B = Eigen::Vector3d::Zero();  ///< m
};

/// A node of a mesh file as a place.
struct BeamNodePlace {
  std::string name;
  std::variant<NodeByNumber, NodeOfSet, NodeAtPoint> node;
  base::SourceLocation where;

  static const Fields<BeamNodePlace>& fields();
};

/// Beams along the lines of a mesh file.
class BeamOfMesh final : public BodyEntryOf<BeamOfMesh, BeamEntry>, public MeshFile {
 public:
  std::vector<BeamGroup> groups;
  std::vector<BeamNodePlace> node_places;

  static const Fields<BeamOfMesh>& fields();
  /// Without those of all beams.
  static Fields<BeamOfMesh> own_fields();
  void check(const TableView& view, const Scope& scope) const;

  std::string in_words() const override;
  void build(const BodyBuilder& builder) const override;
  /// Those that the file does not tell are not known yet.
  std::vector<PlaceDescription> places() const override { return {}; }
  bool has_open_places() const override { return true; }
  std::vector<std::pair<std::string, std::filesystem::path>> files() const override {
    return {{"mesh", mesh}};
  }
  void visit_laws(const BodyLawVisitor& visit) const override;
  bool is_of_mesh() const override { return true; }
};

}  // namespace solidyn::model
