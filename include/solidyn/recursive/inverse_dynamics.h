#pragma once
#include <memory>

#include "solidyn/recursive/tree.h"

namespace solidyn::recursive {

class BranchExchange;

/// Generalised forces from accelerations in two sweeps, P-RECURSIVE (4.2) for bodies with all their
/// nonlinear terms: what M du + C + forces leaves on each speed of hinges and modes. In world axes,
/// with f of a body and all that it carries,
///   a = phi a_parent + X ddq_parent + bias + H du + E ddq,   f = (inertia and forces) + phi^T
///   f_child, T = H^T f of hinges,   T^f = r_f + E^T f + X^T f_child of modes
/// Modes have no actuators: T^f = 0 says that given accelerations fit the deformation. Local.
/// Proved by InverseDynamics.*
class InverseDynamics {
 public:
  explicit InverseDynamics(Tree& tree);
  ~InverseDynamics();

  /// At the motion of Tree::compute_motion(), and with the forces on links and modes that
  /// ArticulatedBodies::add_force() has summed. Sets accelerations and hinge forces of links.
  /// @param du  [n_speeds] second rates of hinges and modes
  /// @param[out] T  [n_speeds] N or N m of hinges, generalised forces of modes
  void compute(const Eigen::Vector3d& gravity, const Eigen::VectorXd& du, Eigen::VectorXd& T);
  /// The same at coordinates and speeds whose motion it computes, where no other forces act: one
  /// sweep outwards and one inwards.
  void compute_alone(const double* q, const double* u, const Eigen::Vector3d& gravity,
                     const Eigen::VectorXd& du, Eigen::VectorXd& T);

  /// Branches that ranks take from each other, for the two below. The exchange must outlive this.
  void share(BranchExchange& exchange);
  /// The same T on all ranks, with accelerations, forces and, of the second one, motion of the
  /// trunk and of own branches alone. Collective. @pre share()
  void compute_shared(const Eigen::Vector3d& gravity, const Eigen::VectorXd& du,
                      Eigen::VectorXd& T);
  void compute_alone_shared(const double* q, const double* u, const Eigen::Vector3d& gravity,
                            const Eigen::VectorXd& du, Eigen::VectorXd& T);

 private:
  struct OnRanks;
  void set_force(Link& k, const Eigen::Vector3d& gravity, const Eigen::VectorXd& du);
  void set_own_force(Link& k, const Eigen::Vector3d& gravity, const Eigen::VectorXd& du);

  Tree& tree_;
  std::unique_ptr<OnRanks> on_ranks_;  // null: branches are not shared
};

}  // namespace solidyn::recursive
