#pragma once
#include <vector>

#include "formats/shared/fortran_records.h"
#include "solidyn/imported/matrices.h"

namespace solidyn::formats {

/// All matrices of a binary OP4 file, whose integers have 8 or 4 bytes. Private to the OP4 reader.
std::vector<imported::Matrix> read_op4_binary(FortranRecords& records, bool is_int64);

}  // namespace solidyn::formats
