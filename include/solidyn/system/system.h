#pragma once
#include <Eigen/SparseCore>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "solidyn/bodies/element_body.h"
#include "solidyn/bodies/pair_coordinates.h"
#include "solidyn/bodies/superelement.h"
#include "solidyn/forces/force.h"
#include "solidyn/joints/constraint.h"
#include "solidyn/math/time_function.h"
#include "solidyn/solvers/block_matrix.h"
#include "solidyn/system/state.h"

namespace solidyn::system {

using bodies::InitialMotion;

/// Bodies that superelements and the elements of beams connect, directly or through others.
struct RigidGroup {
  std::vector<int> bodies;
  bool is_grounded = false;  ///< an interface of theirs is on the ground
};

/// The differential-algebraic system  M a + h + G^T lambda = 0, Phi = 0  of bodies, forces (in h)
/// and constraints:
/// layout, residual and iteration matrix. Knows no files and no time stepping.
///
/// Unknowns are the velocities of all bodies, then the multipliers. All calls are collective when a
/// full-mesh body is present, and give bitwise the same small vectors on all ranks.
class System {
 public:
  int add_body(std::unique_ptr<bodies::Body> body, const InitialMotion& motion);
  int add_frame(bodies::Frame frame);
  int add_constraint(std::unique_ptr<joints::Constraint> constraint);
  int add_force(std::unique_ptr<forces::Force> force);
  /// Tracks an angle of frame B relative to A, by default about A's z axis, with its whole turns.
  /// @return index into Kinematics::angles; the same for the same two frames and angle
  int add_angle(int frame_A, int frame_B,
                const bodies::AngleOfDots& angle = bodies::RotationAngle());
  /// The angle follows this law, rad: its whole turns are those of the law, however far it turns in
  /// a step.
  void drive_angle(int angle, math::TimeFunction law) { tracked_[angle].law = std::move(law); }
  /// The two frames with their carriers; those bodies have been added. @param angle of add_angle()
  bodies::FrameLink link(int frame_A, int frame_B, int angle = -1) const;
  void set_gravity(const Eigen::Vector3d& gravity) { gravity_ = gravity; }
  /// Fixes layout and pattern; nothing can be added afterwards.
  void finalize();

  int n_velocities() const { return n_v_; }
  int n_constraints() const { return n_lambda_; }
  int n_configuration() const { return n_q_; }
  int n_unknowns() const { return n_v_ + n_lambda_; }
  /// Velocity unknowns including those that full-mesh bodies condense.
  std::int64_t n_dofs() const;
  int n_bodies() const { return static_cast<int>(bodies_.size()); }
  const bodies::Body& body(int i) const { return *bodies_[i]; }
  const joints::Constraint& constraint(int i) const { return *constraints_[i]; }
  int n_constraint_blocks() const { return static_cast<int>(constraints_.size()); }
  const forces::Force& force(int i) const { return *forces_[i]; }
  int n_forces() const { return static_cast<int>(forces_.size()); }
  int constraint_offset(int i) const { return lambda_offset_[i]; }
  int velocity_offset(int i) const { return v_offset_[i]; }
  int configuration_offset(int i) const { return q_offset_[i]; }
  /// Where a body's q_e begins in State::q.
  int elastic_offset(int i) const {
    return q_offset_[i] + bodies_[i]->n_configuration() - bodies_[i]->n_elastic();
  }
  const Eigen::Vector3d& gravity() const { return gravity_; }
  const std::vector<bodies::NodalBody*>& nodal_bodies() const { return nodal_; }
  const std::vector<bodies::Superelement*>& superelements() const { return superelements_; }
  const std::vector<bodies::ElementBody*>& element_bodies() const { return element_bodies_; }
  const std::vector<RigidGroup>& rigid_groups() const { return rigid_groups_; }
  int body_of_nodal(int k) const { return nodal_index_[k]; }
  /// True for the multiplier rows of velocity-level constraints. [n_lambda]
  const std::vector<bool>& is_velocity_level() const { return is_velocity_level_; }
  /// "joint main_bearing (rotation about joint x)" of a multiplier.
  std::string multiplier_name(int row) const;

  State make_state() const;
  const InitialMotion& initial_motion(int body) const { return initial_[body]; }

