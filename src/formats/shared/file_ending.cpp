#include "solidyn/formats/shared/file_ending.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace solidyn::formats {
namespace {

std::string lower_extension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

}  // namespace

bool is_gzip_name(const std::string& path) { return lower_extension(path) == ".gz"; }

std::string file_ending(const std::string& path) {
  const std::filesystem::path name(path);
  return lower_extension(is_gzip_name(path) ? name.stem() : name);
}

}  // namespace solidyn::formats
