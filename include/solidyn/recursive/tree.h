#pragma once
#include <array>
#include <memory>
#include <vector>

#include "solidyn/recursive/forest.h"
#include "solidyn/recursive/modal_frame.h"

namespace solidyn::recursive {

class FloatingForm;

/// [force or velocity; torque or angular velocity], both in world axes, at the origin of a body.
using Vector6d = Eigen::Matrix<double, 6, 1>;
using Matrix6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// Symmetric [6 x 6], [force; torque] = [A B; B^T C] [acceleration; angular acceleration].
struct SpatialInertia {
  Eigen::Matrix3d A = Eigen::Matrix3d::Zero(), B = A, C = A;

  Vector6d operator*(const Vector6d& a) const {
    Vector6d f;
    f.head<3>().noalias() = A * a.head<3>() + B * a.tail<3>();
    f.tail<3>().noalias() = B.transpose() * a.head<3>() + C * a.tail<3>();
    return f;
  }
};

/// A body with its hinge, as the sweeps see it:
///   V = phi V_parent + X dq_parent + H u + E dq,     phi V = [v + w x arm; w]
/// and the same of accelerations, with `bias` in addition. X is there where the parent has modes, E
/// where the body does: what its own modes do to its motion while its outboard frame follows the
/// hinge, E = -phi(frame, body) Psi (the errata of P-RECURSIVE (3.15)).
struct Link {
  // What the forest says.
  BodyIndex body;
  int parent = -1;
  joints::Hinge hinge{joints::Hinge::Kind::free};
  bool is_reversed = false;
  int modes = -1;    ///< Modes of the body; -1: it is rigid
  int carried = -1;  ///< CarriedFrame on a parent with modes; -1: that is rigid, or the ground
  int q = 0, u = 0;  ///< where its coordinates and speeds begin: hinge, then modes
  int columns = 0;   ///< where those of H begin
  int n_speeds = 0;  ///< of the hinge
  int n_free = 0;    ///< of these, that follow no law; they come first in `order`
  std::array<int, 6> order{};  ///< speed of the hinge of each column
  /// Whether its hinge turns freely, and that in the axes of what carries the body.
  bool turns_with_carrier() const {
    return hinge.turns_freely() && (hinge.turns_in() == joints::Hinge::TurnAxes::B) == is_reversed;
  }
  Eigen::Vector3d x_inboard = Eigen::Vector3d::Zero(), x_outboard = x_inboard;
  Eigen::Matrix3d R_inboard = Eigen::Matrix3d::Identity(), R_outboard = R_inboard;
  double mass = 0.0;                                       ///< of a rigid body
  Eigen::Vector3d first_moment = Eigen::Vector3d::Zero();  ///< kg m, in B
  Eigen::Matrix3d J = Eigen::Matrix3d::Zero();             ///< kg m^2, about B's origin, in B

  // Its motion.
  Eigen::Matrix3d R;        ///< R_WB
  Eigen::Vector3d p, v, w;  ///< of its origin, in W
  Eigen::Vector3d arm;      ///< from the parent's origin, in W
  Vector6d bias;

  // Articulated quantities.
  SpatialInertia
      P;       ///< of it and all that it carries, as its hinge feels them from the inboard side
  Vector6d z;  ///< the force that goes with it when the inboard side does not accelerate
  Vector6d a;  ///< acceleration; before, of a body whose hinge and modes do not accelerate
  Vector6d f;  ///< what the hinge exerts on the body
};

/// The elastic coordinates of a body, in its own axes as bodies::Body has them.
struct Modes {
  bodies::Body* body = nullptr;  ///< of a superelement its FloatingForm::body()
  ModalFrame outboard;           ///< none: the body is free, its hinge at its own origin
  int n = 0;
  int n_followed = 0;  ///< the first of them, that a superelement takes from its carriers
  /// Whether the system has six unknowns of its frame: not of superelements, and coordinates of
  /// forces have no frame.
  bool has_frame = true;
  const FloatingForm* floating = nullptr;  ///< of a superelement
  Eigen::VectorXd q_e, v, zero;            ///< v: [0; angular velocity in B; dq_e]
  Eigen::VectorXd a;                       ///< [6 + n] accelerations in B, see own_acceleration()
  bodies::BodyState state;                 ///< of these, with B's axes for the world's
  bodies::FrameMotion motion;              ///< of the outboard frame, likewise
  Matrix6X E;
  // Inertia and forces of the body, then articulated ones; rows and columns of modes.
  Eigen::MatrixXd M, unused;
  Eigen::VectorXd h;
  Eigen::MatrixXd P_ff;      ///< its lower triangle: L of D_f = L L^T afterwards, pivots inverted
  Matrix6X P_rf;             ///< N L^-T afterwards, N = P_rf + P_rr E
  Eigen::VectorXd z_f, ddq;  ///< ddq: first L^-1 of the modal force
};

/// A frame on a body with modes that carries a hinge.
struct CarriedFrame {
  ModalFrame frame;
  bodies::FrameMotion motion;  ///< with the parent's axes for the world's
  Matrix6X X;
};

/// Nodes of beams that elements and forces connect: links that hang on nothing, one after the
/// other, whose speeds are the velocities of their bodies.
struct NodeGroup {
  int begin = 0, end = 0;  ///< links
  int u = 0, n = 0;        ///< their speeds
};

/// The links of a forest, their coordinates and their motion. Local. Nothing is allocated and no
/// function is virtual in the sweeps over rigid bodies.
class Tree {
 public:
  /// @pre system.update() of a state that satisfies the constraints
  /// @throws base::InputError as find_forest()
  explicit Tree(system::System& system);
  ~Tree();
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  const Forest& forest() const { return forest_; }
  int n_coordinates() const { return n_q_; }
  int n_speeds() const { return n_u_; }

