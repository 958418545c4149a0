#pragma once
#include <string>

namespace solidyn::formats {

/// What a file's name says of its format: the ending in lower case, without that of compression:
/// ".sti" of "Rod.STI" and of "rod.sti.gz"; empty when the name has none.
std::string file_ending(const std::string& path);

/// Whether the name says that gzip compressed the file: it ends in .gz.
bool is_gzip_name(const std::string& path);

}  // namespace solidyn::formats
