// Sums over the bodies, and sizes by which to measure.
#include <algorithm>

#include "solidyn/system/system.h"

namespace solidyn::system {

using Eigen::Vector3d;
using Eigen::VectorXd;

VectorXd System::external_powers(const State& s) {
  VectorXd power = VectorXd::Zero(n_islands_);
  for (int c = 0; c < n_constraint_blocks(); ++c) {
    if (!constraints_[c]->is_rheonomic()) continue;
    constraints_[c]->evaluate_rates(kinematics_, s.t, values_[c]);
    power[island_of(constraints_[c]->bodies())] -=
        s.lambda.segment(lambda_offset_[c], constraints_[c]->n_rows()).dot(values_[c].nu);
  }
  for (const auto& force : forces_)
    power[island_of(force->bodies())] += force->power(kinematics_, s.t);
  for (int i = 0; i < n_bodies(); ++i)
    power[island_of_body_[i]] += bodies_[i]->load_power(kinematics_.bodies[i]) -
                                 bodies_[i]->dissipation(kinematics_.bodies[i]);
  return power;
}

std::vector<bodies::Energy> System::energies(const State& s) const {
  std::vector<bodies::Energy> energies(n_islands_);
  for (const auto& force : forces_)
    energies[island_of(force->bodies())].strain += force->energy(kinematics_, s.t);
  for (int i = 0; i < n_bodies(); ++i)
    energies[island_of_body_[i]] += bodies_[i]->energy(kinematics_.bodies[i], gravity_);
  return energies;
}

bodies::Energy System::energy(const State& s) const {
  bodies::Energy total;
  for (const bodies::Energy& energy : energies(s)) total += energy;
  return total;
}

bodies::Momentum System::momentum(const State&) const {
  bodies::Momentum total;
  for (int i = 0; i < n_bodies(); ++i) {
    const bodies::Momentum p = bodies_[i]->momentum(kinematics_.bodies[i]);
    total.linear += p.linear;
    total.angular += p.angular;
  }
  return total;
}

std::int64_t System::n_dofs() const {
  std::int64_t n = 0;
  for (const auto& body : bodies_) n += body->n_unknowns();
  return n;
}

double System::total_mass() const {
  double mass = 0.0;
  for (const auto& body : bodies_) mass += body->mass();
  return mass;
}

double System::characteristic_length() const {
  std::vector<Vector3d> points;
  for (const bodies::BodyState& b : kinematics_.bodies)
    if (b.n_rigid() > 0) points.push_back(b.p_WB);
  for (const bodies::FrameMotion& f : kinematics_.frames) points.push_back(f.p);
  Vector3d centre = Vector3d::Zero();
  for (const Vector3d& p : points) centre += p / static_cast<double>(points.size());
  double length = 1e-6;
  for (const auto& body : bodies_) length = std::max(length, body->radius_of_gyration());
  for (const Vector3d& p : points) length = std::max(length, (p - centre).norm());
  return length;
}

VectorXd System::increment_weights(double length) const {
  VectorXd w(n_v_);
  for (int i = 0; i < n_bodies(); ++i) {
    const int n_rigid = bodies_[i]->n_rigid();
    if (n_rigid > 0) {
      w.segment<3>(v_offset_[i]).setConstant(1.0 / length);
      w.segment<3>(v_offset_[i] + 3).setOnes();
    }
    w.segment(v_offset_[i] + n_rigid, bodies_[i]->n_elastic()) =
        bodies_[i]->elastic_amplitude() / length;
  }
  return w;
}

}  // namespace solidyn::system
