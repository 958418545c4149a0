#pragma once
#include <Eigen/Dense>
#include <string>
#include <vector>

#include "solidyn/results/history.h"

namespace solidyn::results {

/// A history.csv, for programs that read the results of a run.
struct History {
  std::vector<HistoryColumn> columns;  ///< without the time
  Eigen::VectorXd time;                ///< [rows] s; the load parameter of statics
  Eigen::MatrixXd values;              ///< [rows x columns]

  /// One column by its name. @throws base::InputError that names those that there are
  Eigen::VectorXd column(const std::string& name) const;
};

/// The rows that are whole: a run that continues may be writing the last one. Local.
/// @throws base::InputError for a file that cannot be read or is no history
/// Proved by ReadHistory.*.
History read_history(const std::string& path);

}  // namespace solidyn::results
