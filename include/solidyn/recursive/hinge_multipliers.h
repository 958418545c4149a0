#pragma once
#include "solidyn/recursive/tree.h"

namespace solidyn::recursive {

/// The multipliers of tree joints, of attachments of virtual bodies and of drives on hinges, from
/// what the hinges exert: with J the rows of both on the outboard frame, -J^T lambda = Link::f.
/// Local. Proved by Mechanism.* and verification_recursive
class HingeMultipliers {
 public:
  explicit HingeMultipliers(Tree& tree);

  /// @param[in,out] lambda  [constraints of the system] of these joints and drives
  /// @pre Link::f, and System::update() at the motion of the links
  void write(Eigen::VectorXd& lambda);
  /// The same of these links alone, each of which has a joint.
  void write(const std::vector<int>& links, Eigen::VectorXd& lambda);
  /// The multipliers of one link's joint and drives, in their order.
  std::vector<int> rows(int link) const;

  /// Those of one link's joint and drives, whatever its hinge exerts.
  struct OfLink {
    std::vector<int> rows;   ///< multipliers of the system
    Eigen::MatrixXd values;  ///< [rows x columns of f]
  };
  /// @param f  wrenches in columns, each as Link::f   @pre System::update(); the link has a joint
  OfLink find(int link, const Matrix6X& f);

  /// How c^T lambda of one link's multipliers varies: by what Link::f does, and by how the link and
  /// its parent move, [position; rotation; modal] in W, each [6 + modes].
  struct Variation {
    Vector6d by_force;
    Eigen::VectorXd by_link, by_parent;  ///< without a parent empty
  };
  /// @param c       [rows(link)]
  /// @param lambda  [constraints of the system] those that balance Link::f
  /// @pre the same as of write()
  Variation vary(int link, const Eigen::VectorXd& c, const Eigen::VectorXd& lambda) const;

 private:
  Variation vary_attachment(int link, const Eigen::VectorXd& c,
                            const Eigen::VectorXd& lambda) const;
  using Rows = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
  // In the axes of the inboard frame the rows of most joints are the same at all positions, and
  // their multipliers a matrix times the hinge's wrench at the outboard frame.
  struct Fixed {
    int link, offset, n;
    Eigen::Matrix<double, 6, 6> by_wrench;  // its upper n rows
  };
  void find_fixed();
  void write_one(int link, Eigen::VectorXd& lambda) const;
  Vector6d at_inboard(const Link& k, const Vector6d& f) const;
  Eigen::ColPivHouseholderQR<Rows> factor_of(int link) const;
  Vector6d at_outboard(int link, const Vector6d& f) const;
  Vector6d on_virtual_body(int link, const Vector6d& f) const;
  template <class Put>
  void for_each_row(int link, const Put& put) const;

  Tree& tree_;
  std::vector<Fixed> fixed_;
  std::vector<int> place_;  // of each link in fixed_; -1: none
  std::vector<int> others_;
  bool is_known_ = false;
};

}  // namespace solidyn::recursive
