#pragma once
#include <optional>
#include <variant>

#include "solidyn/forces/half_tilt_frame.h"
#include "solidyn/forces/mid_frame.h"
#include "solidyn/forces/pair_force.h"

namespace solidyn::forces {

/// Elastic and viscous resistance to the displacement and rotation q of two frames:
///   f = K q + D dq/dt + f0,   energy 1/2 q^T K q + f0^T q     doc/theory/forces.md
/// f = [force in the axes between A and B; moment conjugate to the rotations]. K and D symmetric,
/// N/m, N, N m and so on. Rotations are those of MidFrame, which prefer none of the frames, where K
/// resists all three; else those of HalfTiltFrame about turn_axis(K), so that B turns freely about
/// what K leaves free. Proved by Bushing.*.
class Bushing final : public PairForce {
 public:
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  enum class Rotations { vector, about_axis, free };

  /// @pre f0 has no moments where K resists no rotation: they have no energy
  Bushing(std::string name, const bodies::FrameLink& link, const Matrix6& stiffness,
          const Matrix6& damping, const Vector6& preload);

  static Rotations rotations(const Matrix6& stiffness);
  /// The axis (0, 1, 2) whose turn is an angle of its own: the one without stiffness, or where two
  /// are without, the third; empty where none is or all are. The link tracks its
  /// bodies::twist_angle.
  static std::optional<int> turn_axis(const Matrix6& stiffness);

  /// q: displacement_x ... rotation_z.
  static const Readings& readings_of_displacement();
  Readings readings() const override { return readings_of_displacement(); }
  void read(const bodies::Kinematics& kinematics, double t, double* values) const override;
  Vector6 displacement(const bodies::FramePair& f) const;

  bodies::Vector12 wrench(const bodies::FramePair& f, double t) const override;
  void add_derivatives(const bodies::FramePair& f, double t, bodies::Matrix12& by_position,
                       bodies::Matrix12& by_twist) const override;
  double energy(const bodies::FramePair& f, double t) const override;
  double power(const bodies::FramePair& f, double t) const override;

 private:
  std::variant<MidFrame, HalfTiltFrame> between(const bodies::FramePair& f) const;
  /// Displacement and rate of B from A, in A's axes: all that a bushing without moments needs.
  struct Translation {
    explicit Translation(const bodies::FramePair& f);
    Eigen::Vector3d u, rate;
  };

  bool has_moments_;
  Matrix6 K_, D_;
  Vector6 f0_;
};

}  // namespace solidyn::forces
