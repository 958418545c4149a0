#pragma once
#include <cstdint>

#include "solidyn/recursive/mechanism.h"

namespace solidyn::integrators {

/// How long explicit steps in relative coordinates may be: the fastest vibration omega and damper c
/// of a mechanism, by Arnoldi's method on M^-1 K and M^-1 D, whose products are differences of its
/// accelerations. Semi-implicit Euler on x'' + c x' + omega^2 x = 0 has the characteristic
/// polynomial z^2 - (2 - h c - (h omega)^2) z + 1 - h c, whose roots are within the unit circle
/// where (h omega)^2 + 2 h c < 4.
/// Collective as Mechanism::compute_accelerations(). Proved by SemiImplicitEuler.*
class RelativeStepLimit {
 public:
  /// @param length  m, of the mechanism
  RelativeStepLimit(recursive::Mechanism& mechanism, double length);

  /// At these coordinates and speeds, where steps of h are to be taken. It begins with what was
  /// fastest when it was last called, and with something of all coordinates: what nothing connects
  /// with the fastest would not come out of its products.
  /// @param suspect  what may be faster, increments or accelerations; may be empty
  /// @param[in,out] state  its time and memory; the rest is a workspace
  /// @post what Mechanism::compute_accelerations() has left is lost
  void estimate(const Eigen::VectorXd& q, const Eigen::VectorXd& u, const Eigen::VectorXd& suspect,
                system::State& state, double h);
  bool is_known() const { return is_known_; }
  /// Of the fastest motion whose forces by speeds turn it about rather than slow it down, so that
  /// steps of h make it grow: (1 - h c)(1 - h c*) > 1 for such a pair of eigenvalues. Zero where
  /// there is none that a step follows for more than a twentieth of a radian.   @return rad/s
  double growing_rate(double h) const;
  /// Of accelerations, that all estimates have taken.
  std::int64_t n_evaluations() const { return n_evaluations_; }
  void forget() { is_known_ = false; }

  /// Of size(): 4 less what Arnoldi's method may leave.
  static constexpr double kMost = 3.9;
  /// (h omega)^2 + 2 h c, of which a step may have kMost.
  double size(double h) const { return h * omega_ * h * omega_ + 2.0 * h * c_; }
  /// Of increments, as the mechanism's length and rad: see increment_weights().
  double size_of(const Eigen::VectorXd& increment) const;
  /// @throws base::ComputationError unless the step is stable
  void require(double t, double h) const;

 private:
  enum class Product { stiffness, damping };
  Eigen::VectorXd multiply(Product product, const Eigen::VectorXd& x);
  double largest_rate(Product product, const Eigen::VectorXd& suspect, double of_no_account,
                      Eigen::VectorXd& fastest, Eigen::VectorXcd& eigenvalues);
  double longest() const;

  recursive::Mechanism& mechanism_;
  Eigen::VectorXd weights_, fastest_, strongest_;
  Eigen::VectorXcd of_speeds_;                         // eigenvalues
  const Eigen::VectorXd *q_ = nullptr, *u_ = nullptr;  // of estimate()
  system::State* state_ = nullptr;
  double omega_ = 0.0, c_ = 0.0, longest_asked_ = 0.0;
  bool is_known_ = false;
  std::int64_t n_evaluations_ = 0;
};

}  // namespace solidyn::integrators
