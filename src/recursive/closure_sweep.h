#pragma once
#include "recursive/closure_order.h"
#include "recursive/pivoted_inverse.h"
#include "solidyn/recursive/closures.h"

namespace solidyn::recursive {

class AbsolutePart;

/// Closures in the sweeps of ArticulatedBodies: a link sends inwards, beside its articulated
/// inertia P and force z, how the rows that go through its hinge depend on its acceleration and on
/// their multipliers,
///   f = P a + z + K^T lambda,   G a of the rows = K a + c - L lambda,
/// and where rows end, lambda = L^-1 (K a + c - gamma) is put into both. L is kept in blocks of
/// pairs of closures. How many rows depend on others is decided at the first factorisation; as many
/// take no part later. Local. Proved by Mechanism.*, Loops.*; doc/theory/recursive.md
class ClosureSweep {
 public:
  /// @param n_rows  of each closure
  ClosureSweep(Tree& tree, const std::vector<ClosureOrder::Closure>& closures,
               const std::vector<int>& n_rows);

  /// Rows are zero, L too.
  void begin();
  /// Adds rows on the velocities of a body: linear (W), angular (B), modal.
  void add_rows(int closure, const Link& k, const Eigen::Ref<const Eigen::MatrixXd>& G);

  // Inwards, of each link: its modes, then its hinge have been eliminated. @param G [6 x n_free]
  void eliminate_modes(const Link& k);
  void eliminate_hinge(Link& k, const Eigen::Ref<const Matrix6X>& G,
                       const Eigen::Ref<const Eigen::MatrixXd>& D_inverse);
  /// Of a group of nodes, which hang on nothing, at once.
  void eliminate_nodes(int group, const AbsolutePart& part);
  void end_on_ground();

  /// J P M^-1 J^T of the rows of closures that are looked at, in their order, at coordinates that
  /// the others leave free. @param first  of them: they are the last ones  @pre factorised
  Eigen::MatrixXd mobility_from(int first);

  /// gamma. [n_rows]
  Eigen::VectorXd right_side;
  // Of forces, likewise.
  void begin_forces();
  void force_modes(const Link& k);
  void force_hinge(Link& k, const Eigen::VectorXd& du);
  /// @param du  of the nodes without closures
  void force_nodes(int group, const Eigen::VectorXd& du);
  void solve_on_ground();
  // Outwards: Link::a is that of the body when its hinge and modes do not accelerate; modes before
  // find_modal_accelerations().
  void accelerate_hinge(Link& k, Eigen::VectorXd& du);
  void accelerate_modes(const Link& k);
  void accelerate_nodes(int group, Eigen::VectorXd& du);
  /// [n_rows]
  const Eigen::VectorXd& multipliers() const { return lambda_; }

  const ClosureOrder& order() const { return order_; }
  ClosureCounts counts() const;
  int n_dependent() const { return n_dependent_; }
  /// At the first factorisation, the row that was least independent of others, its size over the
  /// largest; -1: there is none.
  int weakest_row() const { return weakest_row_; }
  double weakest() const { return weakest_; }

  /// @pre factorised. Loses multipliers().
  std::vector<IdleMultipliers> find_idle();

 private:
  struct At {                              // rows through the hinge of a link
    Matrix6X K;                            // a column for each
    Eigen::MatrixXd along, along_inverse;  // K^T H, that times D^-1. [rows x n_free]
    Eigen::MatrixXd modal;                 // K_f, then (K_f + K^T E) L^-T of D_f = L L^T
    Matrix6X size_of_K;                    // of what K and modal are sums of
    Eigen::MatrixXd size_of_modal;
    // Of the first link of a group of nodes, on the speeds of all of them, K being zero; M^-1 that.
    Eigen::MatrixXd nodes, divided_nodes;
    Eigen::MatrixXd size_of_nodes;  // of what `nodes` are sums of
  };
  struct Solution {
    Eigen::MatrixXd inverse;     // L^-1 of the rows
    Eigen::MatrixXd of_coupled;  // that times L of the rows and the coupled ones
    Matrix6X of_acceleration;    // K L^-1
    Eigen::MatrixXd idle;        // columns
    int n_dependent = -1;        // not known yet
  };
  Eigen::Map<Eigen::MatrixXd> block(int i);
  void add_mobility(const Link& k, const Eigen::Ref<const Eigen::MatrixXd>& left,
                    const Eigen::Ref<const Eigen::MatrixXd>& right);
  void end_group(int group, Link* k);
  void invert(int group, const Eigen::MatrixXd& L);
  Eigen::VectorXd of_coupled(int group) const;
  void pass_rows(const Link& k);
  void end_forces(int link, Link* k);
  void find_multipliers(int link, const Link* k);
  IdleMultipliers spread_idle(int link, int group, Eigen::Index column,
                              const std::vector<std::vector<int>>& carried);
  int index_of(const Link& k) const { return static_cast<int>(&k - tree_.links().data()); }

  Tree& tree_;
  ClosureOrder order_;
  ClosureRows rows_;
  double length_;  // m, of the mechanism
  int n_dependent_ = 0, weakest_row_ = -1;
  double weakest_ = 1.0;
  std::vector<At> at_;            // of each link
  std::vector<int> first_entry_;  // of each block in L_
  std::vector<double> L_;
  std::vector<Solution> solutions_;   // of each group
  Eigen::VectorXd mobility_, reach_;  // of each row: L before others end, and what it may be
  Eigen::VectorXd c_, lambda_;
};

}  // namespace solidyn::recursive
