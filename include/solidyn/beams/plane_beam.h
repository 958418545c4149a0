#pragma once
#include <Eigen/Dense>

#include "solidyn/beams/section_pair.h"

namespace solidyn::beams {

/// Motion of a section in a plane that keeps its x axis and one of its principal axes: by two axes
/// U, V of the world that lie in the plane, U x V along the section's third axis.
struct PlaneSection {
  Eigen::Vector2d p, x;  ///< position, m, and direction of the section's x axis
  Eigen::Vector2d v, a;  ///< m/s, m/s^2
  double w = 0.0;        ///< rad/s, from U to V
  double dw = 0.0;       ///< rad/s^2
};

/// Of an element whose sections move in one plane. Along it, m, N, kg/m; about the plane's normal,
/// N m^2 and kg m.
struct PlaneBeamData {
  double length = 0.0;
  double EA = 0.0, EI = 0.0, GA = 0.0;  ///< GA 0: rigid in shear
  double mass_per_length = 0.0, inertia_per_length = 0.0;
  double damping = 0.0;  ///< s, as BeamElementData's
};

/// What BeamElement with TurnRule::magnus and BeamInertia say of an element, while its sections
/// move in a plane of its principal axes: three strains in place of seven, three motions of a
/// section in place of six, and the same numbers but for round-off. Such an element has no forces
/// across the plane, and its second derivatives do not couple motions in the plane to those
/// across it, as the reflection in the plane leaves its energy as it is. Forces and increments are
/// those of [p (2, along U and V), turn from U to V] of both sections. P-STRAIN (49)-(51);
/// doc/theory/beams.md. Local, no allocation, no throw. Proved by PlaneBeams.*.
class PlaneBeam {
 public:
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Matrix6 = Eigen::Matrix<double, 6, 6>;

  explicit PlaneBeam(const PlaneBeamData& data);

  /// Makes this pose of q in p's axes that of no stress, exactly.
  /// @param D  p_pq, m   @param x  of q's x axis   @return false when there are no strains
  bool set_unstressed(const Eigen::Vector2d& D, const Eigen::Vector2d& x);

  /// Finds strains and forces at these motions, from the strains found last.
  /// @return false when there are none near these: nothing is to be read then
  bool follow(const PlaneSection& p, const PlaneSection& q);

  /// Stretch, and length times curvature at start and end.
  Eigen::Vector3d strains() const { return {e_, theta_ + d_, theta_ - d_}; }
  /// Those that make stresses: beyond strains() of set_unstressed().
  Eigen::Vector3d stressing_strains() const;
  /// Of stresses and damping by the pose of q in p's axes, N and N m.
  const Eigen::Vector3d& gradient() const { return gradient_; }
  Vector6 forces(const Eigen::Vector2d& gravity) const;
  /// J := mass dr/da + damping dr/dv + stiffness dr/dq of forces().
  void compute_tangent(const Eigen::Vector2d& gravity, double mass, double damping,
                       double stiffness, Matrix6& J) const;
  double strain_energy() const;   ///< J
  double kinetic_energy() const;  ///< J
  double dissipation() const;     ///< W

 private:
  using Matrix3 = Eigen::Matrix3d;
  using Matrix36 = Eigen::Matrix<double, 3, 6>;
  using Columns = Eigen::Matrix<double, 2, 4>;
  void set_pose(const Eigen::Vector2d& D, const Eigen::Vector2d& x);
  void set_strains(const Eigen::Vector3d& e_d_theta);
  bool find_strains(const Eigen::Vector2d& D);
  Eigen::Vector3d deformation() const;
  void evaluate();
  void set_gradient();
  Matrix3 second_derivative() const;
  Columns accelerations(const Eigen::Vector2d& gravity) const;
  void add_inertia_tangent(const Eigen::Vector2d& gravity, double mass, double damping,
                           double stiffness, Matrix6& J) const;

  PlaneBeamData data_;
  double shear_;               // Phi/12 of P-STRAIN (54)
  Eigen::Vector3d stiffness_;  // of the stretch e, of d and of theta
  Eigen::Matrix4d line_;       // int h_i h_j dm, as BeamInertia
  double disc_;                // inertia of a sixth of the element's sections, kg m^2
  PlaneSection p_, q_;
  Eigen::Vector2d D_ = Eigen::Vector2d::Zero();  // p_pq in p's axes
  // The pose without stress, and (e, d, theta) there.
  Eigen::Vector2d D_unstressed_, x_unstressed_ = Eigen::Vector2d::UnitX();
  Eigen::Vector3d unstressed_ = Eigen::Vector3d::Zero();
  // Curvatures are theta + d and theta - d, times the length.
  double e_ = 0.0, d_ = 0.0, theta_ = 0.0;
  bool is_found_ = false;
  double cos_middle_ = 1.0, sin_middle_ = 0.0;
  Eigen::Vector2d x_end_ = Eigen::Vector2d::UnitX();  // of q's x axis, in p's axes
  Eigen::Vector2d end_, end_by_theta_;
  Eigen::Matrix2d end_rows_, inverse_;  // of the end by (e, d)
  Matrix3 to_strains_;                  // d(e, d, theta)/d(D, theta)
  Eigen::Vector3d rates_;               // of (e, d, theta), 1/s
  Eigen::Vector2d force_;               // of elastic stresses alone, in p's axes
  Eigen::Vector3d gradient_;
};

}  // namespace solidyn::beams
