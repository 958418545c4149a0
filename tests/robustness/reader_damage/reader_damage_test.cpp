// Damaged files of every reader: refused, warned of, or read as what they say. The slow test has
// more of them.
#include <gtest/gtest.h>

#include <iostream>

#include "damaged_readers.h"

namespace solidyn {
namespace {

using testing_support::DamageRow;

TEST(ReaderDamage, LeavesHardlyABodyWrongInSilence) {
  constexpr int kFiles = 24;  // of each sample
  constexpr int kSilent = 0;
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
