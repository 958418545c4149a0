#pragma once
#include <vector>

#include "recursive/tangent_links.h"
#include "solidyn/bodies/frame_fields.h"
#include "solidyn/joints/hinge_fields.h"

namespace solidyn::recursive {

/// A small displacement of all that a link carries, as a field: [displacement; rotation] of what is
/// at a point in space, and its first and second rate in time. Forces are [force; torque] about the
/// same point. doc/theory/recursive.md
constexpr int kField = 0, kRate = 6, kSecondRate = 12;
using Fields = Eigen::Matrix<double, 18, Eigen::Dynamic>;
using FieldRates = Eigen::Matrix<double, 12, Eigen::Dynamic>;

/// Velocities as fields: [V x C] of two motions, and [V x* F] of a motion and a force.
inline Vector6d cross_motion(const Vector6d& V, const Vector6d& C) {
  const Eigen::Vector3d v = V.head<3>(), w = V.tail<3>(), c = C.head<3>(), c_w = C.tail<3>();
  Vector6d out;
  out << w.cross(c) + v.cross(c_w), w.cross(c_w);
  return out;
}
/// [linear; angular] at a link's origin, at the point that is s before it.
inline Vector6d velocity_at_point(const Vector6d& V, const Eigen::Vector3d& s) {
  const Eigen::Vector3d w = V.tail<3>();
  Vector6d out = V;
  out.head<3>() += s.cross(w);
  return out;
}
inline Vector6d force_at_point(const Vector6d& F, const Eigen::Vector3d& s) {
  const Eigen::Vector3d f = F.head<3>();
  Vector6d out = F;
  out.tail<3>() += s.cross(f);
  return out;
}
/// By a rotation of a field, when C goes with it: (d x C) . F = row . d
inline Vector6d turned_with(const Vector6d& C, const Vector6d& F) {
  const Eigen::Vector3d c = C.head<3>(), c_w = C.tail<3>(), f = F.head<3>(), t = F.tail<3>();
  Vector6d out;
  out << c_w.cross(f), c.cross(f) + c_w.cross(t);
  return out;
}
/// Velocity of a link at the point that is s before its origin, and its rate there.
inline Vector6d velocity_at(const Link& k, const Eigen::Vector3d& s) {
  Vector6d V;
  V << k.v, k.w;
  return velocity_at_point(V, s);
}
inline Vector6d acceleration_at(const Link& k, const Eigen::Vector3d& s) {
  Vector6d A = velocity_at_point(k.a, s);
  A.head<3>() -= k.w.cross(k.v);
  return A;
}

/// What the coordinates between a link and its parent do to it, exactly: the modes of its parent,
/// which move the frame that it hangs on, then the speeds of its hinge, in their order, then its
/// own modes.
class LinkColumns {
 public:
  explicit LinkColumns(Tree& tree) : tree_(tree) {}

  /// As fields at `point`, at the motion of Tree::compute_motion() and the accelerations and hinge
  /// forces of links.
  void evaluate(const Link& k, const Eigen::VectorXd& q, const Eigen::VectorXd& u,
                const Eigen::VectorXd& du, const Eigen::Vector3d& point);

  int n_parent() const { return n_parent_; }
  int n_own() const { return n_own_; }
  int size() const { return static_cast<int>(by_q_.cols()); }
  /// What increments of coordinates give at constant speeds and their rates; speeds give [rate;
  /// second rate], and rates of speeds the second rate, as coordinates give the field.
  const Fields& by_q() const { return by_q_; }
  const FieldRates& by_u() const { return by_u_; }
  /// How forces along the columns change by each other while the parent stands still, for the force
  /// that the hinge exerts: row by column.
  const Eigen::MatrixXd& geometric() const { return geometric_; }

 private:
  // What columns stand still in, but for what they change there, while it moves.
  struct Carrier {
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    Eigen::Vector3d s = Eigen::Vector3d::Zero();  ///< from the point to its origin
    Vector6d V = Vector6d::Zero(), A = V;
    double sign = 1.0;
    Vector6d force_in(const Vector6d& F) const;
  };
  // C = by x,  dC = rate x + by dx,  ddC = second x + 2 rate dx + by ddx, one below the other.
  struct Maps {
    using Map = Eigen::Matrix<double, 6, 6>;
    Map by, rate, second;
  };
  Carrier carried_by(const Link* body) const;
  static Maps maps_of(const Carrier& carrier);
  template <class Columns>
  void set(const Maps& maps, int at, const Columns& x, const Columns& dx, const Columns& ddx);
  void move(Carrier& carrier, int at, int n, const double* u, const double* du) const;
  void set_modes(const ModalFrame& frame, const Modes& m, const Carrier& carrier, int at,
                 const double* du);
  void set_hinge(const Link& k, const Carrier& frame, const double* q, const double* u,
                 const double* du);
  void set_geometric(const Link& k);
  void correct_free_turns(const Link& k, const double* u, const double* du);
  auto C() const { return by_q_.topRows<6>(); }
  auto dC() const { return by_q_.middleRows<6>(kRate); }

  Tree& tree_;
  Eigen::Vector3d point_ = Eigen::Vector3d::Zero();
  int n_parent_ = 0, n_hinge_ = 0, n_own_ = 0;
  Fields by_q_;
  FieldRates by_u_;
  Eigen::MatrixXd geometric_;
  Eigen::Matrix<double, Eigen::Dynamic, 6> turned_;  // its rows
  Carrier inboard_, hinge_carrier_, outboard_;
  joints::HingeFields hinge_;
  bodies::FrameFields modal_;
};

}  // namespace solidyn::recursive
