#include "solidyn/recursive/inverse_dynamics.h"

#include "recursive/branch_numbers.h"
#include "recursive/link_sweeps.h"

namespace solidyn::recursive {

using Eigen::Map;
using Eigen::Vector3d;
using Eigen::VectorXd;

// What branches pass on, and what is along their speeds.
struct InverseDynamics::OnRanks {
  static constexpr int kForce = 6;

  OnRanks(Tree& tree, BranchExchange& exchange)
      : tree(tree), exchange(exchange), branches(exchange.shares().branches) {
    std::vector<int> counts;
    counts.reserve(branches.size());
    for (const BranchShares::Branch& b : branches)
      counts.push_back(kForce + exchange.speeds_of(b).n);
    numbers = BranchNumbers(exchange, counts);
  }

  // The same numbers as of project_forces(): what branches pass on joins the trunk in the same
  // order.
  void project(VectorXd& T) {
    T.resize(tree.n_speeds());
    std::vector<Link>& links = tree.links();
    exchange.visit_own_backwards([&](int index, const BranchShares::Branch& b) {
      for (int i = b.end; i-- > b.begin;) {
        project_force(tree, links[i], T);
        if (i > b.begin) pass_hinge_force(tree, links[i]);
      }
      const BranchExchange::Speeds speeds = exchange.speeds_of(b);
      double* to = numbers.of(index);
      put_matrix(links[b.begin].f, to);
      Map<VectorXd>(to, speeds.n) = T.segment(speeds.begin, speeds.n);
    });
    numbers.gather();
    for (std::size_t j = 0; j < branches.size(); ++j) {
      if (exchange.is_own(branches[j])) continue;
      const BranchExchange::Speeds speeds = exchange.speeds_of(branches[j]);
      const double* from = numbers.of(static_cast<int>(j));
      links[branches[j].begin].f = Map<const Vector6d>(from);
      T.segment(speeds.begin, speeds.n) = Map<const VectorXd>(from + kForce, speeds.n);
    }
    exchange.visit_knots_backwards([&](int link, int branch) {
      const Link& k = links[link];
      if (branch < 0) project_force(tree, k, T);
      if (k.parent >= 0) pass_hinge_force(tree, k);
    });
  }

  Tree& tree;
  BranchExchange& exchange;
  const std::vector<BranchShares::Branch>& branches;
  BranchNumbers numbers;
};

InverseDynamics::InverseDynamics(Tree& tree) : tree_(tree) {}
InverseDynamics::~InverseDynamics() = default;

void InverseDynamics::share(BranchExchange& exchange) {
  on_ranks_ = std::make_unique<OnRanks>(tree_, exchange);
}

// What inertia, gravity and elasticity ask of the hinge of a body alone, into Link::f and
// Modes::ddq.
void InverseDynamics::set_own_force(Link& k, const Vector3d& gravity, const VectorXd& du) {
  if (k.modes < 0) {
    const Vector3d a = k.a.head<3>() - gravity, turn = k.a.tail<3>(), c = k.R * k.first_moment;
    const Vector3d w_B = k.R.transpose() * k.w, turn_B = k.R.transpose() * turn;
    const Vector3d L = k.J * w_B, torque_B = k.J * turn_B + w_B.cross(L);
    k.f.head<3>() = k.mass * a + turn.cross(c) + k.w.cross(k.w.cross(c));
    k.f.tail<3>() = c.cross(a) + k.R * torque_B;
    return;
  }
  Modes& m = tree_.modes()[k.modes];
  const VectorXd& own = own_acceleration(tree_, k, du);
  bodies::BodyState moving = m.state;
  new (&moving.a) Map<const VectorXd>(own.data(), own.size());
  m.h.setZero();
  m.body->add_residual(moving, k.R.transpose() * gravity, m.h);
  k.f.head<3>() = k.R * m.h.head<3>();
  k.f.tail<3>() = k.R * m.h.segment<3>(3);
  m.ddq = m.h.tail(m.n);
}

void InverseDynamics::set_force(Link& k, const Vector3d& gravity, const VectorXd& du) {
  accelerate(tree_, k, du);
  set_own_force(k, gravity, du);
  k.f += k.z;
  if (k.modes >= 0) tree_.modes()[k.modes].ddq += tree_.modes()[k.modes].z_f;
}

void InverseDynamics::compute(const Vector3d& gravity, const VectorXd& du, VectorXd& T) {
  for (Link& k : tree_.links()) set_force(k, gravity, du);
  project_forces(tree_, T);
}

void InverseDynamics::compute_shared(const Vector3d& gravity, const VectorXd& du, VectorXd& T) {
  for (const auto& [link, is_own] : on_ranks_->exchange.reached())
    if (is_own) set_force(tree_.links()[link], gravity, du);
  on_ranks_->project(T);
}

void InverseDynamics::compute_alone(const double* q, const double* u, const Vector3d& gravity,
                                    const VectorXd& du, VectorXd& T) {
  tree_.sweep_outwards(q, u, [&](Link& k) {
    accelerate(tree_, k, du);
    set_own_force(k, gravity, du);
  });
  project_forces(tree_, T);
}

void InverseDynamics::compute_alone_shared(const double* q, const double* u,
                                           const Vector3d& gravity, const VectorXd& du,
                                           VectorXd& T) {
  for (const auto& [link, is_own] : on_ranks_->exchange.reached()) {
    Link& k = tree_.links()[link];
    tree_.compute_motion_of(k, q, u);
    if (!is_own) continue;
    accelerate(tree_, k, du);
    set_own_force(k, gravity, du);
  }
  on_ranks_->project(T);
}

}  // namespace solidyn::recursive
