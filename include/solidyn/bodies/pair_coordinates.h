#pragma once
#include <Eigen/Dense>
#include <cmath>
#include <memory>
#include <optional>
#include <variant>

#include "solidyn/bodies/frame_pair.h"

/// Scalars of two frames A and B that joints, couplers, drives, forces and sensors are made of.
/// Variations are ordered [dp_A (W), dtheta_A (A's axes), dp_B (W), dtheta_B (B's axes)]; so are
/// twists. Each class has
///   value(f)                     the coordinate and its row J, d(coordinate)/dt = J twist
///   add_stiffness(f, lambda, K)  K += lambda dJ^T/d(variation)
/// from which everything else follows (bias_of). Formulas: doc/theory/joints.md; proved by
/// ConstraintContract.*.
namespace solidyn::bodies {

using Row12 = Eigen::Matrix<double, 1, 12>;

struct CoordinateValue {
  double value = 0.0;
  Row12 J = Row12::Zero();
};

/// e . (p_WB - p_WA), e a world axis. m
class PointAlongWorldAxis {
 public:
  explicit PointAlongWorldAxis(int axis) : axis_(axis) {}
  CoordinateValue value(const FramePair& f) const;
  void add_stiffness(const FramePair&, double, Matrix12&) const {}

 private:
  int axis_;
};

/// (R_WA n) . (p_WB - p_WA), n fixed in A. m
class PointAlongFrameAxis {
 public:
  explicit PointAlongFrameAxis(const Eigen::Vector3d& n_A) : n_(n_A) {}
  CoordinateValue value(const FramePair& f) const;
  void add_stiffness(const FramePair& f, double lambda, Matrix12& K) const;

 private:
  Eigen::Vector3d n_;
};

/// |p_WB - p_WA|. m. @throws base::ComputationError where the points meet
class Distance {
 public:
  CoordinateValue value(const FramePair& f) const;
  void add_stiffness(const FramePair& f, double lambda, Matrix12& K) const;
};

/// (R_WA a) . (R_WB b).
class AxesDot {
 public:
  AxesDot(const Eigen::Vector3d& a_A, const Eigen::Vector3d& b_B) : a_(a_A), b_(b_B) {}
  CoordinateValue value(const FramePair& f) const;
  double dot(const FramePair& f) const { return (f.A.R * a_).dot(f.B.R * b_); }
  void add_stiffness(const FramePair& f, double lambda, Matrix12& K) const;
  bool operator==(const AxesDot& other) const { return a_ == other.a_ && b_ == other.b_; }

 private:
  Eigen::Vector3d a_, b_;
};

/// A dot product of two axes, or the sum of two.
class DotsSum {
 public:
  DotsSum(const AxesDot& only) : first_(only) {}  // NOLINT(google-explicit-constructor)
  DotsSum(const AxesDot& first, const AxesDot& second) : first_(first), second_(second) {}
  CoordinateValue value(const FramePair& f) const;
  double dot(const FramePair& f) const { return first_.dot(f) + (second_ ? second_->dot(f) : 0.0); }
  void add_stiffness(const FramePair& f, double lambda, Matrix12& K) const;
  bool operator==(const DotsSum& other) const {
    return first_ == other.first_ && second_ == other.second_;
  }

 private:
  AxesDot first_;
  std::optional<AxesDot> second_;
};

/// atan2(sine, cosine) of dot products, rad: the value nearest to the pair's angle, so with whole
/// turns where that is tracked, and else in (-pi, pi].
class AngleOfDots {
 public:
  AngleOfDots(const DotsSum& sine, const DotsSum& cosine) : sine_(sine), cosine_(cosine) {}
  /// @throws base::ComputationError where sine and cosine vanish: the direction that turns stands
  /// along the axis
  CoordinateValue value(const FramePair& f) const;
  /// In (-pi, pi]; anything where sine and cosine vanish.
  double wrapped(const FramePair& f) const { return std::atan2(sine_.dot(f), cosine_.dot(f)); }
  void add_stiffness(const FramePair& f, double lambda, Matrix12& K) const;
  bool operator==(const AngleOfDots& other) const {
    return sine_ == other.sine_ && cosine_ == other.cosine_;
  }

