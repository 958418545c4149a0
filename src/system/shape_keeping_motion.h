#pragma once
#include "solidyn/system/system.h"

namespace solidyn::system {

/// The motion of a mechanism whose flexible bodies keep the shape that they have: what a
/// quasi-static shape answers to. All calls are collective.
class ShapeKeepingMotion {
 public:
  /// @param system must outlive this object
  ShapeKeepingMotion(System& system, double length) : system_(system), length_(length) {}

  /// Elastic velocities become zero. The rigid fields of velocity stay in space; bodies that moved
  /// from `before` to `state` have what these are at their new places.
  void carry_velocities(const State& before, State& state) const;

  /// Accelerations of rigid fields that the constraints ask for (G a = gamma), and with which no
  /// motion that they leave free is out of balance. Leaves the kinematics and residual at `state`.
  /// @throws base::ComputationError for mechanisms too large for it
  void find_accelerations(State& state);

  /// The free motions, as velocities [n_v x n], at the state of find_accelerations().
  const Eigen::MatrixXd& free_motions() const { return free_motions_; }

 private:
  void set_centripetal(State& state) const;
  void add_accelerations(const Eigen::SparseMatrix<double>& directions, const Eigen::VectorXd& y,
                         State& state) const;
  Eigen::VectorXd residual(const State& state);
  Eigen::VectorXd missing_accelerations(const State& state);
  void balance_free_motions(const Eigen::SparseMatrix<double>& directions,
                            const Eigen::MatrixXd& free, State& state);

  System& system_;
  double length_;
  Eigen::MatrixXd free_motions_;
};

}  // namespace solidyn::system
