// A thousand damaged files of each sample of each reader, and the table of what became of them.
// What is left in silence, one in a thousand, is printed: lost headers of modes, joined records;
// the limit holds the number down.
#include <gtest/gtest.h>

#include <iostream>

#include "damaged_readers.h"

namespace solidyn {
namespace {

using testing_support::DamageRow;

TEST(ReaderDamage, LeavesHardlyABodyWrongInSilence) {
  constexpr int kFiles = 1000;  // of each sample
  constexpr int kSilent = kFiles / 100 + 1;
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
