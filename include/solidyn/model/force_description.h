#pragma once
#include <Eigen/Dense>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solidyn/base/error.h"
#include "solidyn/contact/friction.h"
#include "solidyn/forces/effort.h"
#include "solidyn/math/function_of_variables.h"
#include "solidyn/model/place_description.h"

/// What a model file says of forces that depend on the motion (`forces:`).
namespace solidyn::model {

enum class ForceType { spring_damper, torsional_spring_damper, bushing, drag, expression, plugin };

/// A force by points over a sensor of the motion.
struct TableOverSensor {
  std::string sensor;
  int component = 0;  ///< index into the sensor's components
  math::Curve curve;  ///< SI
};

/// Springs and dampers along a coordinate. `law.free` is used where the file gives it.
struct SpringDescription {
  forces::SpringDamper::Options law;
  std::optional<TableOverSensor> actuator;  ///< in place of that of `law`
  bool has_free = false;                    ///< else the length or angle as drawn
};

/// Six by six: displacements along, rotations about the axes x, y, z.
struct BushingDescription {
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  Matrix6 stiffness = Matrix6::Zero(), damping = Matrix6::Zero();
  Eigen::Matrix<double, 6, 1> preload = Eigen::Matrix<double, 6, 1>::Zero();
};

struct DragDescription {
  double viscous = 0.0;                      ///< N s/m
  double rotational = 0.0;                   ///< N m s/rad
  double quadratic = 0.0;                    ///< 1/2 rho Cd A, kg/m
  std::array<math::TimeFunction, 3> medium;  ///< velocity, m/s, world
};

/// Components by formulas of t and of sensors, in the file's units.
struct ExpressionDescription {
  struct Variable {
    std::string sensor;
    int component = 0;   ///< index into the sensor's components
    double scale = 1.0;  ///< SI per unit of the file
  };
  std::vector<Variable> variables;  ///< of the formulas, after t
  /// Force x, y, z, torque x, y, z; empty where there is none.
  std::array<std::optional<math::FunctionOfVariables>, 6> components;
  double t_scale = 1.0, force_scale = 1.0, torque_scale = 1.0;
  bool is_in_body_axes = false;
};

/// A force from a shared library (solidyn/plugin/force.h).
struct PluginDescription {
  std::filesystem::path library;  ///< absolute
  std::vector<std::pair<std::string, double>> parameters;
};

/// What a joint leaves free, and what can act along it. Translations are along axes of the frame on
/// the first place, rotations about its z axis, or about the arms of a cross.
enum class JointFreedom {
  translation,  ///< along z
  rotation,
  translation_x,
  translation_y,
  first_arm,
  second_arm
};
/// The word that the model file uses for a value.
const char* name(JointFreedom freedom);

/// Along one of a joint's freedoms.
struct CoordinateForcesDescription {
  std::optional<forces::SpringDamper::Options> spring;  ///< springs, dampers and actuators
  std::optional<TableOverSensor> actuator;              ///< in place of that of `spring`
  std::optional<forces::Stops::Options> limits;
};

struct FrictionDescription {
  contact::Friction law;
  double radius = 0.0;         ///< m; of joints that turn; of planar ones 0: turning rubs nothing
  double moment_arm = 0.0;     ///< m; 0: moments press nothing
  double thrust_radius = 0.0;  ///< m; 0: forces along the axis press nothing
  double preload = 0.0;        ///< N
};

/// `spring`, `damper`, `actuator`, `limits` and `friction` of a joint.
struct JointForcesDescription {
  std::map<JointFreedom, CoordinateForcesDescription> along;
  std::optional<FrictionDescription> friction;
};

struct ForceDescription {
  std::string name;
  ForceType type = ForceType::spring_damper;
  /// drag: the second alone; expression: what takes the reaction, and what the force acts on
  std::array<PlaceDescription, 2> between;
  std::array<std::optional<Eigen::Vector3d>, 2> ends;  ///< spring_damper: world, t = 0, m
  std::string joint;  ///< torsional_spring_damper: on this joint's rotation; else empty
  std::optional<Eigen::Vector3d> at, axis, reference;  ///< as of joints; not of spring_damper
  SpringDescription spring;
  BushingDescription bushing;
  DragDescription drag;
  ExpressionDescription expression;
  PluginDescription plugin;
  base::SourceLocation where;
};

}  // namespace solidyn::model
