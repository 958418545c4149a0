#pragma once
#include <string>

#include "solidyn/bodies/frame_pair.h"
#include "solidyn/math/time_function.h"

/// The scalar constraints between two frames A and B from which every joint is made. Variations are
/// ordered [dp_A (W), dtheta_A (A's axes), dp_B (W), dtheta_B (B's axes)]; so are twists.
namespace solidyn::joints {

using Row12 = Eigen::Matrix<double, 1, 12>;
using bodies::FramePair;
using bodies::Matrix12;

struct PrimitiveValue {
  double phi = 0.0;
  Row12 J = Row12::Zero();
};

/// e . (p_WB - p_WA) = 0, e a world axis.
class PointAlongWorldAxis {
 public:
  explicit PointAlongWorldAxis(int axis) : axis_(axis) {}
  PrimitiveValue value(const FramePair& f, double t) const;
  double gamma(const FramePair& f, double t) const { return 0.0; }
  double nu(double t) const { return 0.0; }
  void add_stiffness(const FramePair& f, double t, double lambda, Matrix12& K) const {}

 private:
  int axis_;
};

/// (R_WA n) . (p_WB - p_WA) = 0, n fixed in A.
class PointAlongFrameAxis {
 public:
  explicit PointAlongFrameAxis(const Eigen::Vector3d& n_A) : n_(n_A) {}
  PrimitiveValue value(const FramePair& f, double t) const;
  double gamma(const FramePair& f, double t) const;
  double nu(double t) const { return 0.0; }
  void add_stiffness(const FramePair& f, double t, double lambda, Matrix12& K) const;

 private:
  Eigen::Vector3d n_;
};

/// (R_WA a) . (R_WB b) = c.
class AxesDot {
 public:
  AxesDot(const Eigen::Vector3d& a_A, const Eigen::Vector3d& b_B, double c = 0.0)
      : a_(a_A), b_(b_B), c_(c) {}
  PrimitiveValue value(const FramePair& f, double t) const;
  double gamma(const FramePair& f, double t) const;
  double nu(double t) const { return 0.0; }
  void add_stiffness(const FramePair& f, double t, double lambda, Matrix12& K) const;

 private:
  Eigen::Vector3d a_, b_;
  double c_;
};

/// angle(t) - f(t) = 0, the angle of B's x axis about A's z axis: atan2(y_A . x_B, x_A . x_B),
/// wrapped.
class DrivenAngle {
 public:
  explicit DrivenAngle(math::TimeFunction angle) : angle_(std::move(angle)) {}
  PrimitiveValue value(const FramePair& f, double t) const;
  double gamma(const FramePair& f, double t) const;
  double nu(double t) const { return angle_.first_derivative(t); }
  void add_stiffness(const FramePair& f, double t, double lambda, Matrix12& K) const;

 private:
  math::TimeFunction angle_;
};

}  // namespace solidyn::joints
