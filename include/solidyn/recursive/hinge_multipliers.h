#pragma once
#include "solidyn/recursive/tree.h"

namespace solidyn::recursive {

/// The multipliers of tree joints, and of drives on their hinges, from what the hinges exert: with
/// J the rows of both on the outboard frame, -J^T lambda = Link::f. Local. Proved by Mechanism.*
/// and verification_recursive
class HingeMultipliers {
 public:
  explicit HingeMultipliers(Tree& tree);

  /// @param[in,out] lambda  [constraints of the system] of these joints and drives
  /// @pre Link::f, and System::update() at the motion of the links
  void write(Eigen::VectorXd& lambda);

 private:
  void write_of(std::size_t link, Eigen::VectorXd& lambda) const;

  // In the axes of the inboard frame the rows of most joints are the same at all positions, and
  // their multipliers a matrix times the hinge's wrench at the outboard frame.
  struct Fixed {
    int link, offset, n;
    Eigen::Matrix<double, 6, 6> by_wrench;  // its upper n rows
  };
  void find_fixed();

  Tree& tree_;
  std::vector<Fixed> fixed_;
  std::vector<int> others_;
  bool is_known_ = false;
};

}  // namespace solidyn::recursive
