#pragma once
#include "report/run_folder.h"

namespace solidyn::report {

/// Modes and frequency responses of a run; null without either.
Json read_linear(const RunFolder& run, Blob& blob);

/// sweep.csv by its columns; null without one. @param folder of a sweep
Json read_sweep(const std::string& folder);

}  // namespace solidyn::report