  /// Coordinates and speeds of a state of the system. @pre System::update(state)
  void find_coordinates(const system::State& state, Eigen::VectorXd& q, Eigen::VectorXd& u) const;
  /// Puts those that follow laws where these are at time t. @param[out] du [n_speeds] second rates
  /// of laws, others untouched
  void follow_laws(double t, Eigen::Ref<Eigen::VectorXd> q, Eigen::Ref<Eigen::VectorXd> u,
                   Eigen::VectorXd& du) const;
  /// Speeds of a hinge of any kind whose second rates are known, though no law gives them: whoever
  /// solves with ArticulatedBodies::Bias::motion gives them in `du`, and what they need beside all
  /// other forces is H^T Link::f. @pre before ArticulatedBodies of this tree are made
  void prescribe(int link);

  /// The outward sweep: motion and bias of all links.
  void compute_motion(const double* q, const double* u);
  /// The same, with what is to be done with each link while it is at hand, after its parent.
  template <class Visit>
  void sweep_outwards(const double* q, const double* u, Visit&& visit) {
    for (Link& k : links_) {
      compute_motion_of(k, q, u);
      visit(k);
    }
  }
  /// The motion of one link. @pre that of its parent
  void compute_motion_of(Link& k, const double* q, const double* u);
  /// The motion of all links as positions and velocities of the system's state. Superelements have
  /// their internal coordinates there, and all else from their carriers.
  void write(system::State& state) const;
  /// dq/dt. @param[out] rates [n_coordinates]
  void compute_rates(const double* q, const double* u, double* rates) const;
  /// q := q moved by the increment [n_speeds].
  void advance(const Eigen::VectorXd& increment, Eigen::VectorXd& q) const;

  /// How many links hang on hinges, those of coordinates of forces among them. Nodes of beams come
  /// behind them, and the sweeps know nothing of these: AbsolutePart.
  std::size_t n_hinged() const { return n_hinged_; }
  const std::vector<NodeGroup>& node_groups() const { return node_groups_; }
  /// -1: the link is no node.
  int node_group(int link) const { return forest_.branches[link].node_group; }
  /// Where rows of closures on a link enter the sweeps: at itself; of nodes at the first one of
  /// their group, which stands for all.
  int entry_of_rows(int link) const {
    const int group = node_group(link);
    return group < 0 ? link : node_groups_[group].begin;
  }

  std::vector<Link>& links() { return links_; }
  const std::vector<Link>& links() const { return links_; }
  /// @pre the body is one on a hinge, or a node
  Link& link_of(BodyIndex body) { return links_[link_of_body_[body]]; }
  /// Those with speeds that follow laws.
  const std::vector<int>& driven_links() const { return driven_links_; }
  int index_of(BodyIndex body) const { return link_of_body_[body]; }
  std::vector<Modes>& modes() { return modes_; }
  const std::vector<Modes>& modes() const { return modes_; }
  std::vector<CarriedFrame>& carried() { return carried_; }
  /// The columns of a link's H. [6 x n_speeds]
  Eigen::Map<Matrix6X> H(const Link& k) {
    return {H_.data() + 6 * static_cast<std::ptrdiff_t>(k.columns), 6, k.n_speeds};
  }
  /// 6 and its modes.
  int n_velocities(const Link& k) const { return 6 + (k.modes >= 0 ? modes_[k.modes].n : 0); }
  bool has_frame(const Link& k) const { return k.modes < 0 || modes_[k.modes].has_frame; }
  const std::string& name_of(const Link& k) const { return system_.body(k.body).name(); }
  /// Of the velocities of its body in the system, the modes: behind six of its frame where that has
  /// some.
  int modes_in_system(const Link& k) const;
  /// "the body `rod` (joint pin)"
  std::string name_of_hinge(const Link& k) const;
  const system::System& system() const { return system_; }

 private:
  struct Inboard;
  void add_link(const Branch& branch);
  void add_node(const Link& link, int group);
  void add_modes(Link& link, const Branch& branch);
  void set_frames(Link& link, const Branch& branch);
  void set_attachment(Link& link, ConstraintIndex attachment);
  void carry(Link& link, const ModalFrame& inboard);
  void set_inertia(Link& link) const;
  void set_order(Link& link, const Branch& branch) const;
  void turn_rigid(Link& k, double angle, double rate);
  void look_from_parent(const Link& k, Inboard& at);
  void cross_revolute(const Link& k, double angle, double rate, Inboard& at);
  void cross_hinge(const Link& k, const double* q, const double* u, Inboard& at);
  void settle_rigid(Link& k, const Inboard& at);
  void settle_modes(Link& k, Inboard& at, const double* q, const double* u);

  system::System& system_;
  Forest forest_;
  std::vector<Link> links_;
  base::IndexedVector<BodyIndex, int> link_of_body_;
  std::vector<int> driven_links_;
  std::size_t n_hinged_ = 0;
  std::vector<NodeGroup> node_groups_;
  std::vector<Modes> modes_;
  std::vector<CarriedFrame> carried_;
  std::vector<std::unique_ptr<FloatingForm>> floating_;
  std::vector<double> H_;
  int n_q_ = 0, n_u_ = 0, n_columns_ = 0;
  joints::HingeMotion relative_;  // of the hinge that is being crossed
};

}  // namespace solidyn::recursive
