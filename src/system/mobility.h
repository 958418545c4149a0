#pragma once
#include <functional>

#include "solidyn/system/system.h"
#include "sparse_qr.h"

namespace solidyn::system {

/// Directions in which a start may be corrected, so scaled that a unit step of each is one of the
/// mechanism's length or of 1 rad: rigid motions of all bodies, and elastic coordinates where
/// wanted. Bodies that superelements connect move as one where nothing is to deform. Those of a
/// body without a frame, six motions of all its nodes, come behind unless it may deform: then its
/// ports move by themselves and its nodes stay behind, good for constraints alone. At the end come
/// those of connected bodies: a step has [n_v; 6 per full-mesh body in absolute coordinates that
/// stays as it is; 6 per group].
class Mobility {
 public:
  enum class Flexible { stay, deform };
  /// For the kinematics that the system holds, which are those of `state`.
  Mobility(const System& system, const State& state, double length, Flexible flexible);

  /// Columns are velocities [n_v] of unit steps.
  const SparseMatrix& directions() const { return directions_; }
  /// Moves `state` by a step. @pre the system's kinematics are those of `state`
  void move(System& system, State& state, const Eigen::VectorXd& step) const;
  /// Adds the velocities that a step stands for.
  void add_velocities(System& system, State& state, const Eigen::VectorXd& step) const;

 private:
  using Entries = std::vector<Eigen::Triplet<double>>;
  void add_coordinates(const System& system, Flexible flexible, Entries& entries) const;
  void add_absolute_bodies(const System& system, const State& state, Entries& entries) const;
  void add_groups(const System& system, Entries& entries) const;
  using Action =
      std::function<void(const bodies::NodalBody& body, BodyIndex index,
                         const Eigen::Matrix<double, 6, 1>& motion, bodies::NodalState&)>;
  void for_absolute_bodies(const System& system, State& state, const Eigen::VectorXd& step,
                           const Action& action) const;

  double length_;
  Flexible flexible_;
  int n_v_ = 0, n_absolute_ = 0, n_groups_ = 0;
  SparseMatrix directions_;
};

}  // namespace solidyn::system
