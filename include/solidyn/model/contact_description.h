#pragma once
#include <Eigen/Dense>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "solidyn/analyses/sensor_quantities.h"
#include "solidyn/contact/friction.h"
#include "solidyn/contact/normal_law.h"
#include "solidyn/contact/shape.h"
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
};

enum class ContactType { shapes, revolute, cylindrical, spherical };

/// Contact of two shapes, or a joint with clearance: then the first shape is the bush or socket,
/// the second the pin or ball.
struct ContactDescription {
  std::string name;
  ContactType type = ContactType::shapes;
  std::array<PlaceDescription, 2> between;
  std::array<ContactShapeDescription, 2> shapes;
  double axial_clearance = 0.0;  ///< m, of a revolute joint, to either side
  contact::NormalLaw law;
  contact::Friction friction;
  double resolution = 0.0;  ///< see contact::ContactForce
  base::SourceLocation where;
};

/// The word that the model file uses for a value.
const char* name(analyses::ContactQuantity quantity);

}  // namespace solidyn::model
