#pragma once
#include "reader_damage.h"

namespace solidyn::testing_support {

/// Every reader of files of other programs with two of its samples, those of pairs and triples of
/// files once per file. What follows the reading of a body is done too: nodes are placed, checks
/// warn, matrices that do not fit are refused.
std::vector<DamagedReader> damaged_readers();

}  // namespace solidyn::testing_support
