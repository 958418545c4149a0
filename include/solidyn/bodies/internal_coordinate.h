#pragma once
#include "solidyn/bodies/body.h"

namespace solidyn::bodies {

/// A coordinate that a force keeps for itself, such as how far a damper in series with a spring is
/// extended: an elastic coordinate of its own body, so that integrators, linear analyses and
/// restarts find a state like any other. Its equation is the force's (forces::SeriesSpringDamper),
/// but for what it has of inertia, which is no mass that anything else feels.
class InternalCoordinate final : public Body {
 public:
  /// @param inertia  factor of the second rate in its equation
  InternalCoordinate(std::string name, double inertia)
      : Body(std::move(name), 1, Axes::world), inertia_(inertia) {}

  void add_residual(const BodyState& state, const Eigen::Vector3d&,
                    Eigen::Ref<Eigen::VectorXd> r) override {
    r.tail<1>() += inertia_ * state.a.tail<1>();
  }
  void add_tangent(const BodyState&, const Eigen::Vector3d&, const TangentCoefficients& c,
                   Eigen::Ref<Eigen::MatrixXd> J_rate, Eigen::Ref<Eigen::MatrixXd>) override {
    J_rate.bottomRightCorner<1, 1>().array() += c.mass * inertia_;
  }
  Energy energy(const BodyState&, const Eigen::Vector3d&) const override { return {}; }
  Momentum momentum(const BodyState&) const override { return {}; }
  double mass() const override { return 0.0; }
  double dissipation(const BodyState&) const override { return 0.0; }
  /// Itself a length, m.
  Eigen::VectorXd elastic_amplitude() const override { return Eigen::VectorXd::Ones(1); }

 private:
  double inertia_;
};

}  // namespace solidyn::bodies