 private:
  DotsSum sine_, cosine_;
};

/// The angle of B's x axis about A's z axis, atan2(y_A . x_B, x_A . x_B), rad.
class RotationAngle : public AngleOfDots {
 public:
  RotationAngle();
};

/// Of R_AB = Rx(first) Ry(second): the angle about x of A (arm 1), or about y of B (arm 2).
AngleOfDots angle_about_arm(int arm);

/// Of R_AB = exp(tilt) exp(angle e), e the axis 0, 1 or 2 and the tilt normal to it: the angle.
/// Unlike RotationAngle it is the same seen from B, and is defined up to a tilt of half a turn.
AngleOfDots twist_angle(int axis);

/// first - factor * second.
template <class First, class Second>
class Difference {
 public:
  Difference(const First& first, double factor, const Second& second)
      : first_(first), second_(second), factor_(factor) {}
  CoordinateValue value(const FramePair& f) const {
    CoordinateValue r = first_.value(f);
    const CoordinateValue s = second_.value(f);
    r.value -= factor_ * s.value;
    r.J -= factor_ * s.J;
    return r;
  }
  void add_stiffness(const FramePair& f, double lambda, Matrix12& K) const {
    first_.add_stiffness(f, lambda, K);
    second_.add_stiffness(f, -factor_ * lambda, K);
  }

 private:
  First first_;
  Second second_;
  double factor_;
};

/// Of a screw: advance along A's z less pitch times angle.
using ScrewAdvance = Difference<PointAlongFrameAxis, RotationAngle>;
/// Of two shafts with a constant-velocity joint: x_A . y_B - y_A . x_B.
using DotsDifference = Difference<AxesDot, AxesDot>;

/// How a disc of radius r touches a plane: p_WB is the disc's centre, z_B its axis; the plane goes
/// through p_WA with the normal z_A. With u the unit vector in the disc's plane that points away
/// from the plane, the disc's lowest point is p_WB - r u. The row is the velocity of the disc's
/// material there, relative to the plane's, along an axis of A.
///   axis z: it is the derivative of the height of that point over the plane, the value. m
///   axes x, y: slip, m/s, which is no derivative of a coordinate: the value is zero.
/// @pre the disc does not lie flat on the plane
class RollingContact {
 public:
  RollingContact(double radius, int axis) : radius_(radius), axis_(axis) {}
  CoordinateValue value(const FramePair& f) const;
  void add_stiffness(const FramePair& f, double lambda, Matrix12& K) const;

 private:
  double radius_;
  int axis_;
};

/// A coordinate that a program defines for itself: joints, drives, springs and stops take it as any
/// other. Copies share the formula, which has no state. doc/extending/joint.md; proved by
/// ConstraintContract.* and examples/extend/joint.
class UserCoordinate {
 public:
  class Formula {
   public:
    Formula() = default;
    virtual ~Formula() = default;
    Formula(const Formula&) = delete;
    Formula& operator=(const Formula&) = delete;
    virtual CoordinateValue value(const FramePair& f) const = 0;
    virtual void add_stiffness(const FramePair& f, double lambda, Matrix12& K) const = 0;
  };
  explicit UserCoordinate(std::shared_ptr<const Formula> formula) : formula_(std::move(formula)) {}
  CoordinateValue value(const FramePair& f) const { return formula_->value(f); }
  void add_stiffness(const FramePair& f, double lambda, Matrix12& K) const {
    formula_->add_stiffness(f, lambda, K);
  }

 private:
  std::shared_ptr<const Formula> formula_;
};

using Coordinate =
    std::variant<PointAlongWorldAxis, PointAlongFrameAxis, AxesDot, RotationAngle, AngleOfDots,
                 Distance, ScrewAdvance, DotsDifference, RollingContact, UserCoordinate>;

inline CoordinateValue value_of(const Coordinate& coordinate, const FramePair& f) {
  return std::visit([&](const auto& c) { return c.value(f); }, coordinate);
}
inline void add_stiffness_of(const Coordinate& coordinate, const FramePair& f, double lambda,
                             Matrix12& K) {
  std::visit([&](const auto& c) { c.add_stiffness(f, lambda, K); }, coordinate);
}
/// (dJ/dt) twist: the coordinate's second derivative is J d(twist)/dt + bias.
double bias_of(const Coordinate& coordinate, const FramePair& f);
/// The coordinate as an angle, which may be off by whole turns; null for others.
const AngleOfDots* as_angle(const Coordinate& coordinate);
inline bool is_angle(const Coordinate& coordinate) { return as_angle(coordinate) != nullptr; }

}  // namespace solidyn::bodies
