#include "formats/shared/file_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "gzip.h"
#include "scratch_folder.h"
#include "solidyn/base/error.h"

namespace solidyn {
namespace {

using formats::FileBytes;
using test::append_gzip;
using testing::AllOf;
using testing::HasSubstr;

std::string error_of(const std::string& path) {
  try {
    FileBytes bytes(path);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "read";
}

std::string sentence(int n) {
  std::string text;
  for (int i = 0; i < n; ++i) text += std::to_string(i * 7919) + (i % 10 == 9 ? "\n" : " ");
  return text;
}

TEST(FileBytes, PlainAndCompressedFilesGiveTheSameBytes) {
  const test::ScratchFolder folder;
  const std::string text = sentence(100000);
  std::ofstream(folder / "plain", std::ios::binary) << text;
  append_gzip(folder / "packed", text.substr(0, 1000));
  append_gzip(folder / "packed", text.substr(1000));  // as `cat a.gz b.gz` makes
  EXPECT_EQ(FileBytes(folder / "plain").bytes(), text);
  EXPECT_EQ(FileBytes(folder / "packed").bytes(), text);
}

TEST(FileBytes, CopiesOutliveTheFirst) {
  const test::ScratchFolder folder;
  append_gzip(folder / "packed", "some bytes");
  const auto copy = [&] {
    const FileBytes first(folder / "packed");
    return FileBytes(first);
  }();
  EXPECT_EQ(copy.bytes(), "some bytes");
}

TEST(FileBytes, DamagedCompressedFilesAreRefusedWithTheirName) {
  const test::ScratchFolder folder;
  append_gzip(folder / "whole", sentence(1000));
  std::ifstream stream(folder / "whole", std::ios::binary);
  std::string packed(std::istreambuf_iterator<char>(stream), {});
  std::ofstream(folder / "cut", std::ios::binary) << packed.substr(0, packed.size() / 2);
  packed[packed.size() / 2] = static_cast<char>(~packed[packed.size() / 2]);
  std::ofstream(folder / "changed", std::ios::binary) << packed;
  for (const char* name : {"cut", "changed"})
    EXPECT_THAT(error_of(folder / name),
                AllOf(HasSubstr("damaged or truncated"), HasSubstr(std::string(name) + ": error")));
}

/// Blanks shrink to a thousandth, and would fill the memory.
TEST(FileBytes, CompressedFilesThatGrowTooLargeAreRefused) {
  const test::ScratchFolder folder;
  append_gzip(folder / "blanks", std::string(30'000'000, ' '));
  append_gzip(folder / "fewer", std::string(15'000'000, ' '));
  EXPECT_THAT(error_of(folder / "blanks"), HasSubstr("the compressed file expands to more than"));
  EXPECT_EQ(error_of(folder / "fewer"), "read");
}

TEST(FileBytes, MissingFilesAndFoldersAreTold) {
  const test::ScratchFolder folder;
  EXPECT_THAT(error_of(folder / "none"), HasSubstr("cannot be read: No such file"));
  EXPECT_THAT(error_of(folder.path()), HasSubstr("cannot be read: Is a directory"));
}

}  // namespace
}  // namespace solidyn
