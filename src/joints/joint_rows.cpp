#include "solidyn/joints/joint.h"

namespace solidyn::joints {
namespace {

using bodies::AxesDot;
using bodies::Distance;
using bodies::DotsDifference;
using bodies::PointAlongFrameAxis;
using bodies::PointAlongWorldAxis;
using bodies::RollingContact;
using bodies::RotationAngle;
using bodies::ScrewAdvance;
using Eigen::Vector3d;

void add_row(JointRows& rows, Primitive primitive, std::string name) {
  rows.primitives.push_back(std::move(primitive));
  rows.names.push_back(std::move(name));
}

void add_coincident_points(JointRows& rows) {
  const char* names[] = {"translation along world x", "translation along world y",
                         "translation along world z"};
  for (int i = 0; i < 3; ++i) add_row(rows, PointAlongWorldAxis(i), names[i]);
}

void add_point_along(JointRows& rows, int axis) {
  const char* names[] = {"translation along joint x", "translation along joint y",
                         "translation along joint z"};
  add_row(rows, PointAlongFrameAxis(Vector3d::Unit(axis)), names[axis]);
}

AxesDot dot(int a, int b) { return {Vector3d::Unit(a), Vector3d::Unit(b)}; }

// B's x and y stay normal to A's z.
void add_parallel_z(JointRows& rows) {
  add_row(rows, dot(2, 1), "rotation about joint x");
  add_row(rows, dot(2, 0), "rotation about joint y");
}

void add_no_spin(JointRows& rows) { add_row(rows, dot(0, 1), "rotation about joint z"); }

void add_point_on_line(JointRows& rows) {
  add_point_along(rows, 0);
  add_point_along(rows, 1);
}

// Of what leaves more than four coordinates free, or ones without a global chart, there is none.
std::optional<Hinge> hinge_of(JointType type) {
  using Kind = Hinge::Kind;
  switch (type) {
    case JointType::fixed:
      return Hinge(Kind::fixed);
    case JointType::spherical:
      return Hinge(Kind::spherical);
    case JointType::revolute:
      return Hinge(Kind::revolute);
    case JointType::cylindrical:
      return Hinge(Kind::cylindrical);
    case JointType::prismatic:
      return Hinge(Kind::prismatic);
    case JointType::planar:
      return Hinge(Kind::planar);
    case JointType::universal:
      return Hinge(Kind::universal);
    case JointType::constant_velocity:
      return Hinge(Kind::constant_velocity);
    case JointType::point_on_line:
      return Hinge(Kind::point_on_line);
    case JointType::parallel_axes:
      return Hinge(Kind::parallel_axes);
    case JointType::orientation:
      return Hinge(Kind::orientation);
    case JointType::point_on_plane:
    case JointType::perpendicular_axes:
      return {};
  }
  return {};
}

}  // namespace

JointRows joint_rows(JointType type) {
  JointRows rows;
  rows.hinge = hinge_of(type);
  switch (type) {
    case JointType::fixed:
      add_coincident_points(rows);
      add_parallel_z(rows);
      add_no_spin(rows);
      break;
    case JointType::spherical:
      add_coincident_points(rows);
      break;
    case JointType::revolute:
      add_coincident_points(rows);
      add_parallel_z(rows);
      break;
    case JointType::cylindrical:
      add_point_on_line(rows);
      add_parallel_z(rows);
      break;
    case JointType::prismatic:
      add_point_on_line(rows);
      add_parallel_z(rows);
      add_no_spin(rows);
      break;
    case JointType::planar:
      add_point_along(rows, 2);
      add_parallel_z(rows);
      break;
    case JointType::universal:
      add_coincident_points(rows);
      add_no_spin(rows);
      break;
    case JointType::constant_velocity:
      add_coincident_points(rows);
      add_row(rows, DotsDifference(dot(0, 1), 1.0, dot(1, 0)), "rotation about the shafts");
      break;
    case JointType::point_on_line:
      add_point_on_line(rows);
      break;
    case JointType::point_on_plane:
      add_point_along(rows, 2);
      break;
    case JointType::parallel_axes:
      add_parallel_z(rows);
      break;
    case JointType::perpendicular_axes:
      add_row(rows, dot(2, 0), "angle between the axes");
      break;
    case JointType::orientation:
      add_parallel_z(rows);
      add_no_spin(rows);
      break;
  }
  return rows;
}

JointRows screw_rows(double pitch) {
  JointRows rows = joint_rows(JointType::cylindrical);
  add_row(
      rows,
      ScrewAdvance(PointAlongFrameAxis(Vector3d::UnitZ()), pitch / (2.0 * M_PI), RotationAngle()),
      "advance of the screw");
  rows.hinge = Hinge::screw(pitch);
  return rows;
}

JointRows distance_rows(double length) {
  JointRows rows;
  add_row(rows, Primitive(Distance(), length), "distance");
  return rows;
}

JointRows rolling_rows(double radius) {
  JointRows rows;
  add_row(rows, Primitive::without_slip({radius, 0}), "slip along joint x");
  add_row(rows, Primitive::without_slip({radius, 1}), "slip along joint y");
  add_row(rows, RollingContact(radius, 2), "height over the plane");
  return rows;
}

JointRows drive_rows(const Coordinate& coordinate, math::TimeFunction law, std::string name,
                     Constraint::Level level) {
  JointRows rows;
  add_row(rows, Primitive(coordinate, std::move(law), level), std::move(name));
  return rows;
}

JointRows rotation_drive_rows(math::TimeFunction law, Constraint::Level level) {
  return drive_rows(RotationAngle(), std::move(law), "driven angle", level);
}

JointRows translation_drive_rows(math::TimeFunction law, Constraint::Level level) {
  return drive_rows(PointAlongFrameAxis(Vector3d::UnitZ()), std::move(law), "driven translation",
                    level);
}

JointRows distance_drive_rows(math::TimeFunction law, Constraint::Level level, double start) {
  JointRows rows;
  add_row(rows, Primitive(Distance(), std::move(law), level, start), "driven length");
  return rows;
}

JointRows point_path_rows(const std::array<std::optional<math::TimeFunction>, 3>& laws,
                          Constraint::Level level, const Vector3d& start) {
  const char* names[] = {"driven x", "driven y", "driven z"};
  JointRows rows;
  for (int i = 0; i < 3; ++i)
    if (laws[i])
      add_row(rows, Primitive(PointAlongFrameAxis(Vector3d::Unit(i)), *laws[i], level, start[i]),
              names[i]);
  return rows;
}

}  // namespace solidyn::joints
