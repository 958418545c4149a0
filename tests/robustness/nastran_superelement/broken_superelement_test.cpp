// Damaged files of superelements: each gives a model or one InputError that names a file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "samples.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/nastran/superelement/superelement.h"

namespace solidyn {
namespace {

using testing::HasSubstr;

std::string bytes_of(const char* ending) {
  std::ifstream file(testing_support::sample(std::string("nastran/superelement/inboard") + ending),
                     std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string outcome(const std::string& punch, const std::string& op4) {
  try {
    formats::parse_nastran_superelement({{punch, "damaged.pch"}, {op4, "damaged.op4"}});
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("damaged."));
    return error.what();
  }
  return "accepted";
}

class BrokenSuperelement : public testing::Test {
 protected:
  void SetUp() override {
    SOLIDYN_REQUIRE_SAMPLE("nastran/superelement/inboard.op4");
    punch_ = bytes_of(".pch");
    op4_ = bytes_of(".op4");
  }
  std::string with(const std::string& before, const std::string& after) const {
    std::string punch = punch_;
    const std::size_t at = punch.find(before);
    if (at == std::string::npos) return "the sample has no `" + before + "`";
    return outcome(punch.replace(at, before.size(), after), op4_);
  }
  std::string punch_, op4_;
};

TEST_F(BrokenSuperelement, DamagedFilesGiveAModelOrAnError) {
  EXPECT_EQ(outcome(punch_, op4_), "accepted");
  for (std::size_t size = 0; size < punch_.size(); size += 97)
    outcome(punch_.substr(0, size), op4_);
  for (std::size_t size = 0; size < op4_.size(); size += 997) outcome(punch_, op4_.substr(0, size));
  std::mt19937 random(3);
  for (int trial = 0; trial < 2000; ++trial) {
    std::string punch = punch_;
    punch[random() % 2400] = static_cast<char>(random() % 128);
    outcome(punch, op4_);
  }
}

TEST_F(BrokenSuperelement, ErrorsNameWhatDoesNotFit) {
  EXPECT_THAT(with("EXTRN          3  123456", "EXTRN          3     123"),
              HasSubstr("29 rows are listed"));
  EXPECT_THAT(with("EXTRN          3  123456      11", "EXTRN          3  123456       3"),
              HasSubstr("point 3 is listed twice"));
  EXPECT_THAT(with("GRID*                  3", "GRID*                999"),
              HasSubstr("1 grids of the superelement are not defined: 3"));
  EXPECT_EQ(with("\nEXTRN ", "\nEXTRA "), "accepted");  // ASET lists the same rows
  EXPECT_THAT(with("BEGIN SUPER      102", "BEGIN SUPER      102\nBEGIN SUPER      103"),
              HasSubstr("several"));
}

/// A few lines name more points than the memory holds.
TEST_F(BrokenSuperelement, RangesOfTooManyPointsAreRefusedWhereTheyAreNeeded) {
  std::string several;
  for (int i = 0; i < 3; ++i)
    several += "QSET1,0," + std::to_string(1 + 500000 * i) + ",THRU," +
               std::to_string(500000 * (i + 1)) + "\n";
  std::string hostile;
  for (int i = 0; i < 1000; ++i) hostile += "QSET1,0,1,THRU,2000000000\n";
  for (const std::string& ranges : {several, hostile}) {
    EXPECT_EQ(with("\nEXTRN ", "\n" + ranges + "EXTRN "),
              "accepted");  // it lists the rows, in order
    EXPECT_THAT(with("\nEXTRN ", "\n" + ranges + "EXTRA "),
                HasSubstr("ranges contain more than 1000000 points"));
  }
  EXPECT_THAT(with("\nEXTRN ", "\n" + several + "EXTRA "), HasSubstr("damaged.pch:17: error"));
}

}  // namespace
}  // namespace solidyn
