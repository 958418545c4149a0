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
/// and numbers that it has found but once.
class RunNumbers {
 public:
  void add(const std::vector<results::HistoryColumn>& columns, const Eigen::VectorXd& row);
  void add(const std::vector<NamedNumber>& numbers);
  std::vector<NamedNumber> all() const;

 private:
  std::vector<results::HistoryColumn> columns_;
  Eigen::VectorXd last_, least_, largest_;
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
