// Damaged results files of CalculiX: a result or one InputError.
#include <gtest/gtest.h>

#include <fstream>

#include "damage.h"
#include "samples.h"
#include "solidyn/formats/calculix/frd.h"

namespace solidyn::formats {
namespace {

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void parse(const std::string& bytes) { parse_calculix_frd(bytes, "damaged.frd"); }

TEST(DamagedFrd, Text) {
  testing_support::expect_answers_to_damage(
      bytes_of(testing_support::sample("generated/blocks/block_c3d8.frd")), parse);
}

TEST(DamagedFrd, Binary) {
  testing_support::expect_answers_to_damage(
      bytes_of(SOLIDYN_SOURCE_DIR "/tests/interop/calculix_frd/data/block_c3d20_binary.frd"),
      parse);
}

}  // namespace
}  // namespace solidyn::formats
