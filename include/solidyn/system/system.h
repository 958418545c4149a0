#pragma once
#include <Eigen/SparseCore>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "solidyn/forces/force.h"
#include "solidyn/joints/constraint.h"
#include "solidyn/system/connectivity.h"
#include "solidyn/system/layout.h"
#include "solidyn/system/state.h"
#include "solidyn/system/tracked_angles.h"

namespace solidyn::solvers {
class BlockMatrix;
}

namespace solidyn::system {

using bodies::FrameIndex;
using bodies::InitialMotion;
using forces::ForceIndex;

/// The differential-algebraic system  M a + h + G^T lambda = 0, Phi = 0  of bodies, forces (in h)
/// and constraints: residual, iteration matrix, energies. Knows no files and no time stepping.
/// Where its unknowns are says layout(), which bodies hang on each other connectivity(), how far
/// frames have turned angles(), and how large it is scales.h.
///
/// Unknowns are the velocities of all bodies, then the multipliers. All calls are collective when a
/// full-mesh body is present, and give bitwise the same small vectors on all ranks.
class System {
 public:
  BodyIndex add_body(std::unique_ptr<bodies::Body> body, const InitialMotion& motion);
  FrameIndex add_frame(bodies::Frame frame);
  ConstraintIndex add_constraint(std::unique_ptr<joints::Constraint> constraint);
  ForceIndex add_force(std::unique_ptr<forces::Force> force);
  /// A frame with its carrier, which has been added.
  bodies::FrameLink::End end_at(FrameIndex frame) const;
  /// The two frames with their carriers; those bodies have been added.
  bodies::FrameLink link(FrameIndex frame_A, FrameIndex frame_B) const;
  /// The same, and where the coordinate of the two is an angle, it is tracked with its whole turns
  /// (angles()); by default that of B relative to A about A's z axis.
  bodies::FrameLink tracked_link(FrameIndex frame_A, FrameIndex frame_B,
                                 const bodies::Coordinate& coordinate = bodies::RotationAngle());
  /// The same for another coordinate that is tracked: FramePair::angle of the link is its value.
  bodies::FrameLink tracked_link(FrameIndex frame_A, FrameIndex frame_B,
                                 std::shared_ptr<const bodies::TrackedCoordinate> coordinate);
  void set_gravity(const Eigen::Vector3d& gravity) { gravity_ = gravity; }
  /// Fixes layout and pattern; nothing can be added afterwards.
  void finalize();

  const Layout& layout() const { return layout_; }
  const Connectivity& connectivity() const { return connectivity_; }
  const TrackedAngles& angles() const { return angles_; }
  TrackedAngles& angles() { return angles_; }

  base::IndexRange<BodyIndex> bodies() const { return bodies_.indices(); }
  const bodies::Body& body(BodyIndex i) const { return *bodies_[i]; }
  bodies::Body& body(BodyIndex i) { return *bodies_[i]; }
  const InitialMotion& initial_motion(BodyIndex body) const { return initial_[body]; }
  base::IndexRange<ConstraintIndex> constraints() const { return constraints_.indices(); }
  const joints::Constraint& constraint(ConstraintIndex i) const { return *constraints_[i]; }
  /// Those that follow laws of time.
  std::vector<ConstraintIndex> driven_constraints() const;
  base::IndexRange<ForceIndex> forces() const { return forces_.indices(); }
  const forces::Force& force(ForceIndex i) const { return *forces_[i]; }
  /// Where in State::memory a force keeps what it remembers, and the velocities that it acts on.
  int memory_offset(ForceIndex i) const { return memory_offset_[i]; }
  const std::vector<int>& force_columns(ForceIndex i) const { return force_columns_[i]; }
  const Eigen::Vector3d& gravity() const { return gravity_; }

  State make_state() const;

  /// Poses, twists and frame motions of `state`, which must stay, become those of kinematics().
  /// Everything below reads them: call it first, and again after each change of the state.
  void update(const State& state);
  void update(State&&) = delete;  ///< kinematics() would look at a state that is gone
  const bodies::Kinematics& kinematics() const { return kinematics_; }
  /// Takes the tracked angles of kinematics() and what forces remember of it over into the state:
  /// to be called whenever a state is final (accepted step), so that the next one may turn by up to
  /// half a turn from here.
  void accept(State& state) const;
  /// Why a step from the last accepted state to that of kinematics(), at time t, is too long for a
  /// force; empty when it is not.
  std::string rejection(double t) const;
  /// Whether this can be the memory of a state of this system.
  bool is_memory(const Eigen::VectorXd& memory) const;
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

  /// Collective. Tells the bodies the coefficients for the residuals that follow.
  void set_coefficients(const bodies::TangentCoefficients& coefficients);
  /// Collective. The tangents that full-mesh bodies keep turn with them, or are computed anew
  /// (bodies::NodalBody). @return whether assemble() would now give another matrix
  bool turn_tangents();
  bool renew_tangents();

  /// What acts on each other where forces have parts changes: assemble() sets the pattern anew.
  void set_pattern(solvers::BlockMatrix& matrix) const;
  /// T of each body's rotation increment.
  using RotationTangents = base::IndexedVector<BodyIndex, Eigen::Matrix3d>;
  struct TangentOptions {
    bodies::TangentCoefficients coefficients;
    double row_scale =
        1.0;  ///< multiplies the rows of r; multipliers are unknowns row_scale*lambda
    const RotationTangents* rotation_tangents = nullptr;  ///< null: identity
    double regularization = 0.0;  ///< subtracted on the multipliers' diagonal
  };
  /// matrix := [s (mass M + damping D + (stiffness K + K_lambda) T), G^T; G T, -regularization].
  /// Rows of velocity-level constraints are G without T: they are to be scaled by dq/dv
  /// (is_velocity_level()). Of elements that move in a plane only what is in it, where the matrix
  /// may leave out the rest.
  void assemble(const State& state, const TangentOptions& options, solvers::BlockMatrix& matrix);

