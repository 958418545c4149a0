#pragma once
#include <Eigen/Dense>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "solidyn/base/error.h"
#include "solidyn/beams/section_shape.h"
#include "solidyn/imported/material.h"
#include "solidyn/imported/units.h"

/// The lines of a file that are beams, for bodies of `type: beam`. Nodes are tags of the model's
/// nodes, of solids or loose; numbers are in the units of the file until convert_to_si().
namespace solidyn::imported {

/// Cross-section and material: a Nastran PBARL, an Abaqus *BEAM SECTION.
struct LineProperty {
  std::string name;  ///< "PBARL 3"
  beams::SectionShape shape;
  double turn = 0.0;             ///< about the beam's x, from the element's y to the section's, rad
  double mass_per_length = 0.0;  ///< beside that of the material
  int material = -1;             ///< of LineElements::materials; -1: the file gives none
  base::SourceLocation where;
};

struct LineElement {
  std::string name;  ///< "CBAR 5"
  std::int64_t tag = 0;
  std::array<std::int64_t, 2> nodes = {0, 0};
  int property = -1;  ///< of LineElements::properties; -1: the file gives none
  /// Approximate direction of y of the element, basic axes; zero: not in the file.
  Eigen::Vector3d towards_y = Eigen::Vector3d::Zero();
  /// From the nodes to the ends of the centre line, basic axes.
  std::array<Eigen::Vector3d, 2> offsets = {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};
  bool has_shear = true;
  base::SourceLocation where;
};

struct LineElements {
  std::vector<LineElement> elements;
  std::vector<LineProperty> properties;
  std::vector<Material> materials;
  std::map<std::string, std::vector<std::size_t>> groups;      ///< of elements
  std::map<std::string, std::vector<std::int64_t>> node_sets;  ///< rising
  /// What the model names as unsupported or ignored for the sake of solids, but is here:
  /// "CBAR".
  std::vector<std::string> cards;
  /// Why no beam can be made of them. To solids it does not matter.
  std::vector<base::Diagnostic> errors;
};

/// Numbers of the file become SI.
void convert_to_si(LineElements& lines, const Units& units);

}  // namespace solidyn::imported
