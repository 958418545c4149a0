#pragma once
#include <Eigen/Dense>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solidyn/analyses/sensor_quantities.h"
#include "solidyn/base/error.h"
#include "solidyn/math/rotation_angles.h"
#include "solidyn/model/contact_description.h"
#include "solidyn/model/force_description.h"
#include "solidyn/model/grammar.h"
#include "solidyn/model/place_description.h"

/// What a model file says of sensors.
namespace solidyn::model {

enum class SensorType {
  relative_displacement,
  position,
  velocity,
  acceleration,
  orientation,
  angular_velocity,
  angular_acceleration,
  joint_angle,
  joint_translation,
  reaction,
  support_force,
  energy,
  momentum,
  multiplier,
  stress,
  contact,
  force,
  joint_force,
  drive,
  section_force,
  section_strain,
  expression
};
/// `all` was expanded by the loader: components holds what is to be written, one column each, in
/// order.
enum class Component {
  x,
  y,
  z,
  magnitude,
  force_x,
  force_y,
  force_z,
  torque_x,
  torque_y,
  torque_z,
  xx,
  yy,
  zz,
  xy,
  yz,
  zx,
  von_mises,
  principal_1,
  principal_2,
  principal_3,
  w,
  angle_1,
  angle_2,
  angle_3,
  length,
  angle,
  extension,
  rate,
  force,
  torque,
  displacement_x,
  displacement_y,
  displacement_z,
  rotation_x,
  rotation_y,
  rotation_z,
  energy,
  power,
  axial,
  shear_y,
  shear_z,
  torsion,
  bending_y,
  bending_z,
  stress_max,
  stress_min,
  stretch,
  twist,
  curvature_y,
  curvature_z
};
/// The word that the model file uses for a value.
const char* name(SensorType type);
const char* name(Component component);

enum class JointForcePart { spring, limits, friction, all };
enum class OrientationForm { rotation_vector, quaternion, angles };

const char* name(JointForcePart part);

/// A formula of t and of columns of other sensors, in the file's units.
struct FormulaDescription {
  std::optional<math::Expression> expression;  ///< of t and `variables`
  std::vector<ExpressionDescription::Variable> variables;
  double t_scale = 1.0;  ///< s per unit of t
  Quantity measures;     ///< of the result
  double scale = 1.0;    ///< SI per unit of the result
};

/// What to record. A sensor with several components makes the columns name.x, name.y, ... Values
/// are SI.
struct SensorDescription {
  std::string name;
  SensorType type = SensorType::position;
  /// position .. angular_acceleration, reaction, support_force, momentum, stress, force,
  /// joint_force, drive, section_force, section_strain
  std::vector<Component> components;

  PlaceDescription of;                          ///< position .. angular_acceleration
  std::optional<PlaceDescription> relative_to;  ///< empty: the world
  std::optional<PlaceDescription> axes_of;      ///< of the components; empty: of relative_to
  OrientationForm form = OrientationForm::rotation_vector;  ///< orientation
  math::AngleSequence sequence{0, 1, 2};                    ///< orientation by angles

  /// relative_displacement, stress, section_force, section_strain; energy (empty: the system)
  std::string body;
  std::string place;              ///< stress: of `body`
  bool is_in_world_axes = false;  ///< stress
  /// relative_displacement: tracked point of `body`; section_force, section_strain: of a beam
  std::string point;
  double fraction = 0.0;          ///< section_force, section_strain without a point: of the length
  std::optional<bool> is_before;  ///< section_force, section_strain: the element before the place
  /// section_force, section_strain on a mesh: number of the line in the file, group of lines
  std::optional<std::int64_t> line;
  std::string group;
  std::array<std::string, 2> chord;  ///< relative_displacement: interfaces of `body`
  /// relative_displacement without a `body`: ends of the chord, and `of` is the point.
  std::array<PlaceDescription, 2> chord_places;
  Eigen::Vector3d about =
      Eigen::Vector3d::UnitZ();  ///< unit, world: measured along chord turned +90 deg about it
  double normalised_by = 1.0;    ///< m; the displacement is divided by it (1: not divided)

  std::string contact;  ///< contact
  std::vector<analyses::ContactQuantity> contact_quantities;

  std::string force;                          ///< force: one of `forces`
  ForceType force_type = ForceType::drag;     ///< force
  JointForcePart part = JointForcePart::all;  ///< joint_force
  FormulaDescription formula;                 ///< expression

  std::string support;  ///< support_force
  std::string joint;   ///< joint_angle, joint_translation, reaction, multiplier, joint_force, drive
  int derivative = 0;  ///< joint_angle, joint_translation: 0, 1 or 2
  bool wraps = false;  ///< joint_angle: without whole turns
  int arm = 0;         ///< joint_angle of a universal joint: 1 or 2
  int along = 2;       ///< joint_translation: axis of the first place's frame
  bool is_on_first = false;  ///< reaction, force
  analyses::ReactionAxes axes = analyses::ReactionAxes::world;
  int index = 0;  ///< multiplier: which one of the joint's, from 0
  analyses::EnergyPart energy = analyses::EnergyPart::total;
  analyses::MomentumPart momentum = analyses::MomentumPart::linear;
  base::SourceLocation where;
};

}  // namespace solidyn::model
