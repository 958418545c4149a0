#pragma once
#include <Eigen/Dense>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "solidyn/contact/friction.h"
#include "solidyn/contact/normal_law.h"
#include "solidyn/contact/shape.h"
#include "solidyn/forces/set_valued.h"
#include "solidyn/mesh/interface.h"
#include "solidyn/model/place_description.h"

namespace solidyn::model {

/// A shape that stands on a place. Vectors are in world axes at t = 0.
struct ContactShapeDescription {
  contact::Shape shape;
  /// Points of the place's body, each as a sphere of radius 0: those in `points`; with `nodes` the
  /// builder adds them; else, of a file of a reduced body, all that it has.
  bool is_points = false;
  std::vector<std::string> points;
  std::optional<mesh::NodeSelection> nodes;  ///< mesh axes, m
  std::optional<Eigen::Vector3d> at;         ///< m; empty: the place's origin
  std::optional<Eigen::Vector3d> axis;       ///< unit: z of the shape; empty: the place's axes
  std::optional<Eigen::Vector3d> reference;  ///< unit: towards x of the shape
  std::vector<std::string> bodies;           ///< of a group, as the file has them
  std::vector<PlaceDescription> places;      ///< of a group, which are meant by these
};

/// Contact of two shapes, or between groups of them; of a joint with clearance the first is the
/// bush or socket, the second the pin or ball.
struct ContactDescription {
  std::string name;
  std::string what;  ///< for the summary: "plane and sphere", "revolute with clearance"
  std::array<PlaceDescription, 2> between;
  std::array<ContactShapeDescription, 2> shapes;
  /// Between all places of the first shape and all of the second, or, where that has none, of the
  /// first against each other; `between` does not count.
  bool is_group = false;
  std::vector<std::array<std::string, 2>> ignore;  ///< of a group: bodies, or patterns of them
  /// Of a pin in a bush: how far it slides to either side until collars hold it, m; empty: there
  /// are none.
  std::optional<double> axial_clearance;
  contact::NormalLaw law;                          ///< by penalty
  std::optional<forces::SetValuedLaw> set_valued;  ///< instead
  contact::Friction friction;
  /// Set-valued: of the first place's surface against its material, m/s.
  Eigen::Vector3d surface_velocity = Eigen::Vector3d::Zero();
  double resolution = 0.1;  ///< see contact::ContactForce
  base::SourceLocation where;
};

}  // namespace solidyn::model
