// Damaged OP2 files, made from good ones: each gives a result or one InputError that names the file
// and the place; none may crash, hang or ask for memory that the file cannot fill.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "nastran_op2_writer.h"
#include "samples.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/nastran/op2/op2.h"

namespace solidyn {
namespace {

using formats::Op2File;
using testing::AllOf;
using testing::HasSubstr;
using testing_support::Op2Writer;

/// "accepted", or the message of the one error that may come.
template <class Read>
std::string outcome(const Read& read) {
  try {
    read();
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("damaged.op2"));
    EXPECT_LE(error.diagnostics().size(), 20);
    return error.what();
  }
  return "accepted";
}

std::string open(const std::string& bytes) {
  return outcome([&] { Op2File file(bytes, "damaged.op2"); });
}

/// All that can be asked of a file.
void read_all(const std::string& bytes) {
  if (open(bytes) != "accepted") return;
  const Op2File file(bytes, "damaged.op2");
  outcome([&] { formats::read_op2_modes(file); });
  outcome([&] { formats::read_op2_matrices(file); });
  outcome([&] { formats::read_op2_matrix_model(file, "ZUZR01", "ZUZR01"); });
  outcome([&] { formats::read_op2_geometry(file); });
}

const std::vector<std::string> kSamples = {"superelement/inboard", "modal/fsi", "modal/dmg401ns",
                                           "modal/tugd_2020_64bit", "op2_matrices/double_be"};

class DamagedOp2 : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const std::string name = "nastran/" + GetParam() + ".op2";
    SOLIDYN_REQUIRE_SAMPLE(name);
    std::ifstream file(testing_support::sample(name), std::ios::binary);
    good_ = {std::istreambuf_iterator<char>(file), {}};
  }
  std::string good_;
};

TEST_P(DamagedOp2, CutAnywhereIsRefusedWithItsByte) {
  int n_accepted = 0;
  for (std::size_t size = 1; size < good_.size(); size += 97) {
    const std::string message = open(good_.substr(0, size));
    if (message == "accepted") {
      ++n_accepted;  // between two blocks
    } else if (size >= 4) {
      EXPECT_THAT(message, HasSubstr("(byte "));
    }
  }
  EXPECT_LE(n_accepted, 3);
}

TEST_P(DamagedOp2, AnyChangedWordGivesAResultOrAnError) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 400; ++trial) {
    std::string bytes = good_;
    for (int change = 0; change <= trial % 8; ++change) {
      const std::size_t at = random() % (bytes.size() / 4) * 4;
      const std::uint32_t word = trial % 3 ? random() : random() % 100;
      bytes.replace(at, 4, reinterpret_cast<const char*>(&word), 4);
    }
    read_all(bytes);
  }
}

TEST_P(DamagedOp2, DataWithTheFramingIntactGiveAResultOrAnError) {
  // only words inside records are changed, so that the readers behind the walk meet nonsense
  std::mt19937 random(11);
  const Op2File good(good_, "good.op2");
  for (int trial = 0; trial < 1500; ++trial) {
    std::string bytes = good_;
    const auto& block = good.blocks()[random() % good.blocks().size()];
    if (block.records.empty()) continue;
    const auto& record = block.records[random() % block.records.size()];
    if (record.n_bytes < 8) continue;
    const std::size_t start = record.offset + 12 + 4 * (good.word_bytes() == 8);
    const std::size_t at = start + 4 + random() % (record.n_bytes / 4) * 4;
    const std::uint32_t word = trial % 2 ? random() : random() % 40;
    if (at + 4 < bytes.size()) bytes.replace(at, 4, reinterpret_cast<const char*>(&word), 4);
    read_all(bytes);
  }
}

TEST_P(DamagedOp2, ExchangedBytesGiveAResultOrAnError) {
  for (std::size_t at = 0; at + 4 <= good_.size(); at += 211) {
    std::string bytes = good_;
    std::swap(bytes[at], bytes[at + 3]);
    read_all(bytes);
  }
}

