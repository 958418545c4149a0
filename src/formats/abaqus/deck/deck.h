#pragma once
#include <Eigen/Geometry>
#include <map>
#include <string>
#include <vector>

#include "formats/abaqus/deck/elements.h"
#include "formats/abaqus/deck/source.h"
#include "solidyn/imported/solid_model.h"

/// What an Abaqus input file says, keyword by keyword, before parts are placed and names are looked
/// up: both may come in any order. Private to the reader.
namespace solidyn::formats::abaqus {

using Label = std::int32_t;

/// One *ELEMENT block.
struct Elements {
  AbaqusType type;
  std::vector<Label> labels;
  std::vector<Label> nodes;  ///< type.n_nodes per element
  /// Of a type that is not known: the numbers of its lines are taken for nodes, there or not.
  bool is_guessed = false;
  AbaqusPlace place;
};

/// Labels first, first + step, ... up to last.
struct Range {
  Label first = 0, last = 0, step = 1;
};

/// The items of one *NSET or *ELSET; or of the NSET or ELSET parameter of *NODE and *ELEMENT.
struct SetPiece {
  std::string instance;  ///< of the INSTANCE parameter
  std::vector<Label> labels;
  std::vector<Range> ranges;
  std::vector<std::string> names;  ///< other sets, or "instance.label"
  std::string elements_of;         ///< a node set: the nodes of this element set
  /// Nodes or elements in the order of the scope, from .. up to but not including ..
  std::vector<std::pair<std::size_t, std::size_t>> indices;
  AbaqusPlace place;
};

struct SetDefinition {
  std::string name;  ///< as first written
  bool is_internal = false;
  std::vector<SetPiece> pieces;
};
using SetDefinitions = std::map<std::string, SetDefinition>;  ///< by folded name

struct SurfaceItem {
  std::string what;  ///< a set or a label
  std::string face;  ///< "S1", ..., empty; of surfaces of nodes: empty, or the area
  AbaqusPlace place;
};
struct SurfaceDefinition {
  std::string name;
  bool is_of_nodes = false, is_internal = false;
  std::vector<SurfaceItem> items;
};

struct Section {
  std::string elset, material;
  AbaqusPlace place;
  std::string orientation = {};  ///< empty: none
};

/// *ORIENTATION.
struct Orientation {
  std::string what_is_not_read;  ///< empty: `axes` are those of the file
  materials::Axes axes;
  AbaqusPlace place;
};

/// *BEAM SECTION and *BEAM GENERAL SECTION.
struct BeamSection {
  std::string elset, material;
  imported::LineProperty values;  ///< without material
  /// Of a general section, which has its own; else without a modulus.
  imported::Material own_material;
  Eigen::Vector3d n1 = -Eigen::Vector3d::UnitZ();  ///< roughly the axis 1, our y
  double offset_2 = 0.0;                           ///< of the centroid from the nodes along 2
  AbaqusPlace place;
};

/// *MASS and *ROTARY INERTIA: elements of one node.
struct MassProperty {
  std::string elset;
  double mass = 0.0;
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
  AbaqusPlace place;
};

/// *TRANSFORM.
struct Transform {
  std::string nset;
  char type = 'R';
  Eigen::Vector3d a = Eigen::Vector3d::Zero(), b = Eigen::Vector3d::Zero();
  AbaqusPlace place;
};

/// A rigid element of any keyword: what moves with what.
struct Coupling {
  imported::RigidElement::Kind kind = imported::RigidElement::Kind::rbe2;
  std::string name;
  std::string reference;                              ///< a label, or a set of one node
  std::string surface;                                ///< or
  std::string elset;                                  ///< all nodes of these elements, or
  std::vector<std::pair<std::string, double>> nodes;  ///< labels or sets with a weight
  std::string components = "123456";
  /// *DISTRIBUTING COUPLING: `reference` is an element set, whose element has the node.
  bool reference_is_elset = false;
  bool joins_others = false;  ///< *MPC, BEAM: one rigid element per reference, of many lines
  AbaqusPlace place;
};

struct Boundary {
  std::string what;        ///< a label or a set
  std::string components;  ///< "123"
  AbaqusPlace place;
};

/// A part, an instance, or the assembly with all that stands outside of parts: a space of labels
/// and names.
struct Scope {
  std::string name;
  std::vector<Label> node_labels;
  std::vector<double> x;  ///< 3 per node
  std::vector<Elements> elements;
  std::size_t n_elements = 0;
  SetDefinitions node_sets, element_sets;
  std::map<std::string, SurfaceDefinition> surfaces;
  std::vector<Section> sections;
  std::map<std::string, Orientation> orientations;  ///< by folded name
  std::vector<BeamSection> beam_sections;
  std::vector<MassProperty> masses;
  std::vector<Transform> transforms;
  std::vector<Coupling> couplings;
  std::vector<Boundary> boundaries;
};

struct Instance {
  Scope scope;
  std::string part;
  /// From the part's coordinates to the assembly's.
  Eigen::Isometry3d place_part = Eigen::Isometry3d::Identity();
  AbaqusPlace place;
};

struct Deck {
  Scope root;
  std::string assembly = "ASSEMBLY";   ///< its name, by which `ASSEMBLY.set` asks for its sets
  std::map<std::string, Scope> parts;  ///< by folded name
  std::vector<Instance> instances;
  std::vector<imported::Material> materials;
  std::map<std::string, std::int64_t> other_elements;
  imported::ImportReport report;
  std::vector<base::Diagnostic> line_errors;  ///< of LineElements::errors
};

/// Reads all files; complains, but does not throw, as long as AbaqusComplaints does not.
Deck read_deck(AbaqusSource& source, AbaqusComplaints& complaints);

/// Places the parts, looks names up, and makes a model of it.
imported::SolidModel assemble_deck(const Deck& deck, const AbaqusSource& source,
                                   AbaqusComplaints& complaints);

}  // namespace solidyn::formats::abaqus
