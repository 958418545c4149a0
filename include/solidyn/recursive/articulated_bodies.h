#pragma once
#include "solidyn/recursive/tree.h"

namespace solidyn::recursive {

class AbsolutePart;
class BranchExchange;
class ClosureSweep;

/// The inverse of the mass matrix of a tree by two sweeps, P-RECURSIVE (6.1), (7.1): of each body
/// the modes are eliminated first, then its hinge, so that only 6 x 6 goes inwards. With P of the
/// body and all that it carries, D_f = [1; E]^T P [1; E] and N = [0 1] P [1; E]:
///   P_R = P_rr - N D_f^-1 N^T,   D = H^T P_R H,   G = P_R H D^-1,   P+ = P_R - G H^T P_R
/// Local. Proved by ArticulatedBodies.*
class ArticulatedBodies {
 public:
  explicit ArticulatedBodies(Tree& tree);
  /// Rows that all that follows is to satisfy; null: there are none.
  void set_closures(ClosureSweep* closures) { closures_ = closures; }
  /// What stays in absolute coordinates, at whose mass factorise() and eliminate() look at the
  /// system's kinematics; null: there is none, or it does not move.
  void set_absolute_part(AbsolutePart* part) { absolute_ = part; }
  /// Branches that ranks take from each other; null: each has all. move() then leaves the inertia
  /// of others' links as it is, and the motion too unless all links are to move;
  /// eliminate_and_solve() is collective, and gives Link::a, Link::f and Modes::ddq of own links,
  /// and f of all that follow laws. @pre no closures, no nodes of beams
  enum class Moving { all_links, own_links };
  void share(BranchExchange* exchange, Moving moving) {
    exchange_ = exchange;
    moving_ = moving;
  }

  /// At the motion of Tree::compute_motion().
  /// @throws base::ComputationError naming a hinge about which nothing has inertia
  void factorise();

  /// Tree::compute_motion(), set_inertia_forces() and the outward part of factorise() in one sweep;
  /// then eliminate() does the rest, at the rows of closures that have been set in between.
  void move(const double* q, const double* u, const Eigen::Vector3d& gravity);
  void eliminate();

  /// Sets the forces of all links to those of inertia without accelerations, gravity and
  /// elasticity, as bodies::Body::add_residual has them. @pre factorise()
  void set_inertia_forces(const Eigen::Vector3d& gravity);
  void set_forces_to_zero();
  /// Adds a generalised force on the velocities of a body, as in a residual: force (W), torque (B),
  /// modal forces; modal ones alone where the system has no more. @param r [velocities of the body]
  void add_force(Link& link, const Eigen::Ref<const Eigen::VectorXd>& r);

  /// With M du + forces = 0: du [n_speeds] of all that is free, the accelerations of links, and
  /// what their hinges exert. `motion`: with the bias of the links' motion, and with those entries
  /// of du that follow laws; else both are zero.
  enum class Bias { none, motion };
  void solve(Bias bias, Eigen::VectorXd& du);
  /// eliminate(), then solve(Bias::motion), of forces that have been added since move(): without
  /// closures in one sweep inwards, which long trees bring from memory once, and of what hinges
  /// exert only what drives need. The rest is found by complete().
  void eliminate_and_solve(Eigen::VectorXd& du);
  /// Link::f of all links after eliminate_and_solve(); where branches are shared, which makes it
  /// collective, Link::a and Modes::ddq of all links too.
  void complete(const Eigen::VectorXd& du);

  /// Accelerations of a body in its own unknowns: linear (W), angular (B), modal.
  void write_acceleration(const Link& link, Eigen::Ref<Eigen::VectorXd> a) const;

  /// G and D^-1 of the free speeds of a link's hinge, in their order. @pre factorise()
  Eigen::Map<const Matrix6X> G(const Link& k) const {
    return {G_.data() + 6 * static_cast<std::ptrdiff_t>(k.columns), 6, k.n_free};
  }
  Eigen::Map<const Eigen::MatrixXd> D_inverse(const Link& k) const {
    return {D_inverse_.data() + 6 * static_cast<std::ptrdiff_t>(k.columns), k.n_free, k.n_free};
  }

 private:
  void set_inertia_force(Link& k, const Eigen::Vector3d& gravity);
  void eliminate(Link& k);
  void eliminate_one_speed(Link& k);
  void eliminate_speeds(Link& k);
  void take_rows_inwards(Link& k);
  void eliminate_absolute_part();
  void accelerate_absolute_part(Eigen::VectorXd& du);
  void settle_absolute_part(Eigen::VectorXd& du);
  void pass_force(const Link& k, const Vector6d& f);
  template <Bias bias, bool eliminates>
  void sweep(Eigen::VectorXd& du);
  template <Bias bias, bool eliminates>
  void resolve_force(Link& k, Eigen::VectorXd& du);
  enum class HingeForces { all, of_laws };
  void follow_parent(const Link& k, Vector6d& a) const;
  template <HingeForces forces>
  void accelerate(Link& k, Eigen::VectorXd& du);
  void find_hinge_force(Link& k, const Eigen::VectorXd& du);
  void sweep_shared(Eigen::VectorXd& du);
  int sweep_own_branches_inwards(Eigen::VectorXd& du);
  [[noreturn]] void fail(const Link& k) const;

  Tree& tree_;
  ClosureSweep* closures_ = nullptr;
  AbsolutePart* absolute_ = nullptr;
  BranchExchange* exchange_ = nullptr;
  Moving moving_ = Moving::all_links;
  std::vector<double> G_, D_inverse_;  // six numbers for each column of H
};

}  // namespace solidyn::recursive
