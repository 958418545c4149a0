// Damaged OP4 files, made from good ones: each gives matrices or one InputError that names the file
// and the place; none may crash, hang or ask for memory that the file cannot fill.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "samples.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/nastran/op4/op4.h"

namespace solidyn {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// "accepted", or the message of the one error that may come.
std::string outcome(const std::string& bytes) {
  try {
    for (const imported::Matrix& matrix : formats::parse_op4(bytes, "damaged.op4"))
      EXPECT_LE(matrix.values.size(), bytes.size());
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("damaged.op4"));
    return error.what();
  }
  return "accepted";
}

std::string bytes_of(const std::string& sample) {
  std::ifstream file(testing_support::sample("nastran/op4/" + sample + ".op4"), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const std::vector<std::string> kSamples = {
    "mat_b_dn", "mat_b_s1", "mat_b_s2",         "mat_t_dn",
    "mat_t_s1", "mat_t_s2", "double_bigmat_be", "nas_large_dim_nonbigmat_binary",
    "cd"};

class DamagedOp4 : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    SOLIDYN_REQUIRE_SAMPLE("nastran/op4/" + GetParam() + ".op4");
    good_ = bytes_of(GetParam());
  }
  std::string good_;
};

TEST_P(DamagedOp4, CutAnywhereIsAShorterFileOrAnError) {
  int n_refused = 0;
  for (std::size_t size = 1; size < good_.size(); size += 97)
    if (outcome(good_.substr(0, size)) != "accepted") ++n_refused;
  // nearly all places are inside a matrix
  EXPECT_GE(n_refused, static_cast<int>(good_.size() / 97 * 4 / 5));
}

TEST_P(DamagedOp4, AnyChangedByteGivesMatricesOrAnError) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 3000; ++trial) {
    std::string bytes = good_;
    for (int change = 0; change <= trial % 4; ++change)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    outcome(bytes);
  }
}

