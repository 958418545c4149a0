#pragma once
#include <optional>
#include <string>

#include "solidyn/system/condition.h"
#include "solidyn/system/initial_conditions.h"

namespace solidyn::analyses {

/// Notices when a motion has passed a singular position of its constraints (a dead centre), or
/// close to one: system::Condition has a minimum there, which is small against what it is
/// elsewhere, or falls towards zero as fast as it had come. Where drives determine the motion, its
/// orientation changes, however far apart the looks are. Local.
/// Proved by robustness.program_singular.
class SingularityWatch {
 public:
  SingularityWatch(const system::System& system, const system::Redundancy& redundancy)
      : condition_(system, redundancy.rows) {}

  struct Passage {
    double t = 0.0;          ///< s, of the look that was nearest
    double condition = 0.0;  ///< there, relative to the largest
    std::string constraints;
  };
  /// Called in the order of time. @pre compute_residual() was called for the state at t
  /// @return the singular position that was passed between the look before last and this one
  std::optional<Passage> look(double t);

 private:
  system::Condition condition_;
  double largest_ = 0.0;
  struct Look {
    double t = 0.0, value = 0.0;
    int orientation = 0;
    std::string constraints;
  };
  std::optional<Look> before_, last_;
};

}  // namespace solidyn::analyses
