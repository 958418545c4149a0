#pragma once
#include <string>
#include <vector>

#include "report/run_folder.h"

namespace solidyn::report {

/// Columns of history.csv, and of drives.csv where inverse dynamics wrote one; null without either.
/// Those with many rows as minima and maxima of buckets, of which `notes` gets a sentence.
/// @param is_by_step  over the numbers of the rows, with the load parameter as a column
Json pack_curves(const RunFolder& run, bool is_by_step, Blob& blob,
                 std::vector<std::string>& notes);

}  // namespace solidyn::report
