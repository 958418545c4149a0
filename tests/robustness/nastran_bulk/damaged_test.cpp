#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "samples.h"
#include "solidyn/formats/nastran/bulk_and_punch.h"

namespace solidyn {
namespace {

using testing::HasSubstr;
using testing_support::bytes_of;

/// Reads, and lets InputError pass only.
void expect_result_or_input_error(const std::string& bytes, const std::string& what) {
  try {
    formats::parse_nastran_bulk(bytes, "damaged.bdf");
  } catch (const base::InputError& error) {
    EXPECT_LE(error.diagnostics().size(), 20u) << what;
    for (const base::Diagnostic& complaint : error.diagnostics())
      EXPECT_EQ(complaint.where.file, "damaged.bdf") << what << ": " << complaint.what;
  }
}

class DamagedBulk : public testing::TestWithParam<const char*> {};

TEST_P(DamagedBulk, CutAnywhereGivesAResultOrAnError) {
  const std::string bytes = bytes_of(GetParam());
  for (std::size_t n = 0; n < bytes.size(); n += 97)
    expect_result_or_input_error(bytes.substr(0, n), "cut at " + std::to_string(n));
}

TEST_P(DamagedBulk, OtherBytesGiveAResultOrAnError) {
  const std::string bytes = bytes_of(GetParam());
  for (std::size_t i = 0; i < bytes.size(); i += 53) {
    std::string damaged = bytes;
    const char others[] = {'\0', '\n', '\t', '*', '+', ',', '=', '$', '9', '-', '\xff'};
    damaged[i] = others[i / 53 % sizeof others];
    std::swap(damaged[i * 7 % bytes.size()], damaged[i * 13 % bytes.size()]);
    expect_result_or_input_error(damaged, "byte " + std::to_string(i));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Samples, DamagedBulk,
    testing::Values("nastran/solids/CTETRA10_.nas", "nastran/solids/ehbus69.bdf",
                    "nastran/solids/rigid_rbe2.bdf", "nastran/modal/dmg401ns.bdf",
                    "nastran/superelement/inboard.pch", "generated/gmsh/hex20_gmsh.bdf"));

std::string message_of(const std::string& text) {
  try {
    formats::parse_nastran_bulk(text, "a.bdf");
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "no error";
}

const std::string kTet =
    "GRID,1\nGRID,2,,1.\nGRID,3,,,1.\nGRID,4,,,,1.\nCTETRA,1,1,1,2,3,4\n"
    "PSOLID,1,1\nMAT1,1,2.+11,,.3,7800.\n";

TEST(BulkErrors, NameEntryLineAndRemedy) {
  EXPECT_EQ(message_of(kTet), "no error");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {kTet + "CTETRA,2,1,1,2,3,9\n", "CTETRA 2: grid 9"},
      {kTet + "CTETRA,2,1,1,2,3,3\n", "CTETRA 2 has grid 3 twice"},
      {kTet + "CTETRA,2,1,1,2,3,4,1\n", "element 2 has only 1 of its 6 mid-side grids"},
      {kTet + "CTETRA,1,1,1,3,2,4\n",
       "CTETRA 1 is defined twice with different data (first in line 5)"},
      {kTet + "GRID,1,,7.\n", "GRID 1 is defined twice with different data (first in line 1)"},
      {kTet + "CTETRA,2,8,1,2,3,4\n", "properties that are not defined in the deck: 8"},
      {kTet + "PSOLID,2,5\nCTETRA,2,2,1,2,3,4\n", "PSOLID 2 uses material 5"},
      {kTet + "MAT1,1,2.+10\n", "material 1 is defined twice with different data"},
      {kTet + "MAT1,2\n", "E and G are both blank"},
      {kTet + "GRID,7,5\n", "coordinate system 5 is not defined in the deck"},
      {kTet + "GRID,7,,,,,5\n", "coordinate system 5 is not defined in the deck"},
      {kTet + "CORD2R,5,6,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\n" +
           "CORD2R,6,5,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\nGRID,7,5\n",
       "is defined by itself"},
      {kTet + "CORD1R,5,1,2,8\nGRID,8,5\n", "coordinate system 5 is defined by itself"},
      {kTet + "CORD2R,5,0,0.,0.,0.,0.,0.,1.\n,0.,0.,3.\nGRID,7,5\n", "are collinear"},
      {kTet + "CONM2,3,9,,1.\n", "CONM2 3 uses grid 9"},
      {kTet + "RBE2,3,1,123,9,2\n", "RBE2 3 uses grids that are not defined in the deck: 9"},
      {kTet + "RBE3,3,,1,123,1,2\n", "RBE3: field 6 is `1` instead of a weight"},
      {kTet + "RBE3,3,,1,123,1.,123,2,UX\n",
       "RBE3: field 9 is `UX` instead of a weight, a grid, UM or"},
      {kTet + "RBE3,3,,1,123,1.,,2\n",
       "RBE3: field 7 is blank instead of components after a weight"},
      {kTet + "RBE3,3,,1,123,1.,127,2\n", "RBE3: field 7 is `127` instead of components"},
      {kTet + "RBE3,3,,1,123,UM,2,123\n", "RBE3: the entry has no grid"},
      {kTet + "SPC1,1,123,9\n", "constraints use grids that are not defined in the deck: 9"},
      {kTet + "GRID,7,,1\n", "GRID: field 4 is `1` instead of a real number"},
      {kTet + "GRID,7.,,1.\n", "a.bdf:8: error: GRID: field 2 is `7.`"},
      {kTet + "GRID,7,,nan\n", "`nan`"},
      {kTet + "GRID,7,,1.0E+400\n", "fits in double precision"},
      {kTet + "GRID,7,,*****\n", "`*****`"},
      {kTet + "GRID,99999999999\n", "instead of a number from 1 to 2147483646"},
      {"BEGIN BULK\n" + kTet + "BEGIN SUPER=1\nENDDATA\n", "2 sections of bulk data"},
      {"", "no GRID entries"},
      {std::string("\x00\x01", 2), "binary"},
  };
  for (const auto& [text, message] : cases) EXPECT_THAT(message_of(text), HasSubstr(message));
}

TEST(BulkErrors, ComeTogetherUpToTwenty) {
  std::string text = kTet;
  for (int i = 0; i < 3; ++i) text += "GRID,x\n";
  try {
    formats::parse_nastran_bulk(text, "a.bdf");
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.diagnostics().size(), 3u);
  }
  for (int i = 0; i < 100; ++i) text += "GRID,x\n";
  try {
    formats::parse_nastran_bulk(text, "a.bdf");
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.diagnostics().size(), 20u);
  }
}

TEST(BulkErrors, HugeLabelsAndRangesCostNothing) {
  const imported::SolidModel model = formats::parse_nastran_bulk(
      kTet +
          "GRID,2147483646\nSPC1,1,3,1,THRU,2147483646\nSET1,3,1,THRU,2147483646\n"
          "SPOINT,5,THRU,2147483645\n",
      "a.bdf");
  EXPECT_EQ(model.supports.size(), 5u);
  EXPECT_EQ(model.mesh.sets.at("SET 3").nodes.size(), 4u);
}

TEST(BulkErrors, LongChainsOfSystemsAreRefused) {
  std::string text = kTet + "GRID,7,100000\n";
  for (int i = 2; i <= 100000; ++i)
    text += "CORD2R," + std::to_string(i) + "," + std::to_string(i - 1) +
            ",0.,0.,0.,0.,0.,1.\n,1.,0.,0.\n";
  EXPECT_THAT(message_of(text), HasSubstr("chain of more than 1000"));
}

TEST(BulkErrors, ManySetsOfAllGridsAreRefused) {
  std::string text = kTet;
  for (int i = 5; i < 20000; ++i) text += "GRID," + std::to_string(i) + "\n";
  for (int i = 1; i <= 100; ++i) text += "SET1," + std::to_string(i) + ",1,THRU,2\n";
  EXPECT_EQ(message_of(text), "no error");
  for (int i = 1; i <= 600000; ++i) text += "SET1,7,1,THRU,9999999\n";
  EXPECT_THAT(message_of(text), HasSubstr("200 times as many members"));
}

}  // namespace
}  // namespace solidyn
