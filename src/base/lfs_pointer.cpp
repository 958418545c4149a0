#include "solidyn/base/lfs_pointer.h"

#include <array>
#include <fstream>

#include "solidyn/base/error.h"

namespace solidyn::base {
namespace {

constexpr std::string_view kPointerStart = "version https://git-lfs.";

}  // namespace

bool is_lfs_pointer(std::string_view bytes) {
  return bytes.substr(0, kPointerStart.size()) == kPointerStart;
}

void refuse_lfs_pointer(std::string_view bytes, const std::string& file) {
  if (is_lfs_pointer(bytes))
    throw InputError("the file is a Git LFS pointer, not the data", "fetch the file: git lfs pull",
                     {file, 1, 0});
}

void refuse_lfs_pointer(const std::string& path) {
  std::array<char, kPointerStart.size()> first{};
  std::ifstream file(path, std::ios::binary);
  file.read(first.data(), first.size());
  refuse_lfs_pointer({first.data(), static_cast<std::size_t>(file.gcount())}, path);
}

}  // namespace solidyn::base
