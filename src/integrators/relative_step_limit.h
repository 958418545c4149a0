#pragma once
#include "solidyn/recursive/mechanism.h"

namespace solidyn::integrators {

/// How long explicit steps in relative coordinates may be: the fastest vibration omega and damper c
/// of a mechanism, by power iterations on M^-1 K and M^-1 D, whose products are differences of its
/// accelerations. Semi-implicit Euler on x'' + c x' + omega^2 x = 0 has the characteristic
/// polynomial z^2 - (2 - h c - (h omega)^2) z + 1 - h c, whose roots are within the unit circle
/// where (h omega)^2 + 2 h c < 4.
/// Collective as Mechanism::compute_accelerations(). Proved by SemiImplicitEuler.*
class RelativeStepLimit {
 public:
  /// @param length  m, of the mechanism
  RelativeStepLimit(recursive::Mechanism& mechanism, double length);

  /// At these coordinates and speeds, where steps of h are to be taken. It begins with what was
  /// fastest when it was last called.
  /// @param[in,out] state  its time and memory; the rest is a workspace
  /// @post what Mechanism::compute_accelerations() has left is lost
  void estimate(const Eigen::VectorXd& q, const Eigen::VectorXd& u, system::State& state, double h);
  bool is_known() const { return is_known_; }
  void forget() { is_known_ = false; }

  /// (h omega)^2 + 2 h c, of which a step may have kMost.
  double size(double h) const { return h * omega_ * h * omega_ + 2.0 * h * c_; }
  /// Of increments, as the mechanism's length and rad: see increment_weights().
  double size_of(const Eigen::VectorXd& increment) const;
  /// @throws base::ComputationError unless the step is stable
  void require(double t, double h) const;

 private:
  enum class Product { stiffness, damping };
  Eigen::VectorXd multiply(Product product, const Eigen::VectorXd& x);
  double largest_rate(Product product, Eigen::VectorXd& x, double of_no_account);
  double longest() const;

  // 4 less what power iterations may leave.
  static constexpr double kMost = 3.9;
  recursive::Mechanism& mechanism_;
  Eigen::VectorXd weights_, fastest_, strongest_;
  const Eigen::VectorXd *q_ = nullptr, *u_ = nullptr;  // of estimate()
  system::State* state_ = nullptr;
  double omega_ = 0.0, c_ = 0.0;
  bool is_known_ = false;
};

}  // namespace solidyn::integrators