TEST_P(DamagedOp4, ExchangedBytesGiveMatricesOrAnError) {
  for (std::size_t at = 0; at + 8 <= good_.size(); at += 31) {
    std::string bytes = good_;
    std::swap(bytes[at], bytes[at + 3]);
    std::swap(bytes[at + 1], bytes[at + 2]);
    outcome(bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(All, DamagedOp4, testing::ValuesIn(kSamples),
                         [](const auto& info) { return info.param; });

/// A binary file of int32 words; every inner list is a record.
std::string binary(const std::vector<std::vector<std::int32_t>>& records) {
  std::string bytes;
  const auto put = [&](std::int32_t word) {
    bytes.append(reinterpret_cast<const char*>(&word), sizeof word);
  };
  for (const auto& record : records) {
    put(static_cast<std::int32_t>(4 * record.size()));
    for (std::int32_t word : record) put(word);
    put(static_cast<std::int32_t>(4 * record.size()));
  }
  return bytes;
}

constexpr std::int32_t kBlanks = 0x20202020, kOneF = 0x3f800000;

std::vector<std::int32_t> head(std::int32_t n_columns, std::int32_t n_rows, std::int32_t type = 1) {
  return {n_columns, n_rows, 2, type, 0x20202041, kBlanks};  // "A"
}

TEST(BrokenOp4, BinaryFaultsAreNamedWithTheirByte) {
  const std::vector<std::int32_t> end = {3, 1, 1, kOneF};
  EXPECT_EQ(outcome(binary({head(2, 3), {1, 1, 2, kOneF, kOneF}, end})), "accepted");
  EXPECT_THAT(outcome(binary({head(2, 3), {1, 1, 2, kOneF, kOneF}})),
              AllOf(HasSubstr("ends before a record"), HasSubstr("(byte 60)")));
  EXPECT_THAT(
      outcome(binary({head(2, 3), {1, 3, 2, kOneF, kOneF}, end})),
      AllOf(HasSubstr("has 2 terms from row 3"), HasSubstr("3 rows"), HasSubstr("byte 32")));
  EXPECT_THAT(outcome(binary({head(2, 3), {2, 1, 1, kOneF}, {2, 1, 1, kOneF}, end})),
              HasSubstr("column 2 of matrix `A`") /* follows column 2 */);
  EXPECT_THAT(outcome(binary({head(2, 3), {9, 1, 1, kOneF}, end})),
              HasSubstr("column 9 in matrix `A`, which has 2 columns"));
  EXPECT_THAT(outcome(binary({head(2, 3), {1, 1, 7, kOneF}, end})),
              HasSubstr("declares 7 words and contains 1"));
  EXPECT_THAT(outcome(binary({head(2, 3, 9), end})), HasSubstr("type 9"));
  std::vector<std::int32_t> square = head(2, 3);
  square[2] = 1;
  EXPECT_THAT(outcome(binary({square, end})),
              HasSubstr("of 3 rows and 2 columns is declared as square (form 1)"));
  EXPECT_THAT(outcome(binary({head(2, 3), {1, 1, 1, 0x7f800000}, end})),
              HasSubstr("term (1, 1) of matrix `A` is not finite"));
  EXPECT_THAT(outcome(binary({head(2, 3), {1, 0, 2, 100 * 65536 + 1, kOneF}, end})),
              HasSubstr("a string of 99 words"));
  EXPECT_THAT(outcome(binary({head(2, 3, 2), {1, 1, 1, kOneF}, end})),
              HasSubstr("not a whole number of terms"));
}

TEST(BrokenOp4, HugeDeclaredSizesCostNothing) {
  EXPECT_EQ(outcome(binary({head(2147483646, -2147483647), {2147483647, 1, 1, kOneF}})),
            "accepted");
}

TEST(BrokenOp4, TextFaultsAreNamedWithTheirLine) {
  const std::string good =
      "       1       2       2       2A       1P,3E12.5\n"
      "       1       1       2\n"
      " 1.00000E+00 2.00000E+00\n"
      "       2       1       1\n"
      " 1.00000E+00\n";
  const auto with = [&](const std::string& before, const std::string& after) {
    std::string text = good;
    return outcome(text.replace(text.find(before), before.size(), after));
  };
  EXPECT_EQ(outcome(good), "accepted");
  EXPECT_THAT(with(" 2.00000E+00", " 2.0000"),
              AllOf(HasSubstr("damaged.op4:3"), HasSubstr("number of 12 columns")));
  EXPECT_THAT(with(" 2.00000E+00", " 2.00000E+00E+00"),
              AllOf(HasSubstr("damaged.op4:3"), HasSubstr("after the last number")));
  EXPECT_THAT(with(" 2.00000E+00", "         NaN"), HasSubstr("damaged.op4:3"));
  EXPECT_THAT(with(" 2.00000E+00", "1.0000E+9999"), HasSubstr("damaged.op4:3"));
  EXPECT_THAT(with(" 2.00000E+00", "************"), HasSubstr("damaged.op4:3"));
  EXPECT_EQ(with(" 2.00000E+00", " 2.00000-100"), "accepted");
  EXPECT_EQ(with(" 2.00000E+00", " 2.00000D+00"), "accepted");
  EXPECT_THAT(with("1P,3E12.5", "        "), HasSubstr("give the number format"));
  EXPECT_THAT(with("       1       1       2", "       1       1       5"),
              HasSubstr("damaged.op4:2"));
  EXPECT_THAT(with("       2       1       1\n 1.00000E+00\n", ""),
              HasSubstr("ends in the middle of a matrix"));
}

TEST(BrokenOp4, OtherFilesAreRefusedByName) {
  EXPECT_THAT(outcome(""), HasSubstr("empty"));
  EXPECT_THAT(outcome("version https://git-lfs.github.com/spec/v1\noid sha256:1\n"),
              HasSubstr("Git LFS"));
  EXPECT_THAT(outcome(std::string("\x04\0\0\0\x03\0\0\0\x04\0\0\0", 12)),
              HasSubstr("not an OP4 file"));
  EXPECT_THAT(outcome("SOL 103\nCEND\n"), HasSubstr("damaged.op4:1"));
  EXPECT_THROW(formats::read_op4("/nowhere/at.op4"), base::InputError);
  EXPECT_THROW(formats::read_op4("/tmp"), base::InputError);
}

}  // namespace
}  // namespace solidyn
