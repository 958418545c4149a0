#pragma once
#include "report/run_folder.h"

namespace solidyn::report {

/// Modes and frequency responses of a run; null without either. `notes` gets a sentence on modes
/// that are left out.
Json read_linear(const RunFolder& run, Blob& blob, std::vector<std::string>& notes);

}  // namespace solidyn::report
