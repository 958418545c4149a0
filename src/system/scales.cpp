#include "solidyn/system/scales.h"

#include <algorithm>
#include <cmath>

#include "solidyn/system/system.h"

namespace solidyn::system {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

double characteristic_length(const System& system) {
  std::vector<Vector3d> points;
  for (const bodies::BodyState& b : system.kinematics().bodies)
    if (b.n_rigid() > 0) points.push_back(b.p_WB);
  for (const bodies::FrameMotion& f : system.kinematics().frames) points.push_back(f.p);
  Vector3d centre = Vector3d::Zero();
  for (const Vector3d& p : points) centre += p / static_cast<double>(points.size());
  double length = 1e-6;
  for (const BodyIndex i : system.bodies())
    length = std::max(length, system.body(i).radius_of_gyration());
  for (const Vector3d& p : points) length = std::max(length, (p - centre).norm());
  return length;
}

VectorXd increment_weights(const System& system, double length) {
  VectorXd w(system.layout().n_velocities());
  for (const BodyIndex i : system.bodies()) {
    const bodies::Body& body = system.body(i);
    const int at = system.layout().velocity_offset(i), n_rigid = body.n_rigid();
    if (n_rigid > 0) {
      w.segment<3>(at).setConstant(1.0 / length);
      w.segment<3>(at + 3).setOnes();
    }
    w.segment(at + n_rigid, body.n_elastic()) = body.elastic_amplitude() / length;
  }
  return w;
}

double largest_stiffness(System& system, double length) {
  const VectorXd weights = length * increment_weights(system, length);
  double largest = 0.0;
  system.visit_tangents(
      {0.0, 0.0, 1.0}, 0.0,
      [&](const std::vector<int>& columns, Eigen::Ref<MatrixXd> J_rate, Eigen::Ref<MatrixXd> J_q) {
        for (Eigen::Index k = 0; k < J_q.rows(); ++k) {
          const double weight = weights[columns[k]];
          largest = std::max(largest, std::abs(J_rate(k, k) + J_q(k, k)) / (weight * weight));
        }
      });
  return largest;
}

double total_mass(const System& system) {
  double mass = 0.0;
  for (const BodyIndex i : system.bodies()) mass += system.body(i).mass();
  return mass;
}

}  // namespace solidyn::system
