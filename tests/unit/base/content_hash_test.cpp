#include "solidyn/base/content_hash.h"

#include <gtest/gtest.h>

#include <fstream>

#include "scratch_folder.h"
#include "solidyn/base/error.h"

namespace solidyn::base {
namespace {

TEST(ContentHash, IsSha256) {
  ContentHash hash;
  hash.add_bytes("abc", 3);  // FIPS 180-4, example B.1
  EXPECT_EQ(hash.hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash.hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(ContentHash, KeepsNeighboursApart) {
  ContentHash a, b;
  a.add(std::string("ab"));
  a.add(std::string("c"));
  b.add(std::string("a"));
  b.add(std::string("bc"));
  EXPECT_NE(a.hex(), b.hex());
}

TEST(ContentHash, SeesEveryByteOfAFile) {
  const test::ScratchFolder folder;
  std::ofstream(folder / "a") << std::string(3000000, 'x') << "1";
  std::ofstream(folder / "b") << std::string(3000000, 'x') << "2";
  ContentHash a, b;
  a.add_file(folder / "a");
  b.add_file(folder / "b");
  EXPECT_NE(a.hex(), b.hex());
  EXPECT_THROW(a.add_file(folder / "missing"), InputError);
}

}  // namespace
}  // namespace solidyn::base
