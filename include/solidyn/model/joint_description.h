#pragma once
#include <Eigen/Dense>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "solidyn/base/error.h"
#include "solidyn/math/time_function.h"
#include "solidyn/model/force_description.h"
#include "solidyn/model/place_description.h"

namespace solidyn::model {

enum class JointType {
  fixed,
  spherical,
  revolute,
  cylindrical,
  prismatic,
  planar,
  universal,
  constant_velocity,
  screw,
  point_on_line,
  point_on_plane,
  parallel_axes,
  perpendicular_axes,
  orientation,
  distance,
  rolling,
  gear,
  rack_and_pinion,
  coupler,
  rotation_drive,
  translation_drive,
  distance_drive,
  point_path
};

/// Between two places, between the coordinates of other joints, or a motion that is given.
enum class JointFamily { joint, coupling, drive };
JointFamily family(JointType type);

/// About or along the z axis of a joint's frames.
enum class JointCoordinate { angle, translation };
/// Whether joints of the type leave the coordinate free.
bool has_coordinate(JointType type, JointCoordinate coordinate);

/// factor * coordinate of a joint.
struct CouplingTerm {
  std::string joint;
  JointCoordinate coordinate = JointCoordinate::angle;
  double factor = 1.0;                         ///< per rad or per m
  std::optional<math::TimeFunction> law = {};  ///< by rad or m, in place of factor * coordinate
};

/// What a drive's laws give. A law for the acceleration was integrated by the loader.
enum class DriveLevel { position, velocity };

/// A joint, a coupling or a drive (the second place moves relative to the first). A drive that
/// names `joint` acts on that joint's places, point and axis.
struct JointDescription {
  std::string name;
  JointType type = JointType::fixed;
  std::array<PlaceDescription, 2> between;
  std::optional<Eigen::Vector3d> at;    ///< world, t = 0, m; empty: the origin of a named place
  std::optional<Eigen::Vector3d> to;    ///< distance, distance_drive: the point on the second place
  std::optional<Eigen::Vector3d> axis;  ///< unit, world, t = 0; empty: see turns_by_own_axes()
  std::optional<Eigen::Vector3d> second_axis;  ///< of the second place, as `axis`
  std::optional<Eigen::Vector3d> reference;    ///< unit, world: second direction, angles are 0
  std::optional<Eigen::Vector3d> plane_at;     ///< rolling: a point of the plane, m
  Eigen::Vector3d normal = Eigen::Vector3d::UnitZ();  ///< rolling: unit, world, of the plane
  std::optional<double> length;                       ///< distance: m; empty: as drawn
  double pitch = 0.0;                                 ///< screw: m per turn
  double radius = 0.0;                                ///< rolling: m
  bool may_share = true;            ///< fixed: the interfaces of superelements may be one node
  std::vector<CouplingTerm> terms;  ///< of a coupling; their sum is `constant`
  double constant = 0.0;
  std::string joint;  ///< drive of an existing joint: its name; else empty
  /// rotation_drive, translation_drive, distance_drive: the first (rad, m, per s); point_path: x,
  /// y, z where given
  std::array<std::optional<math::TimeFunction>, 3> laws;
  DriveLevel level = DriveLevel::position;
  /// point_path, distance_drive by acceleration: laws are added to what is drawn
  bool starts_as_drawn = false;
  std::string law_text;  ///< key and value as the file gives them, for messages and summaries
  JointForcesDescription forces;
  base::SourceLocation where;
};

/// A joint that needs an axis and is given none: each of its places brings its own z axis.
bool turns_by_own_axes(const JointDescription& joint);

/// The word that the model file uses.
const char* name(JointType type);
const char* name(JointCoordinate coordinate);

}  // namespace solidyn::model
