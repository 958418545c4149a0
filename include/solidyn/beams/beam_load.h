#pragma once
#include <vector>

#include "solidyn/beams/section_pair.h"

namespace solidyn::beams {

/// The orientation of an element's middle section, seen from its start, and its increments.
struct MiddleSection {
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();  ///< R_WM
  /// Of its turn in its own axes, by those of both ends. [3 x 12]
  Eigen::Matrix<double, 3, 12> rows = Eigen::Matrix<double, 3, 12>::Zero();
};

/// A force and a torque per undeformed length on an element: components times a factor that is
/// linear between points. Forces do the work of the cubic of BeamInertia,
///   f_i = int factor h_i(s) R(s) force ds     on (x_p, l R_p e_x, x_q, l R_q e_x),
/// so that a dead load acts as gravity does; R(s) is the world's axes, or the section's: quadratic
/// through those of start, middle and end. Torques do the work of turns that are linear between the
/// sections. Rates are those of SectionPair. Local, no throw. Proved by BeamLoad.*.
class BeamLoad {
 public:
  enum class Axes { world, section };
  /// From and to fractions of the element's length, between which the factor is linear.
  struct Piece {
    double from = 0.0, to = 1.0;
    double at_from = 1.0, at_to = 1.0;
  };
  BeamLoad(double length, Axes axes, const std::vector<Piece>& pieces);

  Axes axes() const { return axes_; }

  /// Generalised forces on both sections. @param force N/m  @param torque N m/m  @param middle not
  /// used in world axes
  Vector12 forces(const SectionMotion& p, const SectionMotion& q, const MiddleSection& middle,
                  const Eigen::Vector3d& force, const Eigen::Vector3d& torque) const;
  /// How they change with increments of both sections.
  Matrix12 stiffness(const SectionMotion& p, const SectionMotion& q, const MiddleSection& middle,
                     const Eigen::Vector3d& force, const Eigen::Vector3d& torque) const;

 private:
  using Columns = Eigen::Matrix<double, 3, 4>;
  Columns columns(const SectionMotion& p, const SectionMotion& q, const MiddleSection& middle,
                  const Eigen::Vector3d& force) const;

  double length_;
  Axes axes_;
  // int factor h_i N_k ds, m: of the cubic by orientations at start, middle and end.
  Eigen::Matrix<double, 4, 3> shares_ = Eigen::Matrix<double, 4, 3>::Zero();
  Eigen::Vector2d turns_ = Eigen::Vector2d::Zero();  // int factor (1 - s/l, s/l) ds, m
};

}  // namespace solidyn::beams
