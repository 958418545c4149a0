#pragma once
#include <map>
#include <string>
#include <vector>

#include "solidyn/imported/import_report.h"
#include "solidyn/imported/line_elements.h"
#include "solidyn/imported/material.h"
#include "solidyn/imported/units.h"
#include "solidyn/materials/axes.h"
#include "solidyn/mesh/mesh.h"

/// Imported data of a body, as plain values: readers (room formats) make them, reductions and
/// models use them, independently of each other. Numbers are in the units of the file until
/// convert_to_si().
namespace solidyn::imported {

/// How the file's program integrates an element; what it means is said in doc/import.md.
enum class Integration { standard, reduced, incompatible_modes };

/// Elements of one type that share a material: an Abaqus solid section, a Nastran PSOLID.
struct Region {
  std::string name;          ///< "PSOLID 3", "Set-steel"
  std::string element_name;  ///< as in the file: "C3D20R", "CHEXA"
  int material = -1;         ///< index into SolidModel::materials; -1: the file gives none
  Integration integration = Integration::standard;
  materials::Axes axes = {};  ///< of the material, in the mesh's axes
};

/// A node that no solid element uses, such as the reference node of a rigid element.
struct LooseNode {
  std::int64_t tag = 0;
  Eigen::Vector3d x = Eigen::Vector3d::Zero();
};

struct PointMass {
  std::string name;       ///< "CONM2 17"
  std::int64_t node = 0;  ///< tag
  double mass = 0.0;
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();   ///< from the node to the mass, basic axes
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();  ///< about the mass's centre, basic axes
  base::SourceLocation where;
};

/// A rigid element or coupling: one reference node, tied rigidly to (rbe2), or following the mean
/// of (rbe3), others.
struct RigidElement {
  enum class Kind { rbe2, rbe3 } kind = Kind::rbe2;
  std::string name;                              ///< "RBE2 5", or the coupling's own name
  std::int64_t reference = 0;                    ///< tag
  std::vector<std::int64_t> nodes;               ///< tags
  std::vector<double> weights;                   ///< rbe3: one per node; else empty
  std::string components = "123456";             ///< of the reference (rbe3), of the nodes (rbe2)
  std::string node_components = "123456";        ///< rbe3: of the nodes; "" when they differ
  std::vector<std::string> components_of_nodes;  ///< rbe3: one per node when they differ
  base::SourceLocation where;
};

struct Support {
  std::int64_t node = 0;   ///< tag
  std::string components;  ///< "123"
};

/// A finite element model of a solid. `mesh` holds the nodes of solid elements only, in our own
/// node order, with node and element sets as named sets; blocks carry the region of each element.
/// Coordinates are basic (global) always.
struct SolidModel {
  std::string source;  ///< the file
  std::string format;  ///< "Nastran bulk data", "Abaqus input", ...
  mesh::Mesh mesh;
  std::vector<Material> materials;
  std::vector<Region> regions;  ///< of ElementBlock::regions
  std::vector<LooseNode> loose_nodes;
  std::vector<PointMass> masses;
  std::vector<RigidElement> rigid_elements;
  std::vector<Support> supports;
  /// Axes in which results and matrices of a node are given, columns in basic axes; a node (tag)
  /// that is not named has basic ones. Nastran's CD, Abaqus' *TRANSFORM.
  std::map<std::int64_t, Eigen::Matrix3d> node_axes;
  /// Elements that are no solids, by name and number: in the file, but not in the mesh.
  std::map<std::string, std::int64_t> other_elements;
  LineElements lines;  ///< of these, those that are beams
  ImportReport report;
};

/// Numbers of the file become SI.
void convert_to_si(SolidModel& model, const Units& units);

}  // namespace solidyn::imported
