#include <fmt/format.h>

#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/joints/curve.h"
#include "solidyn/math/rotation.h"

namespace solidyn::joints {
namespace {

using bodies::Row12;
using Curve = std::shared_ptr<const SpaceCurve>;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;

/// A function of where B's origin is in A, d = R_A^T (p_B - p_A): its derivatives by d.
struct ByPosition {
  double value = 0.0;
  Vector3d gradient;
  Matrix3d hessian;
};

Vector3d position_in_A(const FramePair& f) { return f.A.R.transpose() * (f.B.p - f.A.p); }

// d(d) = R_A^T (dp_B - dp_A) + d x dtheta_A
Row12 row_of(const Vector3d& gradient, const Vector3d& d, const FramePair& f) {
  const Vector3d g_W = f.A.R * gradient;
  Row12 J = Row12::Zero();
  J << -g_W.transpose(), gradient.cross(d).transpose(), g_W.transpose(), 0.0, 0.0, 0.0;
  return J;
}

void add_stiffness_of_position(const ByPosition& of, const Vector3d& d, const FramePair& f,
                               double lambda, Matrix12& K) {
  Eigen::Matrix<double, 3, 12> D = Eigen::Matrix<double, 3, 12>::Zero();
  D << -f.A.R.transpose(), skew(d), f.A.R.transpose(), Matrix3d::Zero();
  Eigen::Matrix<double, 3, 12> turn = Eigen::Matrix<double, 3, 12>::Zero();
  turn.middleCols<3>(3) = -f.A.R * skew(of.gradient);
  const Eigen::Matrix<double, 3, 12> force = lambda * (f.A.R * of.hessian * D + turn);
  K.topRows<3>() -= force;
  K.middleRows<3>(6) += force;
  K.middleRows<3>(3) += lambda * (skew(of.gradient) - skew(d) * of.hessian) * D;
}

/// The place of a curve that is nearest to d, e . c' = 0 with e = d - c(u), and how it moves with
/// d: u_d = c'/D, D = c' . c' - e . c''.
struct Foot {
  Foot(const SpaceCurve& curve, const Vector3d& d, double near)
      : u(curve.nearest(d, near)), c(curve.at(u)), e(d - c.value) {
    const Vector3d third = curve.third_derivative(u);
    const double valley = c.first.squaredNorm() - e.dot(c.second);
    by_d = c.first / valley;
    const double bent = 3.0 * c.first.dot(c.second) - e.dot(third);
    hessian = (c.second * by_d.transpose() + by_d * c.second.transpose() -
               bent * by_d * by_d.transpose()) /
              valley;
  }

  double u;
  SpaceCurve::Values c;
  Vector3d e, by_d;
  Matrix3d hessian;
};

/// Where on the curve the point is: u from as modelled.
class CurvePlace final : public bodies::TrackedCoordinate {
 public:
  CurvePlace(std::string name, Curve curve, double start)
      : name_(std::move(name)), curve_(std::move(curve)), start_(start) {}

  double follow(const FramePair& f) const override {
    return curve_->nearest(position_in_A(f), start_ + f.angle) - start_;
  }
  Row12 row(const FramePair& f) const override {
    const Vector3d d = position_in_A(f);
    return row_of(Foot(*curve_, d, start_ + f.angle).by_d, d, f);
  }
  double turn_per_unit(double value) const override {
    return curve_->curvature(start_ + value) * curve_->at(start_ + value).first.norm();
  }
  std::string rejection(double before, double now, double moved) const override;
  void require_possible(double value, double t) const override;

