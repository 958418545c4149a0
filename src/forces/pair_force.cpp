#include "solidyn/forces/pair_force.h"

namespace solidyn::forces {

using bodies::Matrix12;
using bodies::Vector12;

void PairForce::add_residual(const bodies::Kinematics& k, double t,
                             Eigen::Ref<Eigen::VectorXd> r) const {
  link_.add_force(k, -wrench(link_.pair(k), t), r);
}

void PairForce::add_tangent(const bodies::Kinematics& k, double t,
                            const bodies::TangentCoefficients& c,
                            Eigen::Ref<Eigen::MatrixXd> J_rate,
                            Eigen::Ref<Eigen::MatrixXd> J_q) const {
  if (c.stiffness == 0.0 && c.damping == 0.0) return;
  const bodies::FramePair f = link_.pair(k);
  Matrix12 by_position = Matrix12::Zero(), by_twist = Matrix12::Zero();
  add_derivatives(f, t, by_position, by_twist);
  const bool has_rates = !by_twist.isZero(0.0);
  if (c.damping != 0.0 && has_rates) link_.add_matrix(k, -c.damping * by_twist, J_rate);
  if (c.stiffness == 0.0) return;
  link_.add_matrix(k, -c.stiffness * by_position, J_q);
  if (has_rates) link_.add_rate_stiffness(k, -c.stiffness * by_twist, J_q);
  link_.add_geometric_stiffness(k, -c.stiffness * wrench(f, t), J_q);
}

}  // namespace solidyn::forces
