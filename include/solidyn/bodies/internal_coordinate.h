#pragma once
#include "solidyn/bodies/body.h"

namespace solidyn::bodies {

/// A coordinate that a force keeps for itself, such as how far a damper in series with a spring is
/// extended: an elastic coordinate of its own body, so that integrators, linear analyses and
/// restarts find a state like any other. All of its equation comes from the force
/// (forces::SeriesSpringDamper).
class InternalCoordinate final : public Body {
 public:
  explicit InternalCoordinate(std::string name) : Body(std::move(name), 1, Axes::world) {}

  void add_residual(const BodyState&, const Eigen::Vector3d&,
                    Eigen::Ref<Eigen::VectorXd>) override {}
  void add_tangent(const BodyState&, const Eigen::Vector3d&, const TangentCoefficients&,
                   Eigen::Ref<Eigen::MatrixXd>, Eigen::Ref<Eigen::MatrixXd>) override {}
  Energy energy(const BodyState&, const Eigen::Vector3d&) const override { return {}; }
  Momentum momentum(const BodyState&) const override { return {}; }
  double mass() const override { return 0.0; }
  double dissipation(const BodyState&) const override { return 0.0; }
  /// Itself a length, m.
  Eigen::VectorXd elastic_amplitude() const override { return Eigen::VectorXd::Ones(1); }
};

}  // namespace solidyn::bodies
