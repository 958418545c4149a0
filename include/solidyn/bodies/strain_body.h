#pragma once
#include "solidyn/bodies/body.h"

namespace solidyn::bodies {

/// The free strains of an element as unknowns of the system, P-STRAIN (14), (22): stresses
///   sigma = S y + S_d dy/dt,     y counted from where there is no stress,
/// and no mass. What they do to the element's sections are the multipliers of a
/// joints::StrainConstraint.
class StrainBody final : public Body {
 public:
  /// @param S, S_d [n x n]
  StrainBody(std::string name, Eigen::MatrixXd S, Eigen::MatrixXd S_d);

  void add_residual(const BodyState& state, const Eigen::Vector3d& gravity,
                    Eigen::Ref<Eigen::VectorXd> r) override;
  void add_tangent(const BodyState& state, const Eigen::Vector3d& gravity,
                   const TangentCoefficients& c, Eigen::Ref<Eigen::MatrixXd> J_rate,
                   Eigen::Ref<Eigen::MatrixXd> J_q) override;
  Energy energy(const BodyState& state, const Eigen::Vector3d& gravity) const override;
  Momentum momentum(const BodyState&) const override { return {}; }
  double mass() const override { return 0.0; }
  bool is_placed() const override { return false; }
  bool has_free_strains() const override { return true; }
  double dissipation(const BodyState& state) const override;
  /// Strains are numbers: their unit counts as a length of one.
  Eigen::VectorXd elastic_amplitude() const override { return Eigen::VectorXd::Ones(n_elastic()); }

 private:
  Eigen::MatrixXd S_, S_d_;
};

}  // namespace solidyn::bodies
