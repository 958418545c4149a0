#pragma once
#include <zlib.h>

#include <string>

namespace solidyn::test {

/// Writes what gzip would: one member with all bytes, behind those that the file may have.
inline void append_gzip(const std::string& path, const std::string& bytes) {
  gzFile file = gzopen(path.c_str(), "ab9");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
}

}  // namespace solidyn::test
