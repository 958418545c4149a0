#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "solidyn/imported/matrices.h"

namespace solidyn::formats {

/// All matrices of an ASCII OP4 file. Private to the OP4 reader.
std::vector<imported::Matrix> read_op4_ascii(std::string_view bytes, const std::string& file);

}  // namespace solidyn::formats
