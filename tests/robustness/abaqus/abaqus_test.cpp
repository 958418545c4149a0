// Damaged Abaqus input gives a model or one InputError, and nothing else.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "samples.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/abaqus/deck/input.h"

namespace solidyn {
namespace {

using testing_support::sample;

std::string bytes_of(const std::string& name) {
  std::ifstream stream(sample(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

enum class Outcome { model, error };

Outcome parse(const std::string& bytes) {
  try {
    formats::parse_abaqus_input(bytes, "damaged.inp");
  } catch (const base::InputError& error) {
    EXPECT_LE(error.diagnostics().size(), 20U);
    for (const base::Diagnostic& diagnostic : error.diagnostics())
      EXPECT_EQ(diagnostic.where.file, "damaged.inp");
    return Outcome::error;
  }
  return Outcome::model;
}

class Damaged : public ::testing::TestWithParam<const char*> {};

TEST_P(Damaged, FilesCutAnywhereAreReadOrRefused) {
  const std::string whole = bytes_of(GetParam());
  ASSERT_GT(whole.size(), 700U);
  int n_refused = 0;
  for (std::size_t n = 0; n < whole.size(); n += 97)
    n_refused += parse(whole.substr(0, n)) == Outcome::error;
  EXPECT_GT(n_refused, 0);
  EXPECT_EQ(parse(whole), Outcome::model);
}

TEST_P(Damaged, ChangedBytesAreReadOrRefused) {
  const std::string whole = bytes_of(GetParam());
  int n_refused = 0;
  for (std::size_t at = 3; at < whole.size(); at += 89)
    for (char c : {'\0', ',', '*', '9', '\n', '-', '"', '\xff'}) {
      std::string damaged = whole;
      damaged[at] = c;
      n_refused += parse(damaged) == Outcome::error;
    }
  EXPECT_GT(n_refused, 0);
}

TEST_P(Damaged, SwappedBytesAreReadOrRefused) {
  const std::string whole = bytes_of(GetParam());
  int n_refused = 0;
  for (std::size_t at = 0; at + 101 < whole.size(); at += 53) {
    std::string damaged = whole;
    std::swap(damaged[at], damaged[at + 100]);
    n_refused += parse(damaged) == Outcome::error;
  }
  EXPECT_GT(n_refused, 0);
}

INSTANTIATE_TEST_SUITE_P(Files, Damaged,
                         ::testing::Values("abaqus/exudyn/rotorDiscTest.inp",
                                           "abaqus/exudyn/blockC3D20.inp",
                                           "generated/blocks/block_c3d8_clamped_mat.inp",
                                           "generated/gmsh/wedge15_gmsh.inp"));

const std::string kTet =
    "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n2147483647, 0, 0, 1\n"
    "*ELEMENT, TYPE=C3D4, ELSET=e\n2147483647, 1, 2, 3, 2147483647\n";

TEST(Hostile, TheLargestLabelsCostNothing) { EXPECT_EQ(parse(kTet), Outcome::model); }

TEST(Hostile, RangesOfAllLabelsCostNothing) {
  std::string text = kTet;
  for (int i = 1; i < 2000; ++i)
    text += "*NSET, NSET=s" + std::to_string(i) + ", GENERATE\n1, 2147483647, " +
            std::to_string(i) + "\n";
  EXPECT_EQ(parse(text), Outcome::model);
}

std::string many_nodes(int n) {
  std::string text = "*NODE, NSET=all\n";
  for (int i = 1; i <= n; ++i) text += std::to_string(i) + ", " + std::to_string(i) + "\n";
  return text;
}

TEST(Hostile, SetsOutOfProportionAreRefused) {
  std::string text = many_nodes(20000);
  for (int i = 0; i < 5000; ++i)
    text += "*NSET, NSET=s" + std::to_string(i) + ", GENERATE\n1, 20000\n";
  EXPECT_EQ(parse(text), Outcome::error);
}

TEST(Hostile, InstancesOutOfProportionAreRefused) {
  std::string text = "*PART, NAME=p\n" + many_nodes(10000) + "*END PART\n";
  for (int i = 0; i < 10000; ++i)
    text += "*INSTANCE, NAME=i" + std::to_string(i) + ", PART=p\n*END INSTANCE\n";
  EXPECT_EQ(parse(text), Outcome::error);
}

TEST(Hostile, DeepChainsOfSetsAreRefused) {
  std::string text = kTet;
  for (int i = 0; i < 100000; ++i)
    text += "*NSET, NSET=s" + std::to_string(i) + "\ns" + std::to_string(i + 1) + "\n";
  EXPECT_EQ(parse(text), Outcome::error);
}

TEST(Hostile, EndlessKeywordsAndQuotesEnd) {
  EXPECT_EQ(parse("*NODE" + std::string(300000, ',')), Outcome::error);
  std::string continued = "*NODE";
  for (int i = 0; i < 100000; ++i) continued += ",\n";
  EXPECT_EQ(parse(continued), Outcome::error);
  EXPECT_EQ(parse("*NSET, NSET=\"" + std::string(300000, 'a')), Outcome::error);
}

TEST(Hostile, ManyKeywordsThatMeanNothingAreCounted) {
  std::string text = kTet;
  for (int i = 0; i < 50000; ++i) text += "*NOTHING" + std::to_string(i) + "\n";
  const imported::SolidModel model = formats::parse_abaqus_input(text, "many.inp");
  EXPECT_LE(model.report.skipped.size(), 210U);
}

}  // namespace
}  // namespace solidyn
