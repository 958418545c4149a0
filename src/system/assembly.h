#pragma once
#include "mobility.h"

namespace solidyn::system {

/// Moves the bodies towards Phi(q, state.t) = 0 by the method of Levenberg and Marquardt: in each
/// iteration the step y that minimises |B y + S Phi|^2 + damping^2 |y|^2, B = S G D with D of
/// Mobility and S making rows comparable. The damping grows while a step is longer than the
/// linearisation can be trusted (a turn of some 30 degrees), or brings less than it promised, and
/// falls where all goes well, so that the end is Newton's. Local; the same on all ranks.
class Assembly {
 public:
  /// Let go, drives ask for nothing, and flexible bodies keep their shape.
  enum class Drives { followed, let_go };
  /// Whether the nodes of full-mesh bodies move along, rigidly, or stay behind ports that move by
  /// themselves: then the state is good for its constraints alone.
  enum class Nodes { move_along, stay_behind };
  Assembly(System& system, State& state, double tolerance, Nodes nodes = Nodes::move_along,
           Drives drives = Drives::followed);
  /// First by rigid motions alone, so that flexible bodies stay undeformed where possible; at once
  /// by all where nodes stay behind.
  /// @return what is left of Phi; rows of velocity level are zero
  Eigen::VectorXd run();
  /// As run(), and where that fails from the same start again with the drives brought from there to
  /// their values in parts: a screw that begins many turns away is turned there.
  Eigen::VectorXd run_along_drives();

 private:
  void evaluate();
  bool is_assembled() const;
  bool may_deform() const;
  Eigen::VectorXd drives_part(const Eigen::VectorXd& rows) const;
  bool run_in_parts(const State& start, int n_parts);
  bool take_step(Mobility::Flexible flexible);
  bool try_step(const Mobility& mobility, const SparseMatrix& B, const Eigen::VectorXd& target);

  System& system_;
  State& state_;
  State before_;
  double tolerance_, length_, damping_;
  Drives drives_;
  Nodes nodes_;
  Eigen::VectorXd postponed_;  // of Phi: what drives are not yet to have reached; or empty
  Eigen::VectorXd weights_, scales_, phi_;
};

}  // namespace solidyn::system
