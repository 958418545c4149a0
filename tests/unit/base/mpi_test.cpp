#include "solidyn/base/mpi.h"

#include <gtest/gtest.h>

#include "solidyn/base/error.h"

namespace solidyn::base {
namespace {

TEST(ThrowOnAllRanks, KeepsDiagnosticsThatQuoteAnyByte) {
  const std::string odd = "a\x1e b\x1f c:\n 12:";
  const std::vector<Diagnostic> given = {{{odd, 3, 7}, "what " + odd, odd}, {{}, "", ""}};
  try {
    throw_on_all_ranks_if_any(MPI_COMM_SELF, std::make_exception_ptr(InputError(given)));
    FAIL() << "no exception";
  } catch (const InputError& error) {
    ASSERT_EQ(error.diagnostics().size(), 2u);
    const Diagnostic& first = error.diagnostics()[0];
    EXPECT_EQ(first.where.file, odd);
    EXPECT_EQ(first.where.line, 3);
    EXPECT_EQ(first.where.column, 7);
    EXPECT_EQ(first.what, "what " + odd);
    EXPECT_EQ(first.remedy, odd);
  }
}

}  // namespace
}  // namespace solidyn::base
