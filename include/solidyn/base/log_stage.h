#pragma once

namespace solidyn::base {

/// What a run spends its time on: the stages of PETSc's -log_view.
enum class Stage {
  reading,    ///< model files and meshes, and what is built from them
  reduction,  ///< of meshes to modes
  start,      ///< consistent positions, velocities and accelerations
  residual,   ///< kinematics, forces and constraints
  tangent,    ///< assembly of matrices
  factor,     ///< factorisations and set-up of preconditioners
  solve,      ///< solutions of linear systems
  contacts,   ///< laws of set-valued contacts
  output,     ///< files of results
};

/// -log_view counts the time from here to the end of the scope for this stage alone, and what is
/// nested in it for the inner one. Costs a comparison where no log is asked for.
class LogStage {
 public:
  explicit LogStage(Stage stage) {
    if (is_logging_) enter(stage);
  }
  LogStage(const LogStage&) = delete;
  LogStage& operator=(const LogStage&) = delete;
  ~LogStage() {
    if (is_inside_) leave();
  }

  /// Registers the stages where PETSc keeps a log (-log_view); a second call does nothing. All
  /// ranks call it, since PETSc reduces each stage over them at the end.
  static void begin();

 private:
  void enter(Stage stage);
  static void leave() noexcept;

  static bool is_logging_;
  bool is_inside_ = false;
};

}  // namespace solidyn::base