 private:
  std::string name_;
  Curve curve_;
  double start_;
};

// Where the curve turns little, what the motion makes of the way to first order is nearly the way;
// where it does not, the point is on another part of the curve.
std::string CurvePlace::rejection(double before, double now, double moved) const {
  constexpr double kBend = 1.0, kSame = 0.5, kNothing = 1e-6;
  const double bend = curve_->bend(start_ + before, start_ + now), way = now - before;
  if (bend > kBend)
    return fmt::format("the curve of joint {} turns by {:.3g} rad in it, too far to be followed",
                       name_, bend);
  if (std::abs(way - moved) > kSame * std::abs(way) + kNothing * curve_->end())
    return fmt::format(
        "the point of joint {} comes to another part of its curve, {:.3g} m along it, while it moves by {:.3g} m",
        name_, way, moved);
  return {};
}

void CurvePlace::require_possible(double value, double t) const {
  constexpr double kOnIt = 1e-9;
  const double u = start_ + value, beyond = kOnIt * curve_->end();
  if (curve_->is_closed() || (u >= -beyond && u <= curve_->end() + beyond)) return;
  throw base::ComputationError(fmt::format(
      "t = {:.6g} s: the point of joint {} runs off the {} of its curve\n  give the joint `limits` that stop it before, give the curve more points, close it, or stop the analysis there",
      t, name_, u < 0.0 ? "beginning" : "end"));
}

/// The point's distance from the curve along one of its normals N, phi = N . e.
class CurveOffset final : public bodies::UserCoordinate::Formula {
 public:
  CurveOffset(Curve curve, double start, int normal)
      : curve_(std::move(curve)), start_(start), normal_(normal) {}

  CoordinateValue value(const FramePair& f) const override {
    const Vector3d d = position_in_A(f);
    const ByPosition of = evaluate(d, start_ + f.angle);
    return {of.value, row_of(of.gradient, d, f)};
  }
  void add_stiffness(const FramePair& f, double lambda, Matrix12& K) const override {
    const Vector3d d = position_in_A(f);
    add_stiffness_of_position(evaluate(d, start_ + f.angle), d, f, lambda, K);
  }

 private:
  ByPosition evaluate(const Vector3d& d, double near) const {
    const Foot foot(*curve_, d, near);
    const SpaceCurve::Values N = curve_->normals(foot.u)[normal_];
    const double by_u = N.first.dot(foot.e) - N.value.dot(foot.c.first);
    const double by_u_u =
        N.second.dot(foot.e) - 2.0 * N.first.dot(foot.c.first) - N.value.dot(foot.c.second);
    const Matrix3d mixed = N.first * foot.by_d.transpose();
    return {N.value.dot(foot.e), N.value + by_u * foot.by_d,
            mixed + mixed.transpose() + by_u_u * foot.by_d * foot.by_d.transpose() +
                by_u * foot.hessian};
  }

  Curve curve_;
  double start_;
  int normal_;
};

/// How far along the curve the point is, from as modelled.
class CurveLength final : public bodies::UserCoordinate::Formula {
 public:
  CurveLength(Curve curve, double start)
      : curve_(std::move(curve)), start_(start), length_(curve_->arc_length(start)) {}

  CoordinateValue value(const FramePair& f) const override {
    const Vector3d d = position_in_A(f);
    const Foot foot(*curve_, d, start_ + f.angle);
    return {curve_->arc_length(foot.u) - length_, row_of(foot.c.first.norm() * foot.by_d, d, f)};
  }
  void add_stiffness(const FramePair& f, double lambda, Matrix12& K) const override {
    const Vector3d d = position_in_A(f);
    const Foot foot(*curve_, d, start_ + f.angle);
    const double speed = foot.c.first.norm();
    const Matrix3d bent =
        foot.c.first.dot(foot.c.second) / speed * foot.by_d * foot.by_d.transpose();
    add_stiffness_of_position({0.0, speed * foot.by_d, bent + speed * foot.hessian}, d, f, lambda,
                              K);
  }

 private:
  Curve curve_;
  double start_, length_;
};

}  // namespace

PointOnCurve point_on_curve(const std::string& name, const Curve& curve, const Vector3d& drawn) {
  const double start = curve->nearest(drawn);
  JointRows rows;
  rows.tracked = std::make_shared<CurvePlace>(name, curve, start);
  const char* names[] = {"translation along the curve's first normal",
                         "translation along the curve's second normal"};
  for (int i = 0; i < 2; ++i) {
    rows.primitives.emplace_back(
        bodies::UserCoordinate(std::make_shared<CurveOffset>(curve, start, i)));
    rows.names.emplace_back(names[i]);
  }
  return {std::move(rows), bodies::UserCoordinate(std::make_shared<CurveLength>(curve, start))};
}

}  // namespace solidyn::joints
