#include "inverse_square.h"

using namespace solidyn;
using bodies::FramePair;
using bodies::Matrix12;
using bodies::Vector12;
using Eigen::Matrix3d;
using Eigen::Vector3d;

Vector12 InverseSquare::wrench(const FramePair& f, double) const {
  const Vector3d d = f.B.p - f.A.p;
  const double r = d.norm();
  Vector12 w = Vector12::Zero();
  w.segment<3>(0) = k_ / (r * r * r) * d;
  w.segment<3>(6) = -w.segment<3>(0);
  return w;
}

// Of the force on A by d: k / r^3 (I - 3 u u^T), u = d / r.
void InverseSquare::add_derivatives(const FramePair& f, double, Matrix12& by_position,
                                    Matrix12&) const {
  const Vector3d d = f.B.p - f.A.p, u = d.normalized();
  const double r = d.norm();
  const Matrix3d by_d = k_ / (r * r * r) * (Matrix3d::Identity() - 3.0 * u * u.transpose());
  by_position.block<3, 3>(0, 0) -= by_d;
  by_position.block<3, 3>(0, 6) += by_d;
  by_position.block<3, 3>(6, 0) += by_d;
  by_position.block<3, 3>(6, 6) -= by_d;
}

double InverseSquare::energy(const FramePair& f, double) const {
  return -k_ / (f.B.p - f.A.p).norm();
}

// What it does to the bodies it takes from what it stores.
double InverseSquare::power(const FramePair&, double) const { return 0.0; }
