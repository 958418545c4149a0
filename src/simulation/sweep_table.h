#pragma once
#include <mpi.h>

#include <Eigen/Core>
#include <string>
#include <vector>

#include "solidyn/results/history.h"
#include "solidyn/simulation/run.h"
#include "solidyn/simulation/sweep.h"

namespace solidyn::simulation {

/// What sweep.csv keeps of one run: last, least and largest value of each column of its history,
/// mean and root of the mean square over time, half the distance from least to largest as
/// amplitude, and numbers that it has found but once. Between two rows a column is a straight line,
/// so that rows may be at any distance; where it is no number, that time does not count.
class RunNumbers {
 public:
  /// @param from rows before this time (s) do not count, but for the last value
  explicit RunNumbers(double from = 0.0) : from_(from) {}
  void add(const std::vector<results::HistoryColumn>& columns, double time,
           const Eigen::VectorXd& row);
  void add(const std::vector<NamedNumber>& numbers);
  std::vector<NamedNumber> all() const;

 private:
  void add_span(double duration, const Eigen::VectorXd& row);

  double from_;
  std::vector<results::HistoryColumn> columns_;
  Eigen::VectorXd last_, least_, largest_;   // no row has counted: the latter two are empty
  Eigen::VectorXd sum_, square_, duration_;  // integrals over time; s
  double last_time_ = 0.0;
  std::vector<NamedNumber> numbers_;
};

/// A row of sweep.csv.
struct SweepRow {
  std::string run;
  std::vector<std::string> values;  ///< of the parameters
  std::string status;               ///< done, doubtful or failed
  double seconds = 0.0;
  std::vector<NamedNumber> numbers;
};

/// A cell of a CSV file, in quotes where it needs them.
std::string csv_cell(const std::string& text);

/// How every table begins: the units of its first two columns.
constexpr const char* kSweepTableStart = "# units: 1,of the model file";

/// Collective. The rows of all ranks as text, sorted by run, on rank 0: runs may have different
/// columns, and where one lacks a column its cell is nan.
std::string sweep_table(MPI_Comm comm, const std::vector<SweepParameter>& parameters,
                        const std::vector<SweepRow>& rows);

/// Collective. The ranks' texts, on rank 0 one after the other.
std::string gathered(MPI_Comm comm, const std::string& text);

}  // namespace solidyn::simulation
