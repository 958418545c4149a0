#include "solidyn/bodies/strain_body.h"

namespace solidyn::bodies {

using Eigen::MatrixXd;
using Eigen::Ref;
using Eigen::Vector3d;
using Eigen::VectorXd;

StrainBody::StrainBody(std::string name, MatrixXd S, MatrixXd S_d)
    : Body(std::move(name), static_cast<int>(S.rows()), Axes::world),
      S_(std::move(S)),
      S_d_(std::move(S_d)) {}

void StrainBody::add_residual(const BodyState& s, const Vector3d&, Ref<VectorXd> r) {
  r += S_ * s.q_e + S_d_ * s.v;
}

void StrainBody::add_tangent(const BodyState&, const Vector3d&, const TangentCoefficients& c,
                             Ref<MatrixXd> J_rate, Ref<MatrixXd> J_q) {
  J_rate += c.damping * S_d_;
  J_q += c.stiffness * S_;
}

Energy StrainBody::energy(const BodyState& s, const Vector3d&) const {
  Energy energy;
  energy.strain = 0.5 * s.q_e.dot(S_ * s.q_e);
  return energy;
}

double StrainBody::dissipation(const BodyState& s) const { return s.v.dot(S_d_ * s.v); }

}  // namespace solidyn::bodies
