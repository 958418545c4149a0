#pragma once
#include <Eigen/Dense>

namespace solidyn::beams {

/// Seven generalized strains of a beam element of length l, all without unit: the axial strain,
/// then l times (torsion, curvature about y, curvature about z) at the start, and the same at the
/// end. P-STRAIN (53) in another order: (eps_1; eps_2, eps_4, eps_6; eps_3, eps_5, eps_7).
using Strains = Eigen::Matrix<double, 7, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Matrix7 = Eigen::Matrix<double, 7, 7>;
using Matrix37 = Eigen::Matrix<double, 3, 7>;
using Matrix47 = Eigen::Matrix<double, 4, 7>;

/// How the orientation follows from the curvatures. Both are of order four.
enum class TurnRule {
  lobatto,  ///< quaternions by three-stage Lobatto IIIA, P-STRAIN (57)-(59)
  magnus  ///< exp of the mean curvature and a commutator: exact about one axis, so that in a plane
          ///< the element is the planar one, P-STRAIN (51)
};

/// The shape that strains give an element, seen from the axes of its start section:
///   x' = R(q) (1 + e, gamma_y, gamma_z),   q' = 1/2 q o (0, kappa),   q(0) = 1,
/// with curvatures linear in the arc length, shear that follows from their change,
///   gamma_y = shear_y (eps_6 - eps_7),   gamma_z = shear_z (eps_5 - eps_4),
/// and positions by Simpson's rule: P-STRAIN (53)-(59). Quaternions are (w, x, y, z) and, as the
/// Lobatto's rule gives them, not quite of length one.
/// Local, no allocation, no throw. Proved by BeamCurve.*.
class BeamCurve {
 public:
  /// @param length l, m  @param shear_y, shear_z Phi_y/12, Phi_z/12 of P-STRAIN (54); 0: no shear
  BeamCurve(double length, double shear_y, double shear_z, TurnRule rule);

  void evaluate(const Strains& strains);

  /// d(1 + e, gamma_y, gamma_z) / d strains, constant.
  const Matrix37& stretch_rows() const { return stretch_rows_; }
  const Eigen::Vector3d& end() const { return end_; }                 ///< position of the end, m
  const Eigen::Vector4d& middle_turn() const { return q_[1]; }        ///< orientation of the middle
  const Eigen::Vector4d& end_turn() const { return q_[2]; }           ///< and of the end
  const Matrix37& end_rows() const { return end_rows_; }              ///< d end / d strains, m
  const Matrix47& middle_turn_rows() const { return turn_rows_[0]; }  ///< d middle_turn / d strains
  const Matrix47& end_turn_rows() const { return turn_rows_[1]; }     ///< d end_turn / d strains

  /// Second derivative of  a . end + b . end_turn  by the strains, at those of evaluate().
  Matrix7 second_derivative(const Eigen::Vector3d& a, const Eigen::Vector4d& b) const;

 private:
  struct HalfAngle;
  void turn_by_lobatto(const Strains& strains);
  void turn_by_magnus(const Strains& strains);
  Matrix6 curvature_of_lobatto(const Eigen::Vector4d& by_middle,
                               const Eigen::Vector4d& by_end) const;
  Matrix6 curvature_of_magnus(const Eigen::Vector4d& by_middle,
                              const Eigen::Vector4d& by_end) const;

  double length_;
  TurnRule rule_;
  Matrix37 stretch_rows_;  // d(1 + e, gamma_y, gamma_z) / d strains
  Eigen::Vector3d stretch_, end_;
  Eigen::Vector4d q_[3];  // at start, middle and end
  Matrix37 end_rows_;
  Matrix47 turn_rows_[2];  // of middle and end
  // Lobatto: middle = to_middle_[0] s_1 - to_middle_[1] end, end = to_end_[0] s_2 - to_end_[1] s_1.
  Eigen::Matrix4d to_middle_[2], to_end_[2];
  // Magnus: rotation vectors of middle and end, and their rows.
  Eigen::Vector3d angle_[2];
  Eigen::Matrix<double, 3, 6> angle_rows_[2];
};

/// L with q o b = L b.
Eigen::Matrix4d left_product(const Eigen::Vector4d& q);
/// R with q o b = R q.
Eigen::Matrix4d right_product(const Eigen::Vector4d& b);
inline Eigen::Vector4d conjugate(const Eigen::Vector4d& q) { return {q[0], -q[1], -q[2], -q[3]}; }

}  // namespace solidyn::beams
