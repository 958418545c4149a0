#pragma once
#include <memory>

#include "solidyn/bodies/body.h"
#include "solidyn/reduction/reduced_body.h"

namespace solidyn::bodies {

/// A floating-frame body in modal coordinates, u = X q, with all inertia terms as polynomials in q
/// of precomputed invariants (P-SOLID (13)-(17), (74) with the signs of
/// doc/theory/floating_frame.md). With no modes it is a rigid body; with no mass too, a virtual
/// body.
///
/// With b = x + X q and alpha = R^T (dv - g) + (skew(dw) + skew(w)^2) b + 2 w x db + ddb:
///   r_v = R sum m alpha,   r_w = sum m b x alpha,   r_i = sum m X_i . alpha + (K q + D dq)_i
/// A displacement field of second order enters the inertia of rotation alone, by the invariants C:
/// the kinetic energy gets 1/2 w . (tr(Z) - Z) w with Z = sum_ij C_ij q_i q_j, which stiffens a
/// spinning body (doc/theory/geometric_stiffening.md).
/// Proved by tests/unit/bodies: residual against finite differences of the kinetic energy, tangent
/// against finite differences of the residual.
class ModalBody final : public Body {
 public:
  /// @param inertia about the body origin in body axes; K, D, M [n x n]; amplitude [n] m
  ModalBody(std::string name, reduction::InertiaInvariants inertia, Eigen::MatrixXd M,
            Eigen::MatrixXd K, Eigen::MatrixXd D, Eigen::VectorXd amplitude);

  void add_residual(const BodyState& state, const Eigen::Vector3d& gravity,
                    Eigen::Ref<Eigen::VectorXd> r) override;
  void add_tangent(const BodyState& state, const Eigen::Vector3d& gravity,
                   const TangentCoefficients& c, Eigen::Ref<Eigen::MatrixXd> J_rate,
                   Eigen::Ref<Eigen::MatrixXd> J_q) override;
  Energy energy(const BodyState& state, const Eigen::Vector3d& gravity) const override;
  Momentum momentum(const BodyState& state) const override;
  double mass() const override { return inertia_.mass; }
  double radius_of_gyration() const override;
  double dissipation(const BodyState& state) const override;
  Eigen::VectorXd elastic_amplitude() const override { return amplitude_; }

  const reduction::InertiaInvariants& inertia() const { return inertia_; }
  /// The same body in other coordinates z, or in fewer, q = T z. Of an amplitude a bound is kept.
  /// @pre no terms of second order
  std::unique_ptr<ModalBody> in_coordinates(const Eigen::MatrixXd& T) const;

 private:
  using Matrix9X = Eigen::Matrix<double, 9, Eigen::Dynamic>;

  /// First and second mass moments of the deformed body.
  struct Moments {
    Eigen::Vector3d c;    // sum m b
    Eigen::Matrix3d D;    // sum m b b^T
    Matrix9X B;           // column i: sum m b X_i^T, column-major 3 x 3
    Eigen::VectorXd q_e;  // that they are of
  };
  void compute_moments(const BodyState& state, Moments& moments) const;
  Matrix9X contract(const Eigen::Ref<const Eigen::VectorXd>& w) const;

  reduction::InertiaInvariants inertia_;
  Eigen::MatrixXd M_, K_, D_;
  Eigen::VectorXd amplitude_;
  bool has_damping_;
  Matrix9X N0_;            // column i: N0[i]
  Eigen::MatrixXd N_;      // [9 n x n] column j, rows 9 i..: N[j, i] = sum m X_j X_i^T
  Eigen::MatrixXd cross_;  // [3 n x n] column j, rows 3 i..: sum m X_j x X_i
  mutable Moments moments_;
};

/// A rigid body. @param inertia [3 x 3] kg m^2 about the centre of mass, in body axes.
std::unique_ptr<ModalBody> make_rigid_body(std::string name, double mass,
                                           const Eigen::Vector3d& center_of_mass,
                                           const Eigen::Matrix3d& inertia);

/// The massless body of the virtual-body methodology (P-SOLID 2.4).
std::unique_ptr<ModalBody> make_virtual_body(std::string name);

}  // namespace solidyn::bodies
