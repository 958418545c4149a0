#pragma once
#include <cstdint>

#include "solidyn/recursive/mechanism.h"

namespace solidyn::integrators {

/// How long explicit steps in relative coordinates may be: the fastest vibration omega and damper c
/// of a mechanism, by Arnoldi's method on M^-1 K and M^-1 D, whose products are differences of its
/// accelerations. Leapfrog on x'' + c x' + omega^2 x = 0, the damper at speeds that are ahead of
/// the middle of a step by theta times what they change by in a step, has the characteristic
/// polynomial
///   z^3 + (C (1 + theta) + W - 2) z^2 + (1 - C (1 + 2 theta)) z + C theta,  C = h c, W = (h
///   omega)^2
/// whose roots are within the unit circle where W + 2 C (1 + 2 theta) < 4, 0 <= theta <= 1/2: that
/// is where -1 is none, and of Jury's other conditions C (1 + theta W + theta (1 + 2 theta) C) < 2
/// follows from it.
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
  /// Of the accelerations of each step: whether what bends them has changed its sign and grown for
  /// some steps on end, as that of steps that are too long does, however little it is beside the
  /// motion of others.
  bool alternates(const Eigen::VectorXd& acceleration);
  /// theta, 1/2 where dampers leave a step of h so much: those that are stronger act at speeds of
  /// an earlier time, by order h, and steps are as long as they may be with theta = 0.
  double extrapolation(double h) const;
  /// Motion whose forces by speeds turn it about rather than slow it down, and that steps of h make
  /// grow: a root of z^2 - (1 - (1 + theta) h c) z - theta h c is larger than exp(-h c).
  struct Growth {
    double rate = 0.0;     ///< rad/s, that it turns about at; 0: none grows by more than is told
    double by_turn = 1.0;  ///< factor of the fastest growth, beside that of the motion itself
  };
  Growth growth(double h) const;
  /// Of accelerations, that all estimates have taken since forget().
  std::int64_t n_evaluations() const { return n_evaluations_; }
  /// Estimates begin as those of a new one.
  void forget();

  /// Of size(): 4 less what Arnoldi's method may leave.
  static constexpr double kMost = 3.9;
  /// W + 2 C (1 + 2 theta), of which a step may have kMost.
  double size(double h) const { return least_size(h) + 4.0 * extrapolation(h) * h * c_; }
  /// Of increments, as the mechanism's length and rad: see increment_weights().
  double size_of(const Eigen::VectorXd& increment) const;
  /// @throws base::ComputationError unless the step is stable
  void require(double t, double h) const;

 private:
  enum class Product { stiffness, damping };
  Eigen::VectorXd multiply(Product product, const Eigen::VectorXd& x);
  double largest_rate(Product product, const Eigen::VectorXd& suspect, double of_no_account,
                      Eigen::VectorXd& fastest, Eigen::VectorXcd& eigenvalues);
  double least_size(double h) const { return h * omega_ * h * omega_ + 2.0 * h * c_; }
  double longest() const;

  recursive::Mechanism& mechanism_;
  Eigen::VectorXd weights_, fastest_, strongest_;
  Eigen::VectorXd last_, change_, bend_;  // of alternates(): values, first and second differences
  int n_turns_ = 0;
  Eigen::VectorXcd of_speeds_;                         // eigenvalues
  const Eigen::VectorXd *q_ = nullptr, *u_ = nullptr;  // of estimate()
  system::State* state_ = nullptr;
  double omega_ = 0.0, c_ = 0.0, longest_asked_ = 0.0;
  bool is_known_ = false;
  std::int64_t n_evaluations_ = 0;
};

}  // namespace solidyn::integrators
