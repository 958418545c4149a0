#pragma once
#include <vector>

#include "recursive/tangent_links.h"
#include "solidyn/joints/hinge_fields.h"

namespace solidyn::recursive {

/// A small displacement of all that a link carries, as a field: [displacement; rotation] of what is
/// at a point that all links share, and its first and second rate in time. A link that only follows
/// its parent has the fields of its parent, so that nothing is shifted from link to link. Forces
/// are [force; torque] about the same point. doc/theory/recursive.md
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

/// The motions that coordinates give to links, column by column: of each link first by the modes of
/// its parent, which move the frame that it hangs on, then by its hinge, then by its own modes. A
/// mode therefore has columns at its body and at all that hangs there.
class LinkFields {
 public:
  explicit LinkFields(Tree& tree);

  /// At the motion of Tree::compute_motion() and the accelerations and hinge forces of links.
  void evaluate(const Eigen::VectorXd& q, const Eigen::VectorXd& u, const Eigen::VectorXd& du);

  int size() const { return static_cast<int>(speed_.size()); }
  /// Columns of a link, and behind those of all that it carries.
  int begin(std::size_t link) const { return begin_[link]; }
  int end(std::size_t link) const { return begin_[link + 1]; }
  int end_of_carried(std::size_t link) const { return begin_[next_[link]]; }
  int n_own_modes(std::size_t link) const { return n_own_[link]; }
  /// The speed of the tree that a column belongs to.
  int speed(int column) const { return speed_[column]; }
  /// Whether columns are the speeds of the tree one after the other: no body has modes.
  bool is_one_to_one() const { return is_one_to_one_; }

  /// What increments of coordinates give at constant speeds and their rates; speeds give [rate;
  /// second rate], and rates of speeds the second rate, as coordinates give the field.
  const Fields& by_q() const { return by_q_; }
  const FieldRates& by_u() const { return by_u_; }
  auto columns() const { return by_q_.topRows<6>(); }
  /// Of a link: how its columns change by each other while its parent stands still, for the force
  /// of its hinge; 0 x 0 where they do not.
  const Eigen::MatrixXd& geometric(std::size_t link) const { return geometric_[link]; }

  /// From the point to the origin of a link, to the motion there, and to its hinge force.
  const Eigen::Vector3d& point() const { return point_; }
  Eigen::Vector3d arm(const Link& k) const { return k.p - point_; }
  Vector6d velocity(const Link& k) const;
  Vector6d acceleration(const Link& k) const;  ///< rate of velocity()
  Vector6d force(const Link& k) const { return force_at_point(k.f, arm(k)); }

 private:
  enum class Kind { one_speed, hinge, modal };
  void set_one_speed(const Link& k, int column);
  void set_hinge(const Link& k, std::size_t i, const double* q, const double* u, const double* du);
  void set_modal(Link& k, std::size_t i, const Eigen::VectorXd& u, const Eigen::VectorXd& du);
  Kind kind_of(const Link& k) const;

  Tree& tree_;
  std::vector<int> begin_, n_own_, speed_;
  std::vector<std::size_t> next_;
  bool is_one_to_one_ = true, has_modes_ = false;
  Eigen::Vector3d point_ = Eigen::Vector3d::Zero();
  Fields by_q_;
  FieldRates by_u_;
  std::vector<Eigen::MatrixXd> geometric_;
  std::vector<RelativeDerivatives> relative_;
  joints::HingeFields hinge_;
};

}  // namespace solidyn::recursive
