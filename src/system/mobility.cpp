#include "mobility.h"

#include "rigid_groups.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/system/scales.h"

namespace solidyn::system {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Mobility::Mobility(const System& system, const State& state, double length, Flexible flexible)
    : length_(length),
      flexible_(flexible),
      n_v_(system.layout().n_velocities()),
      n_groups_(static_cast<int>(system.connectivity().rigid_groups().size())) {
  if (flexible == Flexible::stay)
    for (const bodies::NodalBody* body : system.layout().nodal_bodies())
      n_absolute_ += body->n_rigid() == 0;
  Entries entries;
  add_coordinates(system, flexible, entries);
  add_absolute_bodies(system, state, entries);
  add_groups(system, entries);
  directions_.resize(n_v_, n_v_ + 6 * (n_absolute_ + n_groups_));
  directions_.setFromTriplets(entries.begin(), entries.end());
}

void Mobility::add_coordinates(const System& system, Flexible flexible, Entries& entries) const {
  const VectorXd weights = increment_weights(system, length_);
  base::IndexedVector<BodyIndex, bool> is_connected(system.bodies().size(), false);
  for (const RigidGroup& group : system.connectivity().rigid_groups())
    for (const BodyIndex b : group.bodies) is_connected[b] = true;
  for (const BodyIndex b : system.bodies()) {
    const int n_rigid = is_connected[b] ? 0 : system.body(b).n_rigid();
    const int n = flexible == Flexible::deform ? system.body(b).n_velocities() : n_rigid;
    for (int k = system.layout().velocity_offset(b); k < system.layout().velocity_offset(b) + n;
         ++k)
      entries.emplace_back(k, k, 1.0 / weights[k]);
  }
}

void Mobility::add_absolute_bodies(const System& system, const State& state,
                                   Entries& entries) const {
  if (flexible_ == Flexible::deform) return;
  int column = n_v_;
  for (std::size_t k = 0; k < state.nodal.size(); ++k) {
    const bodies::NodalBody& body = *system.layout().nodal_bodies()[k];
    if (body.n_rigid() > 0) continue;
    const MatrixXd block = body.rigid_port_velocities(state.nodal[k]);
    const int row =
        system.layout().velocity_offset(system.layout().body_of_nodal(static_cast<int>(k)));
    for (int j = 0; j < 6; ++j, ++column)
      for (int i = 0; i < body.n_elastic(); ++i)
        entries.emplace_back(row + i, column, (j < 3 ? length_ : 1.0) * block(i, j));
  }
}

void Mobility::add_groups(const System& system, Entries& entries) const {
  int column = n_v_ + 6 * n_absolute_;
  for (const RigidGroup& group : system.connectivity().rigid_groups()) {
    const MatrixXd block = rigid_group_directions(system, group, length_);
    for (int j = 0; j < 6; ++j, ++column)
      for (int i = 0; i < block.rows(); ++i)
        if (block(i, j) != 0.0)
          entries.emplace_back(system.layout().velocity_offset(group.bodies[i / 6]) + i % 6, column,
                               block(i, j));
  }
}

// Rigid motions of the bodies without a frame that belong to a step.
void Mobility::for_absolute_bodies(const System& system, State& state, const VectorXd& step,
                                   const Action& action) const {
  if (flexible_ == Flexible::deform) return;
  Eigen::Index at = n_v_;
  for (std::size_t k = 0; k < state.nodal.size(); ++k) {
    const bodies::NodalBody& body = *system.layout().nodal_bodies()[k];
    if (body.n_rigid() > 0) continue;
    Eigen::Matrix<double, 6, 1> motion = step.segment<6>(at);
    motion.head<3>() *= length_;
    action(body, system.layout().body_of_nodal(static_cast<int>(k)), motion, state.nodal[k]);
    at += 6;
  }
}

void Mobility::move(System& system, State& state, const VectorXd& step) const {
  VectorXd q;
  system.advance(state.q, directions_.leftCols(n_v_) * step.head(n_v_), q);
  move_rigid_groups(system, length_, step.tail(6 * n_groups_), q);
  state.q = q;
  for_absolute_bodies(system, state, step,
                      [&](const bodies::NodalBody& body, BodyIndex b, const auto& motion,
                          bodies::NodalState& nodal) {
                        body.move_rigidly(motion, nodal);
                        state.q.segment(system.layout().elastic_offset(b), body.n_elastic()) =
                            body.ports_of(nodal.u);
                      });
}

void Mobility::add_velocities(System& system, State& state, const VectorXd& step) const {
  state.v += directions_.leftCols(n_v_) * step.head(n_v_);
  add_rigid_group_velocities(system, length_, step.tail(6 * n_groups_), state.v);
  for_absolute_bodies(system, state, step,
                      [&](const bodies::NodalBody& body, BodyIndex b, const auto& motion,
                          bodies::NodalState& nodal) {
                        body.add_rigid_velocity(motion, nodal);
                        state.v.segment(system.layout().velocity_offset(b), body.n_elastic()) =
                            body.ports_of(nodal.du);
                      });
}

}  // namespace solidyn::system