  /// Poses, twists and frame motions of `state` become those of kinematics(). Everything below
  /// reads them: call it first, and again after each change of the state.
  void update(const State& state);
  const bodies::Kinematics& kinematics() const { return kinematics_; }
  /// Takes the tracked angles of kinematics() and what forces remember of it over into the state:
  /// to be called whenever a state is final (accepted step), so that the next one may turn by up to
  /// half a turn from here.
  void accept(State& state) const;
  void accept_angles(State& state) const;  ///< the angles alone
  /// Gives angles between the bodies of a driven one, about its axis, the whole turns of its law.
  void align_turns(State& state);
  /// The largest angle, rad, by which one that is tracked and has no law turns when the system
  /// moves by `increment` [n_v].
  double largest_turn(const Eigen::VectorXd& increment) const;
  /// Why whole turns cannot be counted in a step in which the system moved by `increment` [n_v]
  /// from where the tracked angles were `before` to kinematics(); empty when they can.
  std::string turn_objection(const Eigen::VectorXd& increment, const Eigen::VectorXd& before) const;
  /// Why a step from the last accepted state to that of kinematics(), at time t, is too long for a
  /// force; empty when it is not.
  std::string objection(double t) const;
  /// Of everything that rubs, at kinematics().
  std::vector<forces::Slip> slips() const;
  /// Frame accelerations and biases, for sensors and compute_rates().
  void update_accelerations();

  /// r [n_v] := M a + h + G^T lambda;  phi [n_lambda] := Phi (velocity-level rows: G v - nu).
  void compute_residual(const State& state, Eigen::VectorXd& r, Eigen::VectorXd& phi);
  /// That phi alone, and G, without bodies and forces.
  void compute_constraints(const State& state, Eigen::VectorXd& phi);
  /// nu and gamma, [n_lambda] each; needs update_accelerations().
  void compute_rates(const State& state, Eigen::VectorXd& nu, Eigen::VectorXd& gamma);
  /// G v and G a of the constraints evaluated last (by the two above).
  void multiply_G(const Eigen::VectorXd& v, Eigen::VectorXd& Gv) const;
  /// G of the constraints evaluated last. [n_lambda x n_v]
  Eigen::SparseMatrix<double> sparse_G() const;
  Eigen::MatrixXd dense_G() const { return sparse_G(); }  ///< of small systems

  /// Collective. Tells the bodies the coefficients for the residuals that follow.
  void set_coefficients(const bodies::TangentCoefficients& coefficients);
  /// Collective. The tangents that full-mesh bodies keep turn with them, or are computed anew
  /// (bodies::NodalBody). @return whether assemble() would now give another matrix
  bool turn_tangents();
  bool renew_tangents();

  void set_pattern(solvers::BlockMatrix& matrix) const;
  struct TangentOptions {
    bodies::TangentCoefficients coefficients;
    double row_scale =
        1.0;  ///< multiplies the rows of r; multipliers are unknowns row_scale*lambda
    const std::vector<Eigen::Matrix3d>* rotation_tangents =
        nullptr;                  ///< T per body; null: identity
    double regularization = 0.0;  ///< subtracted on the multipliers' diagonal
  };
  /// matrix := [s (mass M + damping D + (stiffness K + K_lambda) T), G^T; G T, -regularization].
  /// Rows of velocity-level constraints are G without T: they are to be scaled by dq/dv
  /// (is_velocity_level()).
  void assemble(const State& state, const TangentOptions& options, solvers::BlockMatrix& matrix);

  /// matrix := [D, 0; 0, 0], D symmetric and positive semi-definite: the damping of elastic
  /// coordinates and of the forces that dissipate whichever way bodies move. Without gyroscopic
  /// terms, and without forces that also feed motions.
  /// @pre update(state)
  void assemble_dissipation(const State& state, solvers::BlockMatrix& matrix);

  /// The largest diagonal entry of the bodies' stiffness at the kinematics of update(), as force
  /// per displacement (rotations times `length`), N/m; 0 for rigid bodies. What equations of
  /// statics are scaled by.
  double largest_stiffness(double length);

  /// q := q exp(increment): p += dp, R := R exp(dtheta), q_e += dq_e. increment [n_v]
  void advance(const Eigen::VectorXd& q, const Eigen::VectorXd& increment,
               Eigen::VectorXd& result) const;

  /// Sets of bodies that joints, forces, contacts or shared nodes connect, the ground apart: each
  /// has an energy balance of its own. At least one.
  int n_islands() const { return n_islands_; }
  int island_of_body(int body) const { return island_of_body_[body]; }
  /// Of a constraint or a force on these bodies; 0 of one on the ground alone.
  int island_of(const std::vector<int>& bodies) const;

