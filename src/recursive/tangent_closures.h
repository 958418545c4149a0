#pragma once
#include <functional>
#include <utility>

#include "recursive/closure_order.h"
#include "recursive/pivoted_inverse.h"
#include "recursive/tangent_links.h"

namespace solidyn::recursive {

/// A number that is linear in the variations of some links, and forces on them by an unknown of its
/// own: of a closure's row the multiplier; of forces between two bodies the number itself.
struct TangentRow {
  std::vector<int> links;
  std::vector<Eigen::VectorXd> row, force;  ///< of each link, [18 + modes] and [6 + modes]
  /// Beside those, of a row that borders the tree: by what hinges exert, and by the multipliers of
  /// closures, empty where it is not.
  std::vector<std::pair<int, Vector6d>> by_hinges;
  Eigen::VectorXd by_multipliers;
  double scale_of_phi = 1.0;  ///< of closures; of velocity level by the step
  bool is_closure = true;
};

/// What an elimination of TangentSweep does with a link, as the rows through its hinge see it: with
/// the unknowns y that are eliminated, of the hinge and the link's modes,
///   x = shift x_p + gamma [q_p; y_all],  y = y_0 + B [x_p; q_p],  force on y: rows f.
struct TangentElimination {
  template <int n_rows, int n_columns = Eigen::Dynamic>
  using View = Eigen::Map<const Eigen::Matrix<double, n_rows, n_columns>>;
  const Shift* shift = nullptr;
  bool has_parent = false;
  int n_parent = 0, n_own = 0;        ///< modes
  int n_columns = 0, n_unknowns = 0;  ///< by the parent's modes, speeds, own modes; the last ones
  const double *gamma = nullptr, *rows = nullptr;             ///< [18 x columns], [columns x 6]
  const double *D_inverse = nullptr, *B = nullptr;            ///< B: [unknowns x (18 + n_parent)]
  const Divisor* D = nullptr;                                 ///< null: one unknown, by D_inverse
  const double *inwards = nullptr, *modal_inwards = nullptr;  ///< force on the parent by y, modes
};

/// Closures in TangentSweep, as ClosureSweep has them in the sweeps of accelerations, but
/// unsymmetric: rows R on a link's variations, forces F by their unknowns, and what couples them,
///   f = M x + z + F lambda,   the rows' values R x + c + L lambda.
/// With the rows of a closure go those by which its forces couple the bodies that it joins. Rows
/// that depend on others have no multipliers. Local. Proved by StepTangent.*
class TangentClosures {
 public:
  /// @pre the tree's system knows where its bodies are
  TangentClosures(Tree& tree, const ClosureOrder& order);

  /// Of each closure the rows, in the order of their multipliers, couplings among them.
  void begin(const std::vector<std::vector<TangentRow>>& rows);
  /// Inwards. What ends here adds to the parent's matrix, [6 + n_parent x 18 + n_parent]; empty
  /// where nothing does.
  const Eigen::MatrixXd& eliminate(int link, const TangentElimination& e);
  /// Of a group of nodes, which hang on nothing, at once: by what their speeds do to each of them,
  /// and what forces on each do along its speeds.
  struct NodeElimination {
    std::function<Eigen::MatrixXd(int link)> gamma, rows;           ///< [18 x 6], [6 x 6]
    std::function<Eigen::MatrixXd(const Eigen::MatrixXd&)> divide;  ///< columns by their matrix
  };
  void eliminate_nodes(int group, const NodeElimination& e);
  void end_on_ground();

  /// Values of closures' rows that are to be taken away. [closure rows]
  void begin_forces(const Eigen::VectorXd& phi);
  /// y_0 of the unknowns. Adds to what goes to the parent: force, and on its modes.
  void force(int link, const Eigen::Ref<const Eigen::VectorXd>& y, Vector6d& to_parent,
             Eigen::VectorXd& modal);
  void solve_on_ground();
  /// What multipliers make of y. @param x  variations of the parent, [18 + n_parent]
  void move(int link, const Eigen::VectorXd& x, Eigen::Ref<Eigen::VectorXd> y);
  /// Of closures' rows.
  Eigen::VectorXd multipliers() const;
  /// Of rows that have no multipliers, those of `before` in `lambda`. [closure rows]
  void keep_idle(const Eigen::VectorXd& before, Eigen::VectorXd& lambda) const;
  /// Forces on a link by the unknowns of its rows, before eliminate() of it; and those of the last
  /// solution, from them.
  const Matrix6X& forces(int link) const { return at_[link].F; }
  Vector6d force_on(int link, const Matrix6X& forces) const;
  bool has_rows(int link) const { return !rows_.links[link].rows.empty(); }

 private:
  struct At {
    Eigen::Matrix<double, Eigen::Dynamic, 18> R;
    Eigen::MatrixXd R_modal;
    Matrix6X F;
    Eigen::MatrixXd F_modal;
    // Of what these are sums of.
    Eigen::Matrix<double, Eigen::Dynamic, 18> size_of_R;
    Eigen::MatrixXd size_of_R_modal, size_of_F_modal;
    Matrix6X size_of_F;
    using Row = Eigen::Matrix<double, 1, 18>;
    void add(Eigen::Index place, const Row& row, const Vector6d& force);
    void add_modal(Eigen::Index place, const Eigen::RowVectorXd& row, const Eigen::VectorXd& force);
    Eigen::MatrixXd by_y, y_by;  // rows by y; D^-1 of what their unknowns do to it
    // Of the first link of a group of nodes: rows on these, in place of R and F.
    struct OnNode {
      int link;
      Eigen::Index place;  // of the row
      Eigen::VectorXd row, force;
    };
    std::vector<OnNode> on_nodes;
  };
  struct Solution {
    Eigen::MatrixXd inverse;              // L^-1
    Eigen::MatrixXd of_coupled;           // that times L [rows x coupled]
    Eigen::MatrixXd on_coupled;           // L [coupled x rows]
    Eigen::MatrixXd of_motion, on_force;  // L^-1 R [x_p; q_p]; F of the force and of modes
  };
  struct Block {
    Eigen::MatrixXd upper, lower;  // of the pair, and of the pair exchanged
  };
  void renumber(const std::vector<std::vector<TangentRow>>& rows);
  void add_reach(int link, const TangentElimination& e);
  void add_row(const TangentRow& row, int number);
  void subtract_mobility(int link);
  void end_group(int group, At* at, Eigen::MatrixXd& to_parent);
  void end_forces(int link, Vector6d* to_parent, Eigen::VectorXd* modal);
  void find_multipliers(int link, const Eigen::VectorXd* x);
  Eigen::MatrixXd& block(int id, bool is_transposed) {
    return is_transposed ? blocks_[id].lower : blocks_[id].upper;
  }

  Tree& tree_;
  const ClosureOrder& order_;
  double length_;  // m, of the mechanism
  ClosureRows rows_;
  std::vector<int> n_rows_;  // of each closure
  std::vector<At> at_;
  std::vector<Block> blocks_;
  std::vector<Solution> solutions_;
  std::vector<char> is_closure_, is_idle_;  // of each row
  Eigen::VectorXd reach_;  // L of each closure's row on its diagonal, without what cancels
  Eigen::VectorXd scale_of_phi_, c_, lambda_;
  Eigen::MatrixXd by_all_, on_all_, to_parent_;  // of one elimination
};

}  // namespace solidyn::recursive
