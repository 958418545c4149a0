#pragma once
#include <string>
#include <vector>

#include "solidyn/base/error.h"
#include "solidyn/joints/hinge.h"
#include "solidyn/system/system.h"

/// Relative coordinates: hinges between bodies in place of bodies in the world, and sweeps over the
/// tree that they make (P-RECURSIVE; doc/theory/recursive.md).
namespace solidyn::recursive {

using bodies::BodyIndex;
using bodies::ConstraintIndex;
using bodies::FrameIndex;

/// A system that relative coordinates cannot have. Carries a complaint for each reason.
class NotRelative : public base::InputError {
 public:
  NotRelative(std::vector<base::Diagnostic> complaints, std::string reason)
      : base::InputError(std::move(complaints)), reason_(std::move(reason)) {}
  /// The first of them in a few words: "`mast` has its nodes in absolute coordinates".
  const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
};

/// A body and the hinge that it hangs on.
struct Branch {
  BodyIndex body;
  int parent = -1;                                 ///< Branch that carries it; -1: the ground
  int depth = 1;                                   ///< hinges between it and the ground
  joints::Hinge hinge{joints::Hinge::Kind::free};  ///< from frame A to frame B of the joint
  ConstraintIndex joint = bodies::kNoConstraint;   ///< none: it is free, or tied otherwise
  /// Of the superelement that this body is, or that carries it: where both move as one, by a fixed
  /// hinge without a joint.
  int interface = -1;
  bool is_reversed = false;  ///< the joint's frame A is on this body
  /// Of the virtual body that this body is, or that carries it: likewise, where it is attached
  /// (joints::Constraint::as_attachment()).
  ConstraintIndex attachment = bodies::kNoConstraint;
  /// The coordinate of a force (forces::InternalState): no body, which hangs on nothing.
  bool is_of_force = false;
  /// Of a node of a beam, which hangs on nothing and keeps its six velocities in the world: the
  /// group of nodes that it belongs to; -1: it is none.
  int node_group = -1;
  /// Of the joint, on the parent and on the body; of an interface the one on its carrier alone.
  FrameIndex inboard_frame, outboard_frame;
  /// Drives along coordinates of the hinge.
  struct Drive {
    ConstraintIndex constraint;
    int speed;          ///< of the hinge
    double rate = 1.0;  ///< of the driven coordinate at a unit of this speed
  };
  std::vector<Drive> drives;

  /// The constraint that the hinge is instead of; none where it is free or an interface.
  ConstraintIndex constraint() const { return joint != bodies::kNoConstraint ? joint : attachment; }
  bool is_root() const {
    return constraint() == bodies::kNoConstraint && interface < 0 && !is_of_force;
  }
  bool is_node() const { return node_group >= 0; }
};

/// The bodies of a system as trees on the ground, each branch contiguous, parents first; behind
/// them the coordinates of forces, and behind these nodes of beams, group after group. What beams
/// have beside nodes is no branch.
struct Forest {
  std::vector<Branch> branches;
  std::vector<ConstraintIndex> closures;  ///< what no hinge says: cut joints and all else
  int n_roots = 0;                        ///< bodies that are free in the world
  int depth = 0;
};

/// Of each loop the joint is cut that Joint::is_cut() names, else the one that leaves most free,
/// and of equal ones the one that is farthest from the ground, or another where that makes the
/// loops of all cuts shorter: the fewest rows and short paths. Interfaces of superelements are
/// never cut: they are fixed hinges to their carriers. Where nothing leads to the ground,
/// the heaviest body is free. Joints of nodes of beams are closures. @pre System::update() of a
/// state that satisfies the constraints
/// @throws NotRelative for all that relative coordinates cannot have
/// Proved by Forest.*
Forest find_forest(const system::System& system);

/// In words, for `check`: roots, depth, hinges and cut joints.
std::string describe(const system::System& system, const Forest& forest);

}  // namespace solidyn::recursive
