#pragma once
#include <Eigen/Dense>

namespace solidyn::joints {

/// The pose of frame B in frame A that a hinge allows, and how it moves. All in A's axes.
///   [dp/dt; w_AB] = H u,   d/dt = H du/dt + bias
struct HingeMotion {
  using Columns = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
  Eigen::Vector3d p = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  Columns H;  ///< [6 x n_speeds]
  Eigen::Matrix<double, 6, 1> bias = Eigen::Matrix<double, 6, 1>::Zero();
};

/// What a joint of the catalogue leaves free of the relative pose of its frames, as coordinates q
/// with speeds u: translations first, m, then rotations, rad. Rows of the joint and its hinge say
/// the same: Phi = 0 at every q, J H = 0, and J bias takes what J and the row's own bias leave.
///   revolute, cylindrical, planar, parallel_axes   R = Rz(angle)
///   screw                                          the same, p = pitch angle / (2 pi) z
///   universal                                      R = Rx(first) Ry(second)
///   constant_velocity                              R = exp([first, second, 0])
///   spherical, point_on_line, free                 R by a unit quaternion w x y z; the speeds are
///                                                  w_AB in the axes of A or of B (turns_in())
/// so that these three have one coordinate more than speeds. Local, no allocation.
/// Proved by Hinges.*
class Hinge {
 public:
  enum class Kind {
    fixed,
    revolute,
    prismatic,
    cylindrical,
    screw,
    universal,
    constant_velocity,
    planar,
    spherical,
    point_on_line,
    orientation,
    parallel_axes,
    free
  };
  /// Of which frame free rotations have the axes.
  enum class TurnAxes { A, B };
  explicit Hinge(Kind kind);
  static Hinge screw(double pitch);  ///< m per turn

  Kind kind() const { return kind_; }
  int n_speeds() const { return n_translations_ + n_rotations_; }
  int n_coordinates() const { return n_speeds() + (turns_freely() ? 1 : 0); }
  /// Whether the last four coordinates are a quaternion.
  bool turns_freely() const { return n_rotations_ == 3; }
  int n_translations() const { return n_translations_; }
  /// Speeds and increments of free rotations: with B's axes R := R exp(n), with A's exp(n) R.
  TurnAxes turns_in() const { return turn_axes_; }
  void turn_in(TurnAxes axes) { turn_axes_ = axes; }
  /// du = dn/dt + turn_sign() w x n  of small increments n beside a motion with w = u.
  double turn_sign() const { return turn_axes_ == TurnAxes::A ? -1.0 : 1.0; }

  /// @param q [n_coordinates], quaternions of any length   @param u [n_speeds]
  void compute(const double* q, const double* u, HingeMotion& motion) const;
  /// q of the pose that is nearest to this one. @param[out] q [n_coordinates]
  void find_coordinates(const Eigen::Vector3d& p_AB, const Eigen::Matrix3d& R_AB, double* q) const;
  /// dq/dt; a quaternion's length is left as it is. @param[out] rates [n_coordinates]
  void compute_rates(const double* q, const double* u, double* rates) const;
  /// q := q moved by the increment [n_speeds]. A quaternion gets length one.
  void advance(const double* increment, double* q) const;

 private:
  void compute_translation(const double* q, HingeMotion& motion) const;
  void compute_rotation(const double* q, const double* u, HingeMotion& motion) const;

  Kind kind_;
  int n_translations_ = 0, n_rotations_ = 0;
  int first_axis_ = 0;    // of the translations
  double advance_ = 0.0;  // m per rad, of a screw
  TurnAxes turn_axes_ = TurnAxes::B;
};

}  // namespace solidyn::joints
