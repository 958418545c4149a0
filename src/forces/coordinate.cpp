#include "solidyn/forces/coordinate.h"

#include <cmath>
#include <limits>

#include "solidyn/base/error.h"
#include "solidyn/math/rotation.h"

namespace solidyn::forces {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;

// Where the four three-vectors of a pair's variations begin.
constexpr int kPA = 0, kRA = 3, kPB = 6, kRB = 9;

CoordinateValue distance(const FramePair& f) {
  const Vector3d d = f.B.p - f.A.p;
  const double length = d.norm();
  if (!(length > std::numeric_limits<double>::min()))
    throw base::ComputationError("the two points of a force along their distance meet");
  CoordinateValue c;
  c.x = length;
  c.J.segment<3>(kPB) = d.transpose() / length;
  c.J.segment<3>(kPA) = -c.J.segment<3>(kPB);
  return c;
}

Matrix12 distance_curvature(const FramePair& f) {
  const Vector3d d = f.B.p - f.A.p;
  const double length = d.norm();
  const Vector3d e = d / length;
  const Matrix3d P = (Matrix3d::Identity() - e * e.transpose()) / length;
  Matrix12 H = Matrix12::Zero();
  H.block<3, 3>(kPA, kPA) = H.block<3, 3>(kPB, kPB) = P;
  H.block<3, 3>(kPA, kPB) = H.block<3, 3>(kPB, kPA) = -P;
  return H;
}

CoordinateValue slide(const FramePair& f) {
  const Vector3d d_A = f.A.R.transpose() * (f.B.p - f.A.p);
  CoordinateValue c;
  c.x = d_A.z();
  c.J.segment<3>(kPB) = f.A.R.col(2).transpose();
  c.J.segment<3>(kPA) = -c.J.segment<3>(kPB);
  c.J.segment<3>(kRA) = Vector3d::UnitZ().cross(d_A).transpose();
  return c;
}

Matrix12 slide_curvature(const FramePair& f) {
  const Vector3d d_A = f.A.R.transpose() * (f.B.p - f.A.p);
  const Matrix3d z = skew(Vector3d::UnitZ()), Rz = f.A.R * z;
  Matrix12 H = Matrix12::Zero();
  H.block<3, 3>(kPA, kRA) = Rz;
  H.block<3, 3>(kPB, kRA) = -Rz;
  H.block<3, 3>(kRA, kPA) = -z * f.A.R.transpose();
  H.block<3, 3>(kRA, kPB) = z * f.A.R.transpose();
  H.block<3, 3>(kRA, kRA) = z * skew(d_A);
  return H;
}

// B's x axis in A's axes, its angle's gradient g = d(atan2(b_y, b_x))/db and that of g.
struct Direction {
  Matrix3d C;  // R_AB
  Vector3d b, g;
  Matrix3d dg;
};

Direction direction(const FramePair& f) {
  constexpr double kAlongAxis = 1e-12;
  Direction d;
  d.C = f.A.R.transpose() * f.B.R;
  d.b = d.C.col(0);
  const double square = d.b.x() * d.b.x() + d.b.y() * d.b.y();
  if (!(square > kAlongAxis))
    throw base::ComputationError(
        "a rotation about an axis is not defined: the second frame's x axis stands along it");
  const Vector3d turned(-d.b.y(), d.b.x(), 0.0), radial(d.b.x(), d.b.y(), 0.0);
  d.g = turned / square;
  d.dg = -2.0 / (square * square) * turned * radial.transpose();
  d.dg(0, 1) -= 1.0 / square;
  d.dg(1, 0) += 1.0 / square;
  return d;
}

CoordinateValue rotation(const FramePair& f) {
  const Direction d = direction(f);
  CoordinateValue c;
  c.x = f.angle;
  c.J.segment<3>(kRA) = d.g.cross(d.b).transpose();
  c.J.segment<3>(kRB) = Vector3d::UnitX().cross(d.C.transpose() * d.g).transpose();
  return c;
}

// Of J_A = g x b and J_B = x cross C^T g, with db = skew(b) dtheta_A - C skew(x) dtheta_B.
Matrix12 rotation_curvature(const FramePair& f) {
  const Direction d = direction(f);
  const Matrix3d x = skew(Vector3d::UnitX());
  const Matrix3d by_b = skew(d.g) - skew(d.b) * d.dg;
  const Matrix3d b_by_A = skew(d.b), b_by_B = -d.C * x;
  Matrix12 H = Matrix12::Zero();
  H.block<3, 3>(kRA, kRA) = by_b * b_by_A;
  H.block<3, 3>(kRA, kRB) = by_b * b_by_B;
  H.block<3, 3>(kRB, kRA) = x * d.C.transpose() * (d.dg * b_by_A - skew(d.g));
  H.block<3, 3>(kRB, kRB) = x * (skew(d.C.transpose() * d.g) + d.C.transpose() * d.dg * b_by_B);
  return H;
}

}  // namespace

CoordinateValue coordinate_value(Coordinate coordinate, const FramePair& f) {
  switch (coordinate) {
    case Coordinate::distance:
      return distance(f);
    case Coordinate::slide:
      return slide(f);
    case Coordinate::rotation:
      break;
  }
  return rotation(f);
}

Matrix12 coordinate_curvature(Coordinate coordinate, const FramePair& f) {
  switch (coordinate) {
    case Coordinate::distance:
      return distance_curvature(f);
    case Coordinate::slide:
      return slide_curvature(f);
    case Coordinate::rotation:
      break;
  }
  return rotation_curvature(f);
}

}  // namespace solidyn::forces
