#pragma once
#include <optional>
#include <string>

#include "solidyn/system/condition.h"
#include "solidyn/system/initial_conditions.h"

namespace solidyn::analyses {

/// Notices when a motion has passed a singular position of its constraints (a dead centre), or
/// close to one: system::Condition has a minimum there, which is small against what it is
/// elsewhere, or falls towards zero as fast as it had come. Where drives determine the motion, its
/// orientation changes, however far apart the looks are. A look costs more than a step of a small
/// mechanism, so that it is taken when the mechanism has moved by a tenth of the distance that the
/// last one saw to a singular position. Local.
/// Proved by robustness.program_singular.
class SingularityWatch {
 public:
  /// @pre System::update() was called
  SingularityWatch(const system::System& system, const system::Redundancy& redundancy);

  struct Passage {
    double t = 0.0;          ///< s, of the look that was nearest
    double condition = 0.0;  ///< there, relative to the largest
    std::string constraints;
  };
  /// Whether the mechanism has moved far enough for another look. Called in the order of time.
  bool is_due(const system::State& state);
  /// @pre it is due, and compute_residual() was called for `state`
  /// @return the singular position that was passed between the look before last and this one
  std::optional<Passage> look(const system::State& state);

 private:
  struct Look {
    double t = 0.0, value = 0.0;
    int orientation = 0;
    Eigen::VectorXd combination;  // of the constraints, near singular positions
  };
  Passage passage_at(const Look& look) const;

  system::Condition condition_;
  Eigen::VectorXd weights_;  // of velocities, to 1/s
  double largest_ = 0.0;
  double moved_ = 0.0, moved_until_ = 0.0;  // since the last look, in lengths and radians; s
  std::optional<Look> before_, last_;
};

}  // namespace solidyn::analyses
