#pragma once
#include "solidyn/bodies/frame.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/bodies/relative_motion.h"
#include "solidyn/reduction/interface_coordinates.h"

namespace solidyn::bodies {

/// A flexible body whose motion is that of its interfaces: frames on other bodies, massless or
/// rigid, or on the ground. Its floating frame B is no unknown. It follows from
///   rows * [q_1; ...; q_N] = 0,   q_k(B, K_k) as in RelativeMotion,
/// and with rates [v_B; w_B; dq; deta] = A [rates of the frames; deta] the equations of motion are
/// those of ModalBody in these coordinates, r = A^T r_modal: a change of coordinates of the whole
/// Lagrangian, so that energy and momentum are kept and rigid motions are exact. Internal
/// coordinates eta are its only unknowns of its own. doc/theory/superelements.md.
///
/// Its BodyState, which follow() makes, is that of the floating-frame body, so that frames of
/// tracked points ride on it as on any other. Residual and tangent act on columns: the velocities
/// of carriers(), then its own. Proved by SuperelementContract.*.
class Superelement final : public Body {
 public:
  Superelement* as_superelement() override { return this; }
  bool is_carried() const override { return true; }
  /// @param frames of the interfaces, whose axes are the body's where nothing deforms
  Superelement(std::string name, const reduction::InterfaceBody& reduced,
               std::vector<FrameIndex> frames);

  int n_interfaces() const { return static_cast<int>(interfaces_.size()); }
  const std::vector<FrameIndex>& frames() const { return frames_; }
  /// The distinct bodies that carry its frames. Each has six velocities.
  const std::vector<BodyIndex>& carriers() const { return carriers_; }
  int n_columns() const { return 6 * static_cast<int>(carriers_.size()) + n_elastic(); }

  /// The floating-frame body that it is, with coordinates [q_1; ...; q_N; eta] of which six are too
  /// many, and the rows that they satisfy. [6 x 6 N]
  const ModalBody& floating_body() const { return modal_; }
  const reduction::Matrix6X& frame_rows() const { return rows_; }
  /// Of an interface where nothing deforms, in mesh axes, m.
  const Eigen::Vector3d& place(int interface) const { return interfaces_[interface].x_B; }
  double length() const { return length_; }  ///< the largest between its interfaces, m

  /// Learns which bodies carry its frames; once, before all that follows.
  /// @pre the frames do not move by a deformation of their carriers
  void bind(const base::IndexedVector<FrameIndex, Frame>& definitions);

  /// Makes `state` that of the floating-frame body; it looks into this object. Carriers, frames and
  /// their accelerations are up to date. Where no floating frame satisfies the conditions the state
  /// becomes not-a-number, and so does the residual.
  /// @param own internal coordinates, their velocities and accelerations
  void follow(const Kinematics& kinematics, const BodyState& own, BodyState& state);

  /// @param[in,out] r [n_columns]. @pre follow() made the state
  void add_residual(const BodyState& state, const Eigen::Vector3d& gravity,
                    Eigen::Ref<Eigen::VectorXd> r) override;
  /// @param[in,out] J_rate, J_q [n_columns x n_columns]. @pre follow() made the state
  void add_tangent(const BodyState& state, const Eigen::Vector3d& gravity,
                   const TangentCoefficients& c, Eigen::Ref<Eigen::MatrixXd> J_rate,
                   Eigen::Ref<Eigen::MatrixXd> J_q) override;

  Energy energy(const BodyState& s, const Eigen::Vector3d& gravity) const override {
    return modal_.energy(s, gravity);
  }
  Momentum momentum(const BodyState& s) const override { return modal_.momentum(s); }
  double mass() const override { return modal_.mass(); }
  double radius_of_gyration() const override { return modal_.radius_of_gyration(); }
  double dissipation(const BodyState& s) const override { return modal_.dissipation(s); }
  Eigen::VectorXd elastic_amplitude() const override {
    return modal_.elastic_amplitude().tail(n_elastic());
  }

 private:
  struct Interface {
    Eigen::Vector3d x_B;
    RigidMotion motion;
    RelativeMotion relative;
    int column = -1;  // where its carrier's velocities begin in the columns; -1: on the ground
    // Of its carrier: place of the frame, and motion.
    Eigen::Vector3d arm = Eigen::Vector3d::Zero();
    Eigen::Matrix3d R_WC;
    Eigen::Vector3d w, dw;
  };
  using Block6 = Eigen::Matrix<double, 6, 6>;
  using Blocks = std::vector<RelativeMotion::Block>;

  void read_interfaces(const Kinematics& kinematics);
  void move_frame(const Vector6& increment);
  bool find_frame();
  void compute_rate_map();
  void compute_rates(const BodyState& own);
  Eigen::MatrixXd on_nodes(const Blocks& blocks) const;
  Eigen::MatrixXd free_rates(const Eigen::MatrixXd& dq) const;
  Vector6 carried_moment(const Eigen::VectorXd& r) const;
  void add_rate_terms(const Eigen::MatrixXd& M, const Eigen::MatrixXd& D, Eigen::MatrixXd& D_nodes,
                      Eigen::MatrixXd& K_nodes) const;
  void add_geometric_terms(const Eigen::VectorXd& r, Eigen::MatrixXd& K_nodes) const;
  void add_arm_terms(const Eigen::VectorXd& wrenches, const Eigen::MatrixXd& M_nodes,
                     const Eigen::MatrixXd& D_nodes, const TangentCoefficients& c,
                     Eigen::Ref<Eigen::MatrixXd> J_rate, Eigen::Ref<Eigen::MatrixXd> J_q) const;

  ModalBody modal_;
  reduction::Matrix6X rows_;
  double length_;  // of the body
  std::vector<FrameIndex> frames_;
  std::vector<BodyIndex> carriers_;
  std::vector<Interface> interfaces_;

  RigidMotion B_;
  Eigen::VectorXd q_, v_, a_, r_;  // of the floating-frame body
  Eigen::VectorXd node_rates_, bias_;
  Block6 N_, N_inverse_;                          // rows * G_B
  Vector6 condition_;                             // rows * q
  Eigen::Matrix<double, Eigen::Dynamic, 6> G_B_;  // dq by rates of B
  Eigen::MatrixXd A_;                             // [6 + 6 N + n_internal x 6 N + n_internal]
  Eigen::MatrixXd J_;   // [6 N + n_internal x n_columns] rates of the frames by those of columns
  Eigen::MatrixXd AJ_;  // their product
};

}  // namespace solidyn::bodies
