#pragma once
#include "recursive/link_columns.h"
#include "recursive/pivoted_inverse.h"
#include "recursive/tangent_closures.h"

namespace solidyn::recursive {

class BranchExchange;
class NodeMatrix;
struct TangentBranches;

/// The elimination of StepTangent, link by link: with x the variations of a link and q of its
/// modes, f = M [x; q] is what its hinge exerts, and what varies its modal forces. Its own
/// coordinates y follow from its parent's motion,
///   D y + B [x_p; q_p] + e = 0,   D = C^T M Gamma + geometric terms,
/// and what is left of f goes inwards. Nodes of beams hang on nothing: their D of all of a group is
/// one sparse matrix, with those of elements and of forces between them. Where the equations share
/// branches, each rank has its own ones and the trunk; eliminate() and solve() are then collective,
/// and solutions are the same on all ranks.
class TangentSweep {
 public:
  explicit TangentSweep(StepEquations& equations);
  ~TangentSweep();
  /// Rows that solutions are to satisfy; null: there are none.
  void set_closures(TangentClosures* closures) { closures_ = closures; }

  /// M of the bodies alone, all else zero. What is added later may depend on positions and
  /// velocities where StepEquations::has_forces(). @pre StepEquations::evaluate()
  void set_bodies(const StepCoefficients& c, const Eigen::Vector3d& gravity,
                  const Eigen::VectorXd& du);
  /// Rows [force; torque; modal] of a link by the variations of itself, its parent, of what
  /// hangs on it, or of another node of its group. @return false where the two are none of these,
  /// has_place_for()
  bool add(const Link& row, const Link& column, const Eigen::MatrixXd& block);
  bool has_place_for(const Link& row, const Link& column) const;
  /// A torque that turns with the body, in W.
  void turn(const Link& k, const Eigen::Vector3d& torque);
  /// Links that have modes, or hang on a body with some, and rigid ones that carry them unless
  /// these are more.
  const std::vector<int>& on_modes() const { return on_modes_; }
  /// Links whose force_variation() is asked for, from the next eliminate() on.
  void watch(const std::vector<int>& links);
  void eliminate(const StepCoefficients& c, const Eigen::VectorXd& q, const Eigen::VectorXd& u,
                 const Eigen::VectorXd& du, const Eigen::VectorXd& n);

  /// Forces on links, [force; torque; modal] in W, that solve() takes with it, and takes away.
  void add_force(const Link& k, const Eigen::VectorXd& force);
  /// y with r + dr = 0.
  void solve(const Eigen::VectorXd& r, Eigen::VectorXd& y);
  /// What the last solution is to be changed by where bodies are now, see StepTangent::refine().
  /// @pre watch() of on_modes(), and no closures
  void refine(Eigen::VectorXd& change);
  /// Links whose variations() every rank asks for, from the next solve() on; the same on all ranks.
  void tell(const std::vector<int>& links);
  /// Of the last solution: [x; q] of a link. [18 + modes] @pre tell() of it, where branches are
  /// shared
  Eigen::VectorXd variations(const Link& k) const;
  /// How Link::f varies: [force; torque] in W at the link's origin. @pre watch() of it
  Vector6d force_variation(int link) const;

 private:
  struct General;
  template <Depends depends>
  void eliminate_one(Link& k, const StepCoefficients& c);
  template <Depends depends>
  void eliminate_several(Link& k, const StepCoefficients& c, const Eigen::VectorXd& q,
                         const Eigen::VectorXd& u, const Eigen::VectorXd& du,
                         const Eigen::VectorXd& n);
  void set_variations(General& g, const Link& k, const StepCoefficients& c,
                      const Eigen::VectorXd& n);
  void add_to_parent(const Link& k);
  void eliminate_link(int i, const StepCoefficients& c, const Eigen::VectorXd& q,
                      const Eigen::VectorXd& u, const Eigen::VectorXd& du,
                      const Eigen::VectorXd& n);
  void pass_inwards(int i);
  void set_modal_body(const Link& k, const StepCoefficients& c, const Eigen::Vector3d& gravity,
                      const Eigen::VectorXd& du);
  template <Depends depends>
  void solve_inwards_and_outwards(const Eigen::VectorXd& r, Eigen::VectorXd& y);
  template <Depends depends>
  Vector6d solve_inwards(int i, const Eigen::VectorXd& r, Eigen::VectorXd& y);
  Vector6d solve_inwards(const Link& k, const Eigen::VectorXd& r, Vector6d z);
  void pass_force(int i, const Vector6d& z);
  template <Depends depends>
  void solve_outwards(int i, Eigen::VectorXd& y);
  template <Depends depends>
  void solve_outwards(const Link& k, Eigen::VectorXd& y);
  void begin_sharing(BranchExchange& exchange);
  void eliminate_shared(const StepCoefficients& c, const Eigen::VectorXd& q,
                        const Eigen::VectorXd& u, const Eigen::VectorXd& du,
                        const Eigen::VectorXd& n);
  template <Depends depends>
  void solve_shared(const Eigen::VectorXd& r, Eigen::VectorXd& y);
  void share_solution(Eigen::VectorXd& y);
  // How what a hinge exerts varies, at the link's origin: where bodies were at the elimination, and
  // where they are.
  struct HingeForce {
    Vector6d then, now;
  };
  void find_links_on_modes();
  void hold(int i);
  HingeForce hold_by_hinge(int i);
  bool is_carried_by_watched(int i) const;
  Eigen::Matrix3d turn_since(int i) const;
  Vector6d missed_by_parent(int i, const HingeForce& f) const;
  const Eigen::VectorXd& missed_along_modes(int i, const HingeForce& f);
  Eigen::VectorBlock<Eigen::VectorXd> modes_of_now(int i);
  void hold_shared();
  bool is_here(std::size_t link) const { return is_here_.empty() || is_here_[link]; }
  int modes_of_parent(int link) const {
    const Link& k = tree_.links()[link];
    return k.carried >= 0 ? tree_.modes()[tree_.links()[k.parent].modes].n : 0;
  }
  void eliminate_with_closures(int link);
  void eliminate_nodes(int group, const StepCoefficients& c, const Eigen::VectorXd& q,
                       const Eigen::VectorXd& u, const Eigen::VectorXd& du,
                       const Eigen::VectorXd& n);
  void solve_nodes_alone(const Eigen::VectorXd& r, Eigen::VectorXd& y);
  void move_nodes(Eigen::VectorXd& y);
  bool has_closures(std::size_t link) const {
    return closures_ && closures_->has_rows(static_cast<int>(link));
  }
  void push_by_closures(std::size_t link, const Eigen::Ref<const Eigen::VectorXd>& y);
  void move_by_closures(std::size_t link, Eigen::Ref<Eigen::VectorXd> y);
  bool is_simple(const Link& k) const;
  [[noreturn]] void fail(const Link& k) const;

