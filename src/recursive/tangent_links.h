#pragma once
#include <type_traits>
#include <vector>

#include "math/small_product.h"
#include "solidyn/math/rotation.h"
#include "solidyn/recursive/step_tangent.h"

namespace solidyn::recursive {

/// Variations of a link's motion, in world axes: [position; velocity; rotation; angular velocity;
/// rates of both velocities], of its origin.
using Variation = Eigen::Matrix<double, 18, 1>;
using Rows18 = Eigen::Matrix<double, 6, 18>;
constexpr int kPosition = 0, kVelocity = 3, kRotation = 6, kTurning = 9, kAcceleration = 12,
              kTurningRate = 15;

/// Whether forces depend on positions and linear velocities: inertia and gravity do not, and then
/// nothing has to know how these vary. The others come last.
enum class Depends { on_all, on_turning };
template <Depends depends>
constexpr int kVarying = depends == Depends::on_all ? 18 : 18 - kRotation;

/// What the motion of a link varies by when its parent's does and nothing between them moves:
///   dp_k = dp - r x dtheta,   dtheta_k = dtheta,   dv_k = dv - r x dw + U dtheta,
///   dw_k = dw - w_r x dtheta, da_k = da - r x dalpha + V dtheta + Z dw,
///   dalpha_k = dalpha - w_r x dw + Y dtheta
/// with r, w_r of the link in its parent. doc/theory/recursive.md
struct Shift {
  Eigen::Vector3d r, w_r;
  Eigen::Matrix3d U, V, Z, Y;

  void set(const Link& k, const Link* parent);
  template <Depends depends = Depends::on_all>
  Variation times(const Variation& x) const {
    const Eigen::Vector3d theta = x.segment<3>(kRotation), w = x.segment<3>(kTurning),
                          alpha = x.segment<3>(kTurningRate);
    Variation out = Variation::Zero();
    if constexpr (depends == Depends::on_all) {
      out.segment<3>(kPosition) = x.segment<3>(kPosition) - r.cross(theta);
      out.segment<3>(kVelocity) = x.segment<3>(kVelocity) + U * theta - r.cross(w);
    }
    out.segment<3>(kRotation) = theta;
    out.segment<3>(kTurning) = w - w_r.cross(theta);
    out.segment<3>(kAcceleration) =
        x.segment<3>(kAcceleration) + V * theta + Z * w - r.cross(alpha);
    out.segment<3>(kTurningRate) = alpha + Y * theta - w_r.cross(w);
    return out;
  }
  /// M := M * this, of rows on the link's variations.
  template <Depends depends = Depends::on_all, class Rows>
  void multiply(Rows&& M) const {
    using math::skew;
    const Eigen::Matrix3d rx = skew(r), wx = skew(w_r);
    // In this order, each from columns that are not yet changed.
    if constexpr (depends == Depends::on_all) {
      add_columns(M, kVelocity, U, kRotation);
      add_columns(M, kPosition, rx, kRotation, -1.0);
    }
    add_columns(M, kAcceleration, V, kRotation);
    add_columns(M, kTurningRate, Y, kRotation);
    add_columns(M, kTurning, wx, kRotation, -1.0);
    if constexpr (depends == Depends::on_all) add_columns(M, kVelocity, rx, kTurning, -1.0);
    add_columns(M, kAcceleration, Z, kTurning);
    add_columns(M, kTurningRate, wx, kTurning, -1.0);
    add_columns(M, kAcceleration, rx, kTurningRate, -1.0);
  }

 private:
  // To three columns of M three others times a matrix.
  template <class Rows>
  static void add_columns(Rows&& M, int from, const Eigen::Matrix3d& by, int to,
                          double sign = 1.0) {
    if constexpr (std::decay_t<Rows>::RowsAtCompileTime == Eigen::Dynamic) {
      math::add_small_product(M.template middleCols<3>(from), by, M.template middleCols<3>(to),
                              sign);
    } else {
      M.template middleCols<3>(to).noalias() +=
          sign * M.template middleCols<3>(from).lazyProduct(by);
    }
  }
};

/// The forces of inertia and gravity of a rigid body on its motion.
void add_rigid_tangent(const Link& k, const Eigen::Vector3d& gravity, Rows18& M);

/// Derivatives of rows [force; torque in B; modal] of the body `row` by the velocities, positions
/// and accelerations of `column`, as rows [force, torque in W; modal] by [18; modes].
/// @param axes  of the linear velocities and forces: those of the world, or of the body itself
enum class LinearAxes { world, own };
void set_in_variations(const Link& row, const Link& column, const StepCoefficients& c,
                       const Eigen::MatrixXd* by_a, const Eigen::MatrixXd& by_v,
                       const Eigen::MatrixXd& by_q, LinearAxes axes, Eigen::MatrixXd& out);
Eigen::MatrixXd in_variations(const Link& row, const Link& column, const StepCoefficients& c,
                              const Eigen::MatrixXd* by_a, const Eigen::MatrixXd& by_v,
                              const Eigen::MatrixXd& by_q, LinearAxes axes);

}  // namespace solidyn::recursive
