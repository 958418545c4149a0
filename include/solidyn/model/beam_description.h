#pragma once
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "solidyn/base/error.h"
#include "solidyn/beams/beam_element.h"
#include "solidyn/beams/section_shape.h"
#include "solidyn/math/time_function.h"

namespace solidyn::model {

/// A point of a beam's centre line, in body axes; a place for joints, forces and sensors.
struct BeamPoint {
  std::string name;
  Eigen::Vector3d x_B = Eigen::Vector3d::Zero();  ///< m
  base::SourceLocation where;
};

/// What a section is, and where it stands.
struct SectionDescription : beams::SectionShape {
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< of the centroid, section axes, m
  /// Of `type: stiffness`, which has no shape, and needs no material: its mass is given too.
  std::optional<beams::Rigidity> rigidity;
  std::optional<double> mass_per_length;  ///< kg/m, in place of density times area
  /// Mass moments of inertia per length about x, y and z of the section, kg m, in place of density
  /// times second moments.
  std::optional<Eigen::Vector3d> mass_moments;
};

/// Strains of a beam that a model file can give, per length but for the first: 1, rad/m, 1/m, 1/m.
enum class BeamStrain { stretch, twist, curvature_y, curvature_z };
constexpr int kBeamStrains = 4;
/// The word that the model file uses for a value.
const char* name(BeamStrain strain);

/// What a beam has as drawn, and strains of its own.
struct GivenStrains {
  using Laws = std::array<std::optional<math::TimeFunction>, kBeamStrains>;
  /// Strains beyond those as drawn that the beam takes by itself; it has no stress there.
  Laws prestrain;
  /// Axial force, torque and bending moments about y and z of the beam as drawn, N, N m.
  Eigen::Vector4d prestress = Eigen::Vector4d::Zero();
  /// Strains beyond those as drawn that the beam has whatever it takes.
  Laws driven;

  /// Then strains of elements are unknowns of the system.
  bool has_driven() const {
    return std::any_of(driven.begin(), driven.end(),
                       [](const auto& law) { return law.has_value(); });
  }
};

/// Lines of a mesh file that differ from the others: an element set, a physical group, the elements
/// of a property.
struct BeamGroup {
  std::string name;          ///< as a model file can write it
  bool has_section = false;  ///< else that of the body, or of the mesh file
  SectionDescription section;
  std::string material;                              ///< "": the body's
  Eigen::Vector3d y_axis = Eigen::Vector3d::Zero();  ///< body axes; zero: the body's
  bool has_strains = false;                          ///< of its own, not all those of the body
  GivenStrains given;
  base::SourceLocation where;
};

/// A node of a mesh file as a place: by its number, as the one node of a set, or by where it is.
struct BeamNodePlace {
  enum class Rule { number, set, point } rule = Rule::number;
  std::string name;
  std::int64_t number = 0;
  std::string set;
  Eigen::Vector3d x_B = Eigen::Vector3d::Zero();  ///< m
  base::SourceLocation where;
};

/// The part of a body that only `type: beam` has.
struct BeamDescription {
  std::vector<BeamPoint> points;  ///< two or more, file order; none with a mesh
  std::vector<BeamGroup> groups;  ///< with a mesh, as what follows
  std::vector<BeamNodePlace> places;
  bool has_section = true;  ///< else that of the mesh file
  bool is_arc = false;      ///< from the first point to the second, through `through`
  Eigen::Vector3d through = Eigen::Vector3d::Zero();
  int n_elements = 1;  ///< of all its length, at least one between two points; of a mesh's line
  SectionDescription section;
  std::string material;  ///< key of ModelDescription::materials; "": that of the mesh file
  Eigen::Vector3d y_axis = Eigen::Vector3d::Zero();  ///< of the sections, body axes; zero: default
  bool has_shear = true;
  bool has_rotary_inertia = true;
  beams::Torsion torsion = beams::Torsion::linear;
  beams::TurnRule rule = beams::TurnRule::magnus;
  double damping = 0.0;  ///< s
  GivenStrains given;
};

}  // namespace solidyn::model
