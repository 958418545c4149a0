// A thousand damaged files of each sample of each reader, and the table of what became of them.
// What is left in silence, four of 43,000, is printed: whole records of columns of a binary matrix
// that are lost, where the format leaves out columns of zeros.
#include <gtest/gtest.h>

#include <iostream>

#include "damaged_readers.h"

namespace solidyn {
namespace {

using testing_support::DamageRow;

TEST(ReaderDamage, LeavesHardlyABodyWrongInSilence) {
  constexpr int kFiles = 1000;  // of each sample
  constexpr int kSilent = 2;
  std::vector<DamageRow> rows;
  for (const testing_support::DamagedReader& reader : testing_support::damaged_readers()) {
    rows.push_back(testing_support::damage_reader(reader, kFiles));
    const DamageRow& row = rows.back();
    EXPECT_LE(row.counts[static_cast<int>(testing_support::DamageOutcome::silent)], kSilent)
        << row.reader << ", " << row.sample;
    for (const std::string& how : row.silent)
      std::cout << row.reader << ", " << row.sample << ": " << how << ": silent\n";
  }
  std::cout << testing_support::format(rows);
}

}  // namespace
}  // namespace solidyn
