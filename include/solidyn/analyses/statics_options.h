#pragma once
#include "solidyn/solvers/nonlinear.h"
#include "solidyn/solvers/preset.h"

namespace solidyn::analyses {

/// How equilibria are found: `automatic` is Newton's method, and relaxation where that fails or
/// ends at an unstable equilibrium.
enum class StaticsMethod { automatic, newton, relaxation };

/// The time of loads, supports and drives in statics: a load parameter from 0 to 1, or the start,
/// so that one equilibrium is all; `start_if_varying`: the start where one of them varies between 0
/// and 1.
enum class LoadTime { parameter, start, start_if_varying };

struct StaticsOptions {
  StaticsMethod method = StaticsMethod::automatic;
  int load_steps = 10;          ///< steps from t = 0 to 1, cut where Newton fails
  double tolerance = 1e-8;      ///< last correction relative to the largest displacement
  int max_iterations = 25;      ///< Newton, per step
  double smallest_step = 1e-5;  ///< of t, or of the path
  /// Follow the path of equilibria by its length: t may fall on it.
  /// Unstable equilibria are what it is for, and nothing is relaxed.
  bool arc_length = false;
  int max_steps = 1000;             ///< with arc_length
  int max_relaxation_steps = 5000;  ///< for one equilibrium
  LoadTime time = LoadTime::parameter;
  bool is_relative = false;  ///< corrections in coordinates of hinges (recursive/tree.h)
  solvers::Preset preset = solvers::Preset::automatic;
  solvers::Nonlinear nonlinear = solvers::Nonlinear::newton;
};

}  // namespace solidyn::analyses
