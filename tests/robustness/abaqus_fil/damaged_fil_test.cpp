// Damaged results files of Abaqus: a result or one InputError.
#include <gtest/gtest.h>

#include <fstream>

#include "damage.h"
#include "samples.h"
#include "solidyn/formats/abaqus/fil/fil.h"

namespace solidyn::formats {
namespace {

class DamagedFil : public testing::TestWithParam<const char*> {};

TEST_P(DamagedFil, GivesAResultOrOneError) {
  std::ifstream file(
      testing_support::sample(std::string("generated/abaqus_like/modal_constructed_") + GetParam() +
                              ".fil"),
      std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(file)), {});
  testing_support::expect_answers_to_damage(
      good, [](const std::string& bytes) { parse_abaqus_fil(bytes, "damaged.fil"); });
}

INSTANTIATE_TEST_SUITE_P(All, DamagedFil, testing::Values("ascii", "le", "be"));

}  // namespace
}  // namespace solidyn::formats