INSTANTIATE_TEST_SUITE_P(All, DamagedOp2, testing::ValuesIn(kSamples), [](const auto& info) {
  return info.param.substr(info.param.rfind('/') + 1);
});

TEST(BrokenOp2, OtherFilesAreRefusedByName) {
  EXPECT_THAT(open(""), HasSubstr("empty"));
  EXPECT_THAT(open("version https://git-lfs.github.com/spec/v1\noid sha256:1\n"),
              HasSubstr("Git LFS"));
  EXPECT_THAT(open("X 0123456789ABCDEF 1\n"), HasSubstr("formatted (text) OUTPUT2"));
  EXPECT_THAT(open("SOL 103\nCEND\n"), HasSubstr("not an OP2 file"));
  EXPECT_THROW(Op2File("/nowhere/at.op2"), base::InputError);
}

TEST(BrokenOp2, MatricesThatAreNotWhatTheySayAreRefused) {
  const auto read = [](const std::vector<std::pair<int, testing_support::Op2Words>>& strings,
                       const std::vector<std::int64_t>& trailer) {
    Op2Writer op2;
    op2.begin_block("KGG", trailer);
    op2.column(strings);
    op2.end_block();
    return outcome([&] { formats::read_op2_matrices(Op2File(op2.bytes(), "damaged.op2")); });
  };
  EXPECT_EQ(read({{1, {1.0, 2.0}}}, {101, 1, 2, 2, 1}), "accepted");
  EXPECT_THAT(read({{1, {1.0, 2.0}}}, {101, 4, 2, 2, 1}), HasSubstr("1 columns, but its trailer"));
  EXPECT_THAT(read({{2, {1.0, 2.0}}}, {101, 1, 2, 2, 1}), HasSubstr("2 terms from row 2"));
  EXPECT_THAT(read({{2, {1.0}}, {1, {1.0}}}, {101, 1, 2, 2, 1}), HasSubstr("continues in row 1"));
  EXPECT_THAT(read({{1, {1.0}}}, {101, 1, 2, 2, 2}), HasSubstr("not a whole number of terms"));
  EXPECT_THAT(read({{1, {1.0}}}, {101, 1, 2, 2, 7}), HasSubstr("type 7"));
  EXPECT_THAT(read({{1, {1.0}}}, {101, 1, -2, 2, 1}), HasSubstr("-2 rows"));
}

TEST(BrokenOp2, ModesThatDisagreeAreRefused) {
  const auto read = [](const testing_support::Op2Words& second) {
    Op2Writer op2;
    op2.begin_block("OUGV1");
    for (const int mode : {1, 2}) {
      op2.table_record({21, 7, 0, 1, mode, 1.0, 1.0, 0, 1, 8});
      op2.table_record(mode == 2 ? second
                                 : testing_support::Op2Words{41, 1, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0});
    }
    op2.end_block();
    return outcome([&] { formats::read_op2_modes(Op2File(op2.bytes(), "damaged.op2")); });
  };
  EXPECT_EQ(read({41, 1, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0}), "accepted");
  EXPECT_THAT(read({51, 1, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0}), HasSubstr("a different point in row 1"));
  EXPECT_THAT(read({41, 1, 2.0}), HasSubstr("mode 2 has different points than mode 1"));
  EXPECT_THAT(read({41, 1, std::nan(""), 0.0, 0.0, 0.0, 0.0, 0.0}),
              AllOf(HasSubstr("grid 4 in mode 2 is not finite"), HasSubstr("(byte ")));
}

TEST(BrokenOp2, WithoutEigenvectorsTheBlocksAreNamed) {
  Op2Writer op2;
  op2.begin_block("OQG1");
  op2.table_record({1, 2, 3});
  op2.end_block();
  EXPECT_THAT(outcome([&] { formats::read_op2_modes(Op2File(op2.bytes(), "damaged.op2")); }),
              AllOf(HasSubstr("no eigenvectors"), HasSubstr("OQG1"), HasSubstr("PARAM,POST,-1")));
}

}  // namespace
}  // namespace solidyn
