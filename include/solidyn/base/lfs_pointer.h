#pragma once
#include <string>
#include <string_view>

namespace solidyn::base {

/// Whether these are the first bytes of the text that Git LFS leaves instead of a large file that
/// was not fetched.
bool is_lfs_pointer(std::string_view bytes);

/// @throws InputError when the file is such a text: fetch it. A file that cannot be read is left to
///   who wants it. Local.
/// Proved by tests/programs/info.py and tests/robustness/nastran_op2.
void refuse_lfs_pointer(const std::string& path);
/// The same of bytes that were read from `file` already.
void refuse_lfs_pointer(std::string_view bytes, const std::string& file);

}  // namespace solidyn::base