  /// matrix := [D, 0; 0, 0], D symmetric and positive semi-definite: the damping of elastic
  /// coordinates and of the forces that dissipate whichever way bodies move. Without gyroscopic
  /// terms, and without forces that also feed motions.
  /// @pre update(state)
  void assemble_dissipation(const State& state, solvers::BlockMatrix& matrix);

  /// Of bodies (or their elements) and of forces, one after the other: the velocities that it acts
  /// on, and J_rate and J_q as in bodies::Body::add_tangent.
  using TangentVisitor =
      std::function<void(const std::vector<int>& columns, Eigen::Ref<Eigen::MatrixXd> J_rate,
                         Eigen::Ref<Eigen::MatrixXd> J_q)>;
  void visit_tangents(const bodies::TangentCoefficients& c, double t,
                      const TangentVisitor& visitor);

  /// q := q exp(increment): p += dp, R := R exp(dtheta), q_e += dq_e. increment [n_v]
  void advance(const Eigen::VectorXd& q, const Eigen::VectorXd& increment,
               Eigen::VectorXd& result) const;

  /// Power that drives and loads put into each island (Connectivity) less what damping takes out,
  /// W [n_islands].
  Eigen::VectorXd external_powers(const State& state);
  std::vector<bodies::Energy> energies(const State& state) const;  ///< [n_islands]
  bodies::Energy energy(const State& state) const;
  bodies::Momentum momentum(const State& state) const;

 private:
  void bind_superelements();
  void set_body_columns();
  void set_block_columns();
  void set_constraint_columns();
  void set_force_columns();
  std::vector<int> columns_of(const forces::Force& force) const;
  void allocate();
  void recall_forces(const Eigen::VectorXd& memory);
  void follow_parts();
  void set_bodies(const State& state, const Eigen::VectorXd& v);
  void update_motion();
  void update_consistent_twists(const State& state);
  void update_frames(const std::vector<FrameIndex>& frames);
  void update_superelements();
  void add_body_residual(BodyIndex body, Eigen::VectorXd& r);
  void add_force_residuals(double t, Eigen::VectorXd& r);
  void assemble_parts(const State& state, const TangentOptions& options,
                      solvers::BlockMatrix& matrix);
  int first_block_of_forces() const {
    return static_cast<int>(block_columns_.size()) + 3 * constraints_.size();
  }
  int first_block_of_parts() const { return first_block_of_forces() + 2 * forces_.size(); }
  void assemble_forces(const State& state, const TangentOptions& options,
                       solvers::BlockMatrix& matrix);
  void turn_columns_of(const std::vector<int>& columns, const forces::Force& force,
                       const RotationTangents& tangents, Eigen::Ref<Eigen::MatrixXd> matrix) const;
  void turn_columns_of(const std::vector<BodyIndex>& bodies, const RotationTangents& tangents,
                       Eigen::Ref<Eigen::MatrixXd> matrix) const;
  void turn_columns(BodyIndex body, const RotationTangents& tangents,
                    Eigen::Ref<Eigen::MatrixXd> matrix) const;
  using BlockAction = std::function<void(int block, Eigen::Ref<Eigen::MatrixXd> rate,
                                         Eigen::Ref<Eigen::MatrixXd> q)>;
  using PlaneAction = std::function<bool(int block, const bodies::ElementBody& body, int element)>;
  void for_body_blocks(const bodies::TangentCoefficients& c,
                       const RotationTangents* rotation_tangents, const BlockAction& action,
                       const PlaneAction& in_plane = {});

  base::IndexedVector<BodyIndex, std::unique_ptr<bodies::Body>> bodies_;
  base::IndexedVector<BodyIndex, InitialMotion> initial_;
  base::IndexedVector<ConstraintIndex, std::unique_ptr<joints::Constraint>> constraints_;
  base::IndexedVector<ForceIndex, std::unique_ptr<forces::Force>> forces_;
  Eigen::Vector3d gravity_ = Eigen::Vector3d::Zero();
  Layout layout_;
  Connectivity connectivity_;
  TrackedAngles angles_;

  bodies::Kinematics kinematics_;
  base::IndexedVector<ConstraintIndex, joints::ConstraintValues> values_;
  std::vector<FrameIndex> frames_on_unknowns_, frames_on_superelements_;
  using Columns = std::vector<int>;
  // Velocity indices that each body's residual acts on, ...
  base::IndexedVector<BodyIndex, Columns> body_columns_;
  // ... the blocks of bodies' tangents, one of each body or one of each element, ...
  std::vector<Columns> block_columns_;
  base::IndexedVector<ConstraintIndex, Columns> columns_;   // ... each constraint ...
  base::IndexedVector<ForceIndex, Columns> force_columns_;  // ... and each force.
  base::IndexedVector<ForceIndex, Columns> force_rows_;     // multipliers that it depends on
  base::IndexedVector<ForceIndex, int> memory_offset_;      // of each force, in State::memory
  int n_memory_ = 0;  // of forces without parts; then for each with parts a number and as many
  std::vector<ForceIndex> forces_with_parts_;
  struct Part {
    const forces::Force* force;
    Columns columns;
  };
  std::vector<Part> parts_;  // of all of these, at kinematics()
  int pattern_version_ = 0;  // counts the changes of parts_
  // Workspaces of the largest body and constraint, so that assembly does not allocate.
  Eigen::MatrixXd J_rate_, J_q_, K_lambda_;
  Eigen::VectorXd force_residual_, coupled_residual_;
  Eigen::VectorXd consistent_v_;  // of the last update
};

}  // namespace solidyn::system
