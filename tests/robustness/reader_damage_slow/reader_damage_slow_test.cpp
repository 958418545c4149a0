// A thousand damaged files of each sample of each reader, and the table of what became of them.
// What is left in silence, four of 44,000, is printed. None is a body: whole records are lost of
// rectangular and identity matrices in binary files, where the formats leave out columns of zeros.
#include <gtest/gtest.h>

#include <iostream>

#include "damaged_readers.h"

namespace solidyn {
namespace {

using testing_support::DamageRow;

TEST(ReaderDamage, LeavesHardlyABodyWrongInSilence) {
  constexpr int kFiles = 1000;  // of each sample
  std::vector<DamageRow> rows;
  for (const testing_support::DamagedReader& reader : testing_support::damaged_readers()) {
    rows.push_back(testing_support::damage_reader(reader, kFiles));
    const DamageRow& row = rows.back();
    const bool is_body = row.reader != "OP4, binary" && row.reader != "OP2, matrices";
    EXPECT_LE(row.counts[static_cast<int>(testing_support::DamageOutcome::silent)], is_body ? 0 : 2)
        << row.reader << ", " << row.sample;
    for (const std::string& how : row.silent)
      std::cout << row.reader << ", " << row.sample << ": " << how << ": silent\n";
  }
  std::cout << testing_support::format(rows);
}

}  // namespace
}  // namespace solidyn
