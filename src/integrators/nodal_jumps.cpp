#include "integrators/nodal_jumps.h"

#include <algorithm>

#include "integrators/vector_copy.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/system/velocity_violation.h"

namespace solidyn::integrators {

using bodies::NodalBody;
using Eigen::VectorXd;
using system::State;

namespace {

VectorXd ports_in(const system::System& system, const VectorXd& x, std::size_t k) {
  const NodalBody& body = *system.layout().nodal_bodies()[k];
  const bodies::BodyIndex b = system.layout().body_of_nodal(static_cast<int>(k));
  return x.segment(system.layout().velocity_offset(b) + body.n_rigid(), body.n_elastic());
}

}  // namespace

void follow_ports(const system::System& system, const VectorXd& x, NodalField field, State& s) {
  for (std::size_t k = 0; k < s.nodal.size(); ++k) {
    base::Vec increment;
    SOLIDYN_PETSC(VecDuplicate(s.nodal[k].u, increment.out()));
    system.layout().nodal_bodies()[k]->follow(ports_in(system, x, k), increment);
    SOLIDYN_PETSC(VecAXPY(s.nodal[k].*field, 1.0, increment));
  }
}

Velocities::Velocities(const State& s)
    : small_(s.v), nodal_(copies_of(s, &bodies::NodalState::du)) {}

void Velocities::give_to(State& s) const {
  s.v = small_;
  for (std::size_t k = 0; k < nodal_.size(); ++k) SOLIDYN_PETSC(VecCopy(nodal_[k], s.nodal[k].du));
}

std::vector<base::Vec> copies_of(const State& s, NodalField field) {
  std::vector<base::Vec> copies;
  for (const bodies::NodalState& nodal : s.nodal) copies.push_back(copy_of_vector(nodal.*field));
  return copies;
}

void subtract_from(const State& s, NodalField field, std::vector<base::Vec>& before) {
  for (std::size_t k = 0; k < before.size(); ++k)
    SOLIDYN_PETSC(VecAYPX(before[k], -1.0, s.nodal[k].*field));
}

void Velocities::add_to(State& s, double part) const {
  s.v += part * small_;
  for (std::size_t k = 0; k < nodal_.size(); ++k)
    SOLIDYN_PETSC(VecAXPY(s.nodal[k].du, part, nodal_[k]));
}

std::vector<Eigen::Vector3d> mesh_momenta(const system::System& system) {
  std::vector<Eigen::Vector3d> momenta;
  for (std::size_t k = 0; k < system.layout().nodal_bodies().size(); ++k) {
    const bodies::BodyIndex b = system.layout().body_of_nodal(static_cast<int>(k));
    momenta.push_back(system.body(b).momentum(system.kinematics().bodies[b]).linear);
  }
  return momenta;
}

void keep_momenta(system::System& system, const std::vector<Eigen::Vector3d>& momenta, State& s) {
  const std::vector<Eigen::Vector3d> now = mesh_momenta(system);
  for (std::size_t k = 0; k < now.size(); ++k) {
    const NodalBody& body = *system.layout().nodal_bodies()[k];
    const bodies::BodyIndex b = system.layout().body_of_nodal(static_cast<int>(k));
    if (body.n_rigid() > 0)
      s.v.segment<3>(system.layout().velocity_offset(b)) += (momenta[k] - now[k]) / body.mass();
  }
  if (!now.empty()) system.update(s);
}

bool has_approximate_masses(const system::System& system) {
  const auto& bodies = system.layout().nodal_bodies();
  return std::any_of(bodies.begin(), bodies.end(),
                     [](const NodalBody* body) { return body->n_rigid() > 0; });
}

JumpCorrection::JumpCorrection(system::System& system, const State& before, SaddlePointSolve& solve)
    : system_(system), solve_(solve), before_(before.clone()) {
  VectorXd phi;
  system_.update(before_);
  system_.compute_residual(before_, residual_, phi);
  nodes_ = recover(VectorXd::Zero(before_.v.size()));
}

VectorXd JumpCorrection::solve(const State& s, const VectorXd& p, const VectorXd& contacts) {
  State work = before_.clone();
  const VectorXd dv = s.v - before_.v;
  const double jump = dv.lpNorm<Eigen::Infinity>();
  per_second_ =
      jump > 0.0 ? std::max(1.0, before_.a.lpNorm<Eigen::Infinity>() / jump) : per_second_;
  work.a += per_second_ * dv;
  for (std::size_t k = 0; k < s.nodal.size(); ++k) {
    SOLIDYN_PETSC(VecAXPY(work.nodal[k].ddu, per_second_, s.nodal[k].du));
    SOLIDYN_PETSC(VecAXPY(work.nodal[k].ddu, -per_second_, before_.nodal[k].du));
  }
  system_.update(s);
  VectorXd r, phi, x;
  system_.compute_constraints(s, phi);
  const VectorXd violation = system::velocity_violation(system_, s);
  system_.update(work);
  system_.compute_residual(work, r, phi);
  VectorXd rhs(r.size() + violation.size());
  rhs << (residual_ - r) / per_second_ - system_.sparse_G().transpose() * p + contacts, -violation;
  solve_.solve(rhs, x);
  system_.update(s);
  return x;
}

void JumpCorrection::apply(const VectorXd& x, State& s) {
  const Eigen::Index n_v = s.v.size();
  s.v += x.head(n_v);
  const std::vector<base::Vec> nodes = recover(per_second_ * x.head(n_v));
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    SOLIDYN_PETSC(VecAXPY(s.nodal[k].du, 1.0 / per_second_, nodes[k]));
    SOLIDYN_PETSC(VecAXPY(s.nodal[k].du, -1.0 / per_second_, nodes_[k]));
  }
  system_.update(s);
}

// By the residual that was evaluated last.
std::vector<base::Vec> JumpCorrection::recover(const VectorXd& x) const {
  std::vector<base::Vec> nodes;
  for (std::size_t k = 0; k < before_.nodal.size(); ++k) {
    base::Vec increment;
    SOLIDYN_PETSC(VecDuplicate(before_.nodal[k].u, increment.out()));
    system_.layout().nodal_bodies()[k]->recover(ports_in(system_, x, k), increment);
    nodes.push_back(std::move(increment));
  }
  return nodes;
}

}  // namespace solidyn::integrators
