#pragma once
#include "solidyn/beams/beam_curve.h"

namespace solidyn::beams {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix76 = Eigen::Matrix<double, 7, 6>;

/// Stiffness along and across a beam.
struct Rigidity {
  double EA = 0.0;                ///< N
  double GJ = 0.0;                ///< N m^2
  double EI_y = 0.0, EI_z = 0.0;  ///< N m^2
  double GA_y = 0.0, GA_z = 0.0;  ///< N, of shear along y and z; 0: rigid in shear
};

enum class Torsion {
  constant,  ///< over an element: six strains
  linear     ///< seven, the last by least energy
};
/// Tension from which on an element is unstable, N: by Lobatto's rule strains that leave its ends
/// in their places lengthen it. 48 E I/l^2, and 16 G J/l^2 with linear torsion, which is not seen
/// with constant one; infinite by Magnus' rule, with which no curvature lengthens.
/// doc/theory/beams.md.
double largest_tension(double length, const Rigidity& rigidity, Torsion torsion, TurnRule rule);

/// A beam between two sections p and q, whose strains are eliminated: they follow from the pose of
/// q seen from p by the constraints P-STRAIN (58),
///   end(eps) = D,   vec(Q* o end_turn(eps)) = 0,
/// and where they are more than the constraints, by the least strain energy
///   V = 1/2 (eps - eps_0)^T S (eps - eps_0).
/// So V is a function of the pose, whose gradient is what the multipliers of the constraints say
/// and whose second derivative is a Schur complement. Derivatives are by [dD; psi]: D in p's axes,
/// m, and Q -> Q exp(psi), rad. doc/theory/beams.md. Local, no allocation, no throw. Proved by
/// BeamElement.*.
class BeamElement {
 public:
  BeamElement(double length, const Rigidity& rigidity, Torsion torsion, TurnRule rule);

  double length() const { return length_; }

  /// Makes this pose that of least stress: eps_0 is its strains, with constant torsion.
  /// @return false when there are none
  bool set_unstressed(const Eigen::Vector3d& D, const Eigen::Vector4d& Q);

  /// Adds to eps_0 from now on. @pre solve() follows before anything is read
  void set_prestrain(const Strains& prestrain);

  /// The next solve() begins at these strains.
  void begin_at(const Strains& strains);

  /// Finds the strains of this pose, from those found last and with the matrices found there first.
  /// @return false when there are none
  bool solve(const Eigen::Vector3d& D, const Eigen::Vector4d& Q);

  const Strains& strains() const { return strains_; }        ///< of solve()
  const Strains& unstressed() const { return unstressed_; }  ///< eps_0 without prestrain
  const Strains& prestrain() const { return prestrain_; }
  /// S (eps - eps_0)
  Strains stresses() const { return stiffness_ * (strains_ - unstressed_ - prestrain_); }
  const Matrix7& stiffness() const { return stiffness_; }  ///< S
  /// What strains it has, as columns: eps = eps_0 + free_strains y. [7 x 6] or [7 x 7]
  Eigen::MatrixXd free_strains() const;
  double energy() const;                                 ///< V, J
  const Vector6& gradient() const { return gradient_; }  ///< dV/d[D; psi], N and N m
  const BeamCurve& curve() const { return curve_; }      ///< at the strains
  Eigen::Matrix3d middle_turn() const;                   ///< orientation of the middle section

  /// Second derivative of V: how the gradient changes with [dD; psi]. Not symmetric, as psi turns
  /// the axes of the moment. @pre solve() has found strains, as for rows()
  const Matrix6& second_derivative();
  const Matrix76& rows();  ///< d strains / d[D; psi]
  /// Turn of the middle section in its own axes by [dD; psi].
  Eigen::Matrix<double, 3, 6> middle_turn_rows();

 private:
  using Vector3 = Eigen::Vector3d;
  enum class Inner { kept, free };
  bool find_strains(const Vector3& D, const Eigen::Vector4d& Q, Inner inner);
  bool search(const Vector3& D, const Eigen::Vector4d& Q, Inner inner);
  void set_residual(const Vector3& D, const Eigen::Vector4d& Q);
  void linearise();
  Strains newton_step(Inner inner);
  void move_strains(const Strains& step);
  void take_last_step(const Strains& step);
  void set_geometric_stiffness();
  void set_rows();
  void differentiate();

  double length_;
  bool has_inner_;
  BeamCurve curve_;  // at the strains, but for the last step
  Matrix7 stiffness_;
  Strains strains_ = Strains::Zero(), unstressed_ = Strains::Zero();
  Strains prestrain_ = Strains::Zero(), last_step_ = Strains::Zero();
  bool is_solved_ = false, is_current_ = false;
  bool is_differentiated_ = false, has_rows_ = false;
  Vector3 D_ = Vector3::Zero();
  Eigen::Vector4d Q_ = Eigen::Vector4d::Unit(0);
  Vector6 residual_, multipliers_, gradient_;
  double scale_ = 1.0;  // Q* o end_turn, a number at the solution
  Matrix6 inverse_;     // of the constraints' rows by the strains that they determine
  Strains tangent_;     // along which the inner strain leaves the pose as it is
  // Of multipliers . C by the strains, at the strains or near them.
  Matrix7 geometric_ = Matrix7::Zero();
  Matrix6 second_derivative_;
  Matrix76 rows_;
};

}  // namespace solidyn::beams