  StepEquations& equations_;
  Tree& tree_;
  TangentClosures* closures_ = nullptr;
  Depends depends_ = Depends::on_all;
  // What solve() has to know of each link.
  struct Place {
    int parent, speed;  // the first one
    int simple;         // of simple_; -1: of general_
  };
  std::vector<Place> places_;
  std::vector<Rows18> M_;     // of each link, with all that it carries
  std::vector<Shift> shift_;  // likewise
  std::vector<Vector6d> z_;   // likewise, in solve()
  std::vector<Variation> x_;  // likewise
  // Of a body on a fixed axis of a rigid one, or of the ground. Long chains are read from memory in
  // each solution: what the sweep inwards needs is apart from what the one outwards does, and that
  // has no more numbers than vary.
  struct Simple {
    Vector6d column, inwards;  // what y does to the force that goes inwards
    Eigen::Vector3d r;         // of its shift
    double D_inverse = 0.0;
  };
  std::vector<Simple> simple_;
  std::vector<double> outward_;  // of each: gamma, what y does to the link, and B, y = y_0 + B x_p
  std::size_t n_varying() const {
    return depends_ == Depends::on_all ? 18 : kVarying<Depends::on_turning>;
  }
  double* gamma(std::size_t simple) { return outward_.data() + 2 * n_varying() * simple; }
  double* B(std::size_t simple) { return gamma(simple) + n_varying(); }
  // Of others.
  struct General {
    int n_parent = 0, n_own = 0;                    // modes of its parent and its own
    Eigen::Matrix<double, Eigen::Dynamic, 6> rows;  // those, its hinge and these, at its origin;
                                                    // unknowns are the last ones
    Eigen::Matrix<double, 18, Eigen::Dynamic> gamma;
    Divisor D;
    Eigen::MatrixXd B, modal_inwards;  // as above; of the parent's modes
    Matrix6X inwards;
    std::vector<int> speeds;  // where unknowns are in y
    Eigen::VectorXd y, e;
  };
  std::vector<General> general_;
  std::vector<int> on_modes_;
  LinkColumns link_columns_;
  std::vector<int> index_;  // of each link in one of the two
  // Of one elimination, beside what is kept.
  struct Work {
    std::vector<int> order;             // of columns, among those of LinkColumns
    Eigen::Matrix3d T;                  // of a hinge that turns freely
    Eigen::Matrix3Xd arms, moved;       // displacements of the link's origin, and these x its force
    Eigen::MatrixXd geometric, rows_y;  // along the columns, by them
    Eigen::MatrixXd rows_X;             // by x_p
    Matrix6X F_y;                       // forces by the columns
    InverseWork of_inverse;
    Eigen::VectorXd column, along, all, of_now;
    Eigen::MatrixXd by_a, by_v, by_q, unused, block;  // of a body with modes
  };
  Work work_;
  // Of links with modes: M by the modes, modal rows by both, and forces.
  struct Modal {
    Matrix6X M;
    Eigen::Matrix<double, Eigen::Dynamic, 18> N;
    Eigen::MatrixXd N_own;
    Eigen::VectorXd z, q;
  };
  std::vector<Modal> modal_;
  // Of links that forces couple to their parents: rows of the link by [x_p; q_p], and rows of the
  // parent by [x; q]. Empty where there are none.
  std::vector<Eigen::MatrixXd> outwards_, to_parent_;
  // Of groups of nodes: their matrices, and what forces between two of them vary by.
  std::vector<NodeMatrix> of_nodes_;
  struct Between {
    int row, column;
    Rows18 block;
  };
  std::vector<Between> between_nodes_;
  // What the force of a hinge is made of, as it was before its elimination.
  struct Watched {
    Rows18 M;
    Eigen::MatrixXd M_modal;
    Matrix6X of_closures;
    Vector6d z;
    Eigen::Matrix3d R;  // of the link
  };
  void note(std::size_t link);
  std::vector<int> watched_links_;
  std::vector<Watched> watched_;               // of these
  std::vector<int> place_of_watched_;          // of each link; -1: it is not. Empty: none is
  std::unique_ptr<TangentBranches> on_ranks_;  // null: branches are not shared
  std::vector<char> is_here_;  // whether a link is of the trunk or of an own branch; empty: all are
};

}  // namespace solidyn::recursive
