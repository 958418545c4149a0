#pragma once
#include <string>

namespace solidyn::formats {

/// The format by the name of a file: its extension in lower case, without that of compression:
/// ".sti" of "Rod.STI" and of "rod.sti.gz"; empty when the name has none.
std::string file_ending(const std::string& path);

/// Whether the file is compressed by gzip, by its name: it ends in .gz.
bool is_gzip_name(const std::string& path);

}  // namespace solidyn::formats
