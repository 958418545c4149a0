#pragma once
#include <vector>

#include "recursive/link_columns.h"

namespace solidyn::recursive {

/// The motions that coordinates give to links, column by column: of each link first by the modes of
/// its parent, which move the frame that it hangs on, then by its hinge, then by its own modes. A
/// mode therefore has columns at its body and at all that hangs there. Links share the point of all
/// fields, so that a link that only follows its parent has the fields of its parent, and nothing is
/// shifted from link to link.
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
  Vector6d velocity(const Link& k) const { return velocity_at(k, arm(k)); }
  Vector6d acceleration(const Link& k) const { return acceleration_at(k, arm(k)); }
  Vector6d force(const Link& k) const { return force_at_point(k.f, arm(k)); }

 private:
  void set_one_speed(const Link& k, int column);

  Tree& tree_;
  std::vector<int> begin_, n_own_, speed_;
  std::vector<std::size_t> next_;
  bool is_one_to_one_ = true;
  Eigen::Vector3d point_ = Eigen::Vector3d::Zero();
  Fields by_q_;
  FieldRates by_u_;
  std::vector<Eigen::MatrixXd> geometric_;
  LinkColumns columns_;
};

}  // namespace solidyn::recursive
