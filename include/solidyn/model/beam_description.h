#pragma once
#include <Eigen/Dense>
#include <string>
#include <vector>

#include "solidyn/base/error.h"
#include "solidyn/beams/beam_element.h"
#include "solidyn/beams/section.h"

namespace solidyn::model {

/// A point of a beam's centre line, in body axes; a place for joints, forces and sensors.
struct BeamPoint {
  std::string name;
  Eigen::Vector3d x_B = Eigen::Vector3d::Zero();  ///< m
  base::SourceLocation where;
};

/// What a section is, before its material is known (shear factors depend on Poisson's ratio).
struct SectionDescription {
  enum class Shape { rectangle, circle, tube, i_section, general };
  Shape shape = Shape::rectangle;
  double width = 0.0, height = 0.0;                  ///< along y and z, m
  double radius = 0.0, wall = 0.0;                   ///< outer radius, m
  double flange = 0.0, web = 0.0;                    ///< thicknesses, m
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< of the centroid, section axes, m
  beams::Section general;
};

/// The part of a body that only `type: beam` has.
struct BeamDescription {
  std::vector<BeamPoint> points;  ///< two or more, file order
  bool is_arc = false;            ///< from the first point to the second, through `through`
  Eigen::Vector3d through = Eigen::Vector3d::Zero();
  int n_elements = 1;  ///< of all its length, at least one between two points
  SectionDescription section;
  std::string material;                              ///< key of ModelDescription::materials
  Eigen::Vector3d y_axis = Eigen::Vector3d::Zero();  ///< of the sections, body axes; zero: default
  bool has_shear = true;
  bool has_rotary_inertia = true;
  beams::Torsion torsion = beams::Torsion::linear;
  beams::TurnRule rule = beams::TurnRule::lobatto;
  double damping = 0.0;  ///< s
};

}  // namespace solidyn::model