  /// Power that drives and loads put into each island less what damping takes out, W [n_islands].
  Eigen::VectorXd external_powers(const State& state);
  double external_power(const State& state) { return external_powers(state).sum(); }
  std::vector<bodies::Energy> energies(const State& state) const;  ///< [n_islands]
  bodies::Energy energy(const State& state) const;
  bodies::Momentum momentum(const State& state) const;
  double total_mass() const;

  /// A length of the mechanism: the largest distance of bodies and frames from their centroid, or
  /// the largest radius of gyration of a body; at least 1e-6 m.
  double characteristic_length() const;
  /// Weights that turn an increment [n_v] into displacements relative to the characteristic length.
  Eigen::VectorXd increment_weights(double length) const;

 private:
  std::vector<int> velocity_indices(const std::vector<int>& bodies) const;
  void add_force_residuals(double t, Eigen::VectorXd& r);
  void assemble_forces(const State& state, const TangentOptions& options,
                       solvers::BlockMatrix& matrix);
  void find_islands();
  void bind_superelements();
  void bind_element_bodies();
  void add_to_groups(RigidGroup merged);
  void update_frames(const std::vector<int>& frames);
  void update_superelements();
  void add_body_residual(int body, Eigen::VectorXd& r);
  void turn_columns_of(const std::vector<int>& bodies, const std::vector<Eigen::Matrix3d>& tangents,
                       Eigen::Ref<Eigen::MatrixXd> matrix) const;
  void turn_columns(int body, const std::vector<Eigen::Matrix3d>& tangents,
                    Eigen::Ref<Eigen::MatrixXd> matrix) const;
  using BlockAction = std::function<void(int block, Eigen::Ref<Eigen::MatrixXd> rate,
                                         Eigen::Ref<Eigen::MatrixXd> q)>;
  void for_body_blocks(const bodies::TangentCoefficients& c,
                       const std::vector<Eigen::Matrix3d>* rotation_tangents,
                       const BlockAction& action);

  std::vector<std::unique_ptr<bodies::Body>> bodies_;
  std::vector<InitialMotion> initial_;
  std::vector<std::unique_ptr<joints::Constraint>> constraints_;
  std::vector<std::unique_ptr<forces::Force>> forces_;
  struct TrackedAngle {
    int frame_A, frame_B;
    bodies::AngleOfDots angle;
    std::optional<math::TimeFunction> law;
  };
  bodies::FramePair pair_of(const TrackedAngle& tracked) const;
  double turn_of(const TrackedAngle& tracked, const Eigen::VectorXd& increment) const;
  void update_angles(const State& state);
  double sense_of(const TrackedAngle& driven, const TrackedAngle& other) const;
  std::vector<TrackedAngle> tracked_;
  std::vector<bodies::NodalBody*> nodal_;
  std::vector<int> nodal_index_, nodal_of_body_;
  std::vector<bodies::Superelement*> superelements_;
  std::vector<int> superelement_index_;
  std::vector<bodies::ElementBody*> element_bodies_;
  std::vector<int> element_body_index_;
  std::vector<RigidGroup> rigid_groups_;
  std::vector<int> island_of_body_;
  int n_islands_ = 0;
  std::vector<std::vector<int>>
      body_columns_;  // velocity indices that each body's residual acts on
  // Those that the blocks of bodies' tangents act on: one of each body, or one of each element.
  std::vector<std::vector<int>> block_columns_;
  std::vector<int> frames_on_unknowns_, frames_on_superelements_;
  Eigen::VectorXd coupled_residual_;
  std::vector<int> v_offset_, q_offset_, lambda_offset_;
  int n_v_ = 0, n_q_ = 0, n_lambda_ = 0;
  Eigen::Vector3d gravity_ = Eigen::Vector3d::Zero();

  bodies::Kinematics kinematics_;
  std::vector<joints::ConstraintValues> values_;
  std::vector<bool> is_velocity_level_;
  std::vector<std::vector<int>> columns_;        // velocity indices of each constraint
  std::vector<std::vector<int>> force_columns_;  // and of each force
  std::vector<int> memory_offset_;               // of each force, in State::memory
  int n_memory_ = 0;
  std::vector<std::vector<int>> force_rows_;  // multipliers that each force depends on
  // Workspaces of the largest body and constraint, so that assembly does not allocate.
  Eigen::MatrixXd J_rate_, J_q_, K_lambda_;
  Eigen::VectorXd force_residual_;
};

}  // namespace solidyn::system
