#include "bar_body.h"

#include <utility>

using namespace solidyn;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Ref;
using Eigen::Vector3d;
using Eigen::VectorXd;

BarBody::BarBody(std::string name, std::vector<bodies::BodyIndex> nodes, std::vector<Bar> bars)
    : ElementBody(std::move(name), std::move(nodes)), bars_(std::move(bars)) {
  const auto n = static_cast<Eigen::Index>(this->nodes().size());
  masses_.setZero(n);
  for (Eigen::Matrix3Xd* of_nodes : {&p_, &v_, &a_}) of_nodes->setZero(3, n);
  for (const Bar& bar : bars_)
    for (const int node : {bar.p, bar.q}) masses_[node] += 0.5 * bar.mass;
}

double BarBody::strain(const Bar& bar, const Vector3d& d) {
  return 0.5 * (d.squaredNorm() / (bar.length * bar.length) - 1.0);
}

double BarBody::tension(int i) const {
  const Bar& bar = bars_[i];
  const Vector3d d = between(bar);
  return bar.stiffness * strain(bar, d) / bar.length * d.norm();
}

void BarBody::follow(const bodies::Kinematics& kinematics) {
  for (std::size_t i = 0; i < nodes().size(); ++i) {
    const bodies::BodyState& node = kinematics.bodies[nodes()[i]];
    const auto column = static_cast<Eigen::Index>(i);
    p_.col(column) = node.p_WB;
    v_.col(column) = node.v_WB();
    a_.col(column) = node.a.head<3>();
  }
}

void BarBody::add_residual(const bodies::BodyState&, const Vector3d& gravity, Ref<VectorXd> r) {
  for (Eigen::Index i = 0; i < masses_.size(); ++i)
    r.segment<3>(6 * i) += masses_[i] * (a_.col(i) - gravity);
  for (const Bar& bar : bars_) {
    const Vector3d d = between(bar);
    const Vector3d force = bar.stiffness * strain(bar, d) / bar.length * d;
    r.segment<3>(6 * bar.q) += force;
    r.segment<3>(6 * bar.p) -= force;
  }
}

void BarBody::add_element_tangent(int e, const Vector3d&, const bodies::TangentCoefficients& c,
                                  Ref<MatrixXd> J_rate, Ref<MatrixXd> J_q) const {
  const Bar& bar = bars_[e];
  const Vector3d d = between(bar);
  const double L = bar.length;
  const Matrix3d K = c.stiffness * bar.stiffness / L *
                     (strain(bar, d) * Matrix3d::Identity() + d * d.transpose() / (L * L));
  for (const int i : {0, 6}) {
    J_rate.block<3, 3>(i, i) += c.mass * 0.5 * bar.mass * Matrix3d::Identity();
    J_q.block<3, 3>(i, i) += K;
    J_q.block<3, 3>(i, 6 - i) -= K;
  }
}

bodies::Energy BarBody::energy(const bodies::BodyState&, const Vector3d& gravity) const {
  bodies::Energy energy;
  for (const Bar& bar : bars_) {
    const double e = strain(bar, between(bar));
    energy.strain += 0.5 * bar.stiffness * bar.length * e * e;
  }
  for (Eigen::Index i = 0; i < masses_.size(); ++i) {
    energy.kinetic += 0.5 * masses_[i] * v_.col(i).squaredNorm();
    energy.potential -= masses_[i] * gravity.dot(p_.col(i));
  }
  return energy;
}

bodies::Momentum BarBody::momentum(const bodies::BodyState&) const {
  bodies::Momentum momentum;
  for (Eigen::Index i = 0; i < masses_.size(); ++i) {
    const Vector3d of_node = masses_[i] * v_.col(i);
    momentum.linear += of_node;
    momentum.angular += p_.col(i).cross(of_node);
  }
  return momentum;
}
