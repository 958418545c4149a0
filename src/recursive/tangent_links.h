#pragma once
#include <vector>

#include "math/small_product.h"
#include "solidyn/math/rotation.h"
#include "solidyn/recursive/step_tangent.h"

namespace solidyn::recursive {

/// How the motion of a link varies, as fields at its origin in world axes: [displacement; its rate;
/// rotation; its rate; second rates of both]. Of its own unknowns
///   dp = d, dv = d' + theta x v, dw = theta' + theta x w,
///   da = d'' + 2 theta' x v + theta x a, dalpha = theta'' + theta' x w + theta x alpha
/// doc/theory/recursive.md (5)
using Variation = Eigen::Matrix<double, 18, 1>;
using Rows18 = Eigen::Matrix<double, 6, 18>;
constexpr int kPosition = 0, kVelocity = 3, kRotation = 6, kTurning = 9, kAcceleration = 12,
              kTurningRate = 15;

/// Whether forces depend on positions and linear velocities: inertia and gravity do not, and then
/// nothing has to know how displacements and their rates vary. The others come last.
enum class Depends { on_all, on_turning };
template <Depends depends>
constexpr int kVarying = depends == Depends::on_all ? 18 : 18 - kRotation;

/// The fields of a link's parent at the link's origin, which is r before the parent's: those that
/// the link has too when nothing between the two moves.
struct Shift {
  Eigen::Vector3d r = Eigen::Vector3d::Zero();

  /// x := this * x
  template <Depends depends = Depends::on_all>
  void move(Variation& x) const {
    const Eigen::Vector3d theta = x.segment<3>(kRotation), rate = x.segment<3>(kTurning),
                          second = x.segment<3>(kTurningRate);
    if constexpr (depends == Depends::on_all) {
      x.segment<3>(kPosition) += theta.cross(r);
      x.segment<3>(kVelocity) += rate.cross(r);
    }
    x.segment<3>(kAcceleration) += second.cross(r);
  }
  /// M := M * this, of rows on the link's variations.
  template <Depends depends = Depends::on_all, class Rows>
  void multiply(Rows&& M) const {
    if constexpr (depends == Depends::on_all) {
      add_turned(M, kPosition, kRotation);
      add_turned(M, kVelocity, kTurning);
    }
    add_turned(M, kAcceleration, kTurningRate);
  }

 private:
  // Of each row m of three columns what m . (theta x r) = (r x m) . theta is by theta.
  template <class Rows>
  void add_turned(Rows&& M, int from, int to) const {
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, l = (i + 2) % 3;
      M.col(to + i) += r[j] * M.col(from + l) - r[l] * M.col(from + j);
    }
  }
};

/// The forces of inertia and gravity of a rigid body on its motion.
void add_rigid_tangent(const Link& k, const Eigen::Vector3d& gravity, Rows18& M);

/// Derivatives of rows [force; torque in B; modal] of the body `row` by the velocities, positions
/// and accelerations of `column`, as rows [force, torque in W; modal] by its variations and modes,
/// [18; modes].
/// @param axes  of the linear velocities and forces: those of the world, or of the body itself
enum class LinearAxes { world, own };
void set_in_variations(const Link& row, const Link& column, const StepCoefficients& c,
                       const Eigen::MatrixXd* by_a, const Eigen::MatrixXd& by_v,
                       const Eigen::MatrixXd& by_q, LinearAxes axes, Eigen::MatrixXd& out);
Eigen::MatrixXd in_variations(const Link& row, const Link& column, const StepCoefficients& c,
                              const Eigen::MatrixXd* by_a, const Eigen::MatrixXd& by_v,
                              const Eigen::MatrixXd& by_q, LinearAxes axes);

}  // namespace solidyn::recursive
