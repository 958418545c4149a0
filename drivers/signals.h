#pragma once
#include "command.h"
#include "solidyn/results/read_history.h"

namespace solidyn::drivers {

/// Rows of a history between two times.
struct Signals {
  results::History history;
  double rate = 0.0;  ///< Hz
};

/// Options --from and --to, s.
void add_time_options(Options& options);

/// Reads the rows that these options ask for.
/// @throws base::InputError where fewer than two rows are left, or where they are not equally
/// spaced
Signals read_signals(const Options& options, const std::string& file);

/// A column of numbers. @throws base::InputError, with the time, where it has none
Eigen::VectorXd column_of(const Signals& signals, const std::string& name);
/// The same in a unit. @throws base::InputError if it is not the column's
Eigen::VectorXd column_in(const Signals& signals, const std::string& name, const std::string& unit);
const std::string& unit_of(const Signals& signals, const std::string& name);

/// The words of a list A,B,... @throws UsageError for an empty one
std::vector<std::string> words_of(const std::string& text);

/// A number of an option. @throws UsageError unless it is above zero
double positive(const Options& options, const char* name);

}  // namespace solidyn::drivers
