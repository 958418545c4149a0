#include "forces/whole_library.h"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "solidyn/base/error.h"

namespace solidyn::forces {
namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);

template <class T>
bool read_at(std::ifstream& file, std::uint64_t offset, T& value) {
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char*>(&value), sizeof value);
  return static_cast<bool>(file);
}

bool is_elf_of_this_kind(const Header& header) {
  const unsigned char width = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == width &&
         header.e_phentsize == sizeof(Segment);
}

}  // namespace

void require_whole_library(const std::string& path) {
  std::error_code none;
  const std::uint64_t size = std::filesystem::file_size(path, none);
  std::ifstream file(path, std::ios::binary);
  Header header{};
  if (none || !read_at(file, 0, header) || !is_elf_of_this_kind(header)) return;
  std::uint64_t end = header.e_phoff + std::uint64_t{header.e_phnum} * sizeof(Segment);
  for (int i = 0; i < header.e_phnum; ++i) {
    Segment segment{};
    if (!read_at(file, header.e_phoff + static_cast<std::uint64_t>(i) * sizeof segment, segment))
      break;  // `end` lies behind the file
    if (segment.p_type == PT_LOAD)
      end = std::max<std::uint64_t>(end, segment.p_offset + segment.p_filesz);
  }
  if (size >= end) return;
  throw base::InputError(
      fmt::format("the plug-in `{}` is truncated: it has {} bytes of at least {}", path, size, end),
      "build or copy it again");
}

}  // namespace solidyn::forces
