#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "solidyn/imported/matrices.h"

/// Nastran's OUTPUT4 files (doc/formats/nastran_op4.md).
namespace solidyn::formats {

/// All matrices of an OP4 file, in its order: ASCII or binary, dense or sparse (BIGMAT or not),
/// real or complex, single or double, of either byte order and integer size, all identified from
/// the file. Terms come column by column with ascending rows; zeros are left out; form and type are
/// the file's. A symmetric matrix comes with both triangles, as Nastran writes it. Time and memory
/// are proportional to the file, whatever numbers of rows and columns it declares. Numbers are in
/// the file's units.
/// @throws base::InputError with line (ASCII) or byte (binary) when the file is damaged. Local.
/// Proved by tests/interop/nastran_op4 and tests/robustness/nastran_op4.
std::vector<imported::Matrix> read_op4(const std::string& path);

/// The same from memory; `file` is the name that errors carry.
std::vector<imported::Matrix> parse_op4(std::string_view bytes, const std::string& file);

}  // namespace solidyn::formats
