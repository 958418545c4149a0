#pragma once
#include "solidyn/model/build.h"
#include "solidyn/results/history.h"
#include "solidyn/results/summary.h"

namespace solidyn::simulation {

/// drives.csv of inverse dynamics: what each drive exerts and its power, in rows at the times of
/// the history, and what they come to. Proved by mpi.program_inverse_dynamics.
class DriveTable {
 public:
  /// Collective. As results::HistoryWriter; with `resume_at` earlier rows count too.
  DriveTable(MPI_Comm comm, model::BuiltModel& built, const std::string& path,
             std::optional<double> resume_at);

  /// Local. @pre kinematics and multipliers are those of `state`
  void write(const system::State& state);
  void flush() { writer_.flush(); }  ///< collective

  std::vector<results::RunSummary::Drive> demands() const;
  /// The same for the terminal, one line a drive.
  std::vector<std::string> lines() const;

 private:
  // Of one drive; integrals over time by the trapezoidal rule.
  struct Demand {
    results::RunSummary::Drive found;
    int effort, power;  // columns; -1: none
    double square = 0.0;
  };
  void add_drives();
  void count(double t, const Eigen::VectorXd& row);

  model::BuiltModel& built_;
  std::vector<results::HistoryColumn> columns_;
  std::vector<Demand> demands_;
  double begin_ = 0.0, last_ = 0.0;
  Eigen::VectorXd row_, last_row_;  // last_row_: empty before the first one
  results::HistoryWriter writer_;
};

}  // namespace solidyn::simulation
