#include "recursive/absolute_part.h"

#include <fmt/format.h>

#include "recursive/link_sweeps.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/element_body.h"

namespace solidyn::recursive {

using Eigen::MatrixXd;
using Eigen::VectorXd;

AbsolutePart::AbsolutePart(Tree& tree)
    : tree_(tree), elements_(tree.node_groups().size()), r_(VectorXd::Zero(tree.n_speeds())) {
  const system::Connectivity& connectivity = tree.system().connectivity();
  for (std::size_t k = 0; k < connectivity.element_bodies().size(); ++k) {
    NodeElements of{
        connectivity.element_bodies()[k], connectivity.body_of_elements(static_cast<int>(k)), {}};
    for (const BodyIndex node : of.body->nodes()) of.links.push_back(tree.index_of(node));
    elements_[tree.node_group(of.links.front())].push_back(std::move(of));
  }
  mass_.reserve(elements_.size());
  for (std::size_t g = 0; g < elements_.size(); ++g)
    mass_.emplace_back(tree, tree.node_groups()[g], elements_[g]);
}

void AbsolutePart::set_forces() {
  r_.setZero();
  add_forces_of_elements(r_);
}

void AbsolutePart::add_forces_of_elements(VectorXd& all) const {
  const system::System& system = tree_.system();
  for (const std::vector<NodeElements>& group : elements_)
    for (const NodeElements& of : group) {
      VectorXd r = VectorXd::Zero(6 * static_cast<Eigen::Index>(of.links.size()));
      of.body->add_residual(system.kinematics().bodies[of.index], system.gravity(), r);
      for (std::size_t i = 0; i < of.links.size(); ++i)
        all.segment<6>(tree_.links()[of.links[i]].u) +=
            r.segment<6>(6 * static_cast<Eigen::Index>(i));
    }
}

void AbsolutePart::set_forces_to_zero() { r_.setZero(); }

void AbsolutePart::factorise() {
  for (std::size_t g = 0; g < mass_.size(); ++g) {
    mass_[g].set_zero();
    mass_[g].add_elements({1.0, 0.0, 0.0}, Eigen::Vector3d::Zero(), nullptr);
    for (int i = tree_.node_groups()[g].begin; i < tree_.node_groups()[g].end; ++i) {
      const Link& k = tree_.links()[i];
      if (k.mass == 0.0) continue;
      const auto H = tree_.H(k);
      NodeMatrix::Block own;
      for (int j = 0; j < 6; ++j) own.col(j) = H.transpose() * (k.P * Vector6d(H.col(j)));
      mass_[g].add(i, i, own);
    }
    try {
      mass_[g].factor();
    } catch (const base::ComputationError&) {
      throw base::ComputationError(fmt::format(
          "recursive: nothing has inertia in some motion of the nodes of `{}`\n  give its sections mass and rotary inertia, or set  formulation: absolute",
          elements_[g].front().body->name()));
    }
  }
}

void AbsolutePart::accelerate(int group, VectorXd& du) const {
  const NodeGroup& nodes = tree_.node_groups()[group];
  VectorXd r = r_.segment(nodes.u, nodes.n);
  for (int i = nodes.begin; i < nodes.end; ++i) {
    const Link& k = tree_.links()[i];
    r.segment<6>(k.u - nodes.u) += tree_.H(k).transpose() * k.z;
  }
  du.segment(nodes.u, nodes.n) = -mass_[group].solve(r);
}

void AbsolutePart::settle(const VectorXd& du) {
  for (std::size_t i = tree_.n_hinged(); i < tree_.links().size(); ++i) {
    Link& k = tree_.links()[i];
    recursive::accelerate(tree_, k, du);
    k.f.setZero();
  }
}

}  // namespace solidyn::recursive
