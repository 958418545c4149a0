#pragma once
#include <mpi.h>

#include <cstdint>
#include <functional>
#include <string>

namespace solidyn::results {

/// Tells a person how far a run is. A terminal gets one line that is redrawn, at most ten times a
/// second:
///   [=========>           ]  45 %  t = 0.04512 s  step 4512  1240 steps/s  ETA 0:12
/// A file or pipe gets such a line (without the bar) through the log, every 10 % or every 30 s.
/// Speaks on rank 0. Costs a decrement per step: the clock is read every 64th step, or at each step
/// when steps are slow.
class ProgressReporter {
 public:
  /// How it speaks; by default stderr, the log and the wall clock.
  struct Surroundings {
    bool is_terminal;
    std::function<void(const std::string&)> draw;  ///< onto the terminal, as is
    std::function<void(const std::string&)> log;   ///< one line
    std::function<double()> seconds;               ///< wall clock
  };
  static Surroundings standard_surroundings();

  /// The run goes from `start` to `end` [s]; on a restart `start` is the checkpoint's time.
  ProgressReporter(MPI_Comm comm, double start, double end,
                   Surroundings surroundings = standard_surroundings());

  /// To be called after each step, on any rank or all.
  void update(double time, std::int64_t step) {
    if (--steps_until_look_ <= 0) look(time, step);
  }
  /// Draws the last state and leaves the terminal on a new line.
  void finish(double time, std::int64_t step);

 private:
  void look(double time, std::int64_t step);
  double fraction(double time) const;
  std::string describe(double time, std::int64_t step, double elapsed) const;
  void draw_bar(double time, std::int64_t step, double elapsed);

  Surroundings surroundings_;
  bool speaks_;
  double start_, end_;
  double began_, last_look_, last_report_;
  std::int64_t first_step_ = -1, step_at_look_ = 0;
  int tenths_ = 0;
  std::size_t drawn_width_ = 0;
  int steps_until_look_ = 1;
};

}  // namespace solidyn::results
