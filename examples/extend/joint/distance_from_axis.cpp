#include "distance_from_axis.h"

#include <solidyn/base/error.h>
#include <solidyn/math/rotation.h>

#include <limits>

using namespace solidyn;
using bodies::CoordinateValue;
using bodies::FramePair;
using bodies::Matrix12;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;

namespace {

// Of d, in A's axes: along the axis, and across it.
struct Parts {
  Vector3d d, u;  // u = h / rho
  double along, rho;
};

Parts parts_of(const FramePair& f) {
  Parts p;
  p.d = f.A.R.transpose() * (f.B.p - f.A.p);
  p.along = p.d.z();
  p.rho = p.d.head<2>().norm();
  if (!(p.rho > std::numeric_limits<double>::min()))
    throw base::ComputationError("a point whose distance from an axis is measured lies on it");
  p.u << p.d.head<2>() / p.rho, 0.0;
  return p;
}

}  // namespace

// d(rho) = u . dd - along u . dz: the point moves, and the axis turns, dz = R_WA (dtheta_A x e_z).
CoordinateValue DistanceFromAxis::value(const FramePair& f) const {
  const Parts p = parts_of(f);
  const Vector3d u_W = f.A.R * p.u;
  CoordinateValue r;
  r.value = p.rho;
  r.J.segment<3>(0) = -u_W.transpose();
  r.J.segment<3>(3) = -p.along * Vector3d::UnitZ().cross(p.u).transpose();
  r.J.segment<3>(6) = u_W.transpose();
  return r;
}

// The same rows once more, with what d and u are by the variations: in A's axes
//   dd = R_WA^T (dp_B - dp_A) + d x dtheta_A,   du = (I - e_z e_z^T - u u^T) dd / rho.
void DistanceFromAxis::add_stiffness(const FramePair& f, double lambda, Matrix12& K) const {
  using Matrix3x12 = Eigen::Matrix<double, 3, 12>;
  const Parts p = parts_of(f);
  const Vector3d z = Vector3d::UnitZ();
  Matrix3x12 dd = Matrix3x12::Zero();
  dd.block<3, 3>(0, 0) = -f.A.R.transpose();
  dd.block<3, 3>(0, 3) = skew(p.d);
  dd.block<3, 3>(0, 6) = f.A.R.transpose();
  const Matrix3d across = Matrix3d::Identity() - z * z.transpose() - p.u * p.u.transpose();
  const Matrix3x12 du = across / p.rho * dd;
  Matrix3x12 du_W = f.A.R * du;  // of R_WA u
  du_W.block<3, 3>(0, 3) -= f.A.R * skew(p.u);
  K.middleRows<3>(0) -= lambda * du_W;
  K.middleRows<3>(3) -= lambda * (z.cross(p.u) * dd.row(2) + p.along * skew(z) * du);
  K.middleRows<3>(6) += lambda * du_W;
}
