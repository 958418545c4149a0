#pragma once
#include "solidyn/beams/section_pair.h"

namespace solidyn::beams {

/// Inertia of a beam element of uniform mass between two sections.
/// Its mass sits on the centre line, whose motion is the cubic through the sections' positions and
/// directions,  x(xi) = h_1 p_p + h_2 l R_p e_x + h_3 p_q + h_4 l R_q e_x.
/// The cross-sections' own inertia sits in three discs: a sixth at either section, and four sixths
/// in the middle, whose orientation is half-way from p to q (P-STRAIN takes that of the element's
/// middle stage, which is off by an eighth of what length times curvature changes by on the
/// element). Forces are exact for these: M(q) a + h(q, v) - gravity, rates as in SectionPair.
/// Local, no allocation, no throw. Proved by BeamInertia.*.
class BeamInertia {
 public:
  /// @param length m  @param mass_per_length kg/m
  /// @param inertia_per_length kg m, about x, y and z of the section: rho (I_y + I_z), rho I_y, rho
  /// I_z
  BeamInertia(double length, double mass_per_length, const Eigen::Vector3d& inertia_per_length);

  double mass() const { return mass_; }
  Vector12 forces(const SectionMotion& p, const SectionMotion& q,
                  const Eigen::Vector3d& gravity) const;

  /// Of forces(): by accelerations, by rates, and by increments.
  struct Tangent {
    Matrix12 M, D, K;
  };
  void compute_tangent(const SectionMotion& p, const SectionMotion& q,
                       const Eigen::Vector3d& gravity, Tangent& tangent) const;
  void compute_mass(const SectionMotion& p, const SectionMotion& q, Matrix12& M) const;

  double kinetic_energy(const SectionMotion& p, const SectionMotion& q) const;  ///< J
  Eigen::Vector3d momentum(const SectionMotion& p, const SectionMotion& q) const;
  /// About the world origin, in W.
  Eigen::Vector3d angular_momentum(const SectionMotion& p, const SectionMotion& q) const;
  /// Mass times the position of its centre, in W, kg m.
  Eigen::Vector3d first_moment(const SectionMotion& p, const SectionMotion& q) const;

 private:
  using Columns = Eigen::Matrix<double, 3, 4>;
  struct Disc;
  Columns positions(const SectionMotion& p, const SectionMotion& q) const;
  Columns velocities(const SectionMotion& p, const SectionMotion& q) const;
  Columns accelerations(const SectionMotion& p, const SectionMotion& q,
                        const Eigen::Vector3d& gravity) const;
  void add_line_tangent(const SectionMotion& p, const SectionMotion& q,
                        const Eigen::Vector3d& gravity, Tangent& tangent) const;
  void compute_line_mass(const SectionMotion& p, const SectionMotion& q, Matrix12& M) const;
  void add_disc_mass(const Disc& disc, Matrix12& M) const;
  void add_middle_tangent(const SectionMotion& p, const SectionMotion& q, const Disc& disc,
                          Tangent& tangent) const;

  double length_, mass_;
  Eigen::Matrix4d line_;          // int h_i h_j dm
  Eigen::Vector4d sums_;          // int h_i dm
  Eigen::Vector3d end_, middle_;  // inertia of the discs, kg m^2
};

}  // namespace solidyn::beams
