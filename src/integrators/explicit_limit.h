#pragma once
#include "integrators/saddle_point_solve.h"
#include "solidyn/system/system.h"

namespace solidyn::integrators {

/// How long the steps of an explicit scheme may be: the fastest vibration omega and damper c of a
/// system with its joints, the square root of the largest eigenvalue of M^-1 K, and that of M^-1 D,
/// by power iterations whose products are differences of the residual. Local.
/// Proved by ExplicitLimit.* in tests/unit/integrators.
class ExplicitLimit {
 public:
  explicit ExplicitLimit(system::System& system) : system_(system) {}

  /// @param mass  factors of [M G^T; G 0] at `s`   @param length  m, of the mechanism
  /// @post System::update(s)
  void estimate(const system::State& s, SaddlePointSolve& mass, double length);
  double vibration() const { return omega_; }  ///< 1/s
  double damping() const { return c_; }        ///< 1/s
  bool is_known() const { return is_known_; }
  void forget() { is_known_ = false; }

  /// (h omega)^2 + h c, of which a step may have kMost.
  double size(double h) const { return h * omega_ * h * omega_ + h * c_; }
  bool allows(double h) const { return size(h) <= kMost && h * c_ <= 0.5 * kMost; }
  /// The longest step that is allowed, s.
  double longest() const;
  /// @throws base::ComputationError unless the step is stable
  void require(double t, double h) const;

 private:
  enum class Product { stiffness, damping };
  Eigen::VectorXd multiply(system::State& s, const Eigen::VectorXd& x, Product product);
  double largest_rate(system::State& s, SaddlePointSolve& mass, Product product);

  // 4 less what power iterations may leave.
  static constexpr double kMost = 3.9;
  system::System& system_;
  Eigen::VectorXd weights_;
  double omega_ = 0.0, c_ = 0.0;
  bool is_known_ = false;
};

}  // namespace solidyn::integrators
