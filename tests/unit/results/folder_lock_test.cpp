#include "solidyn/results/folder_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scratch_folder.h"
#include "solidyn/base/error.h"
#include "text_file.h"

namespace solidyn::results {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class FolderLockTest : public testing::Test {
 protected:
  std::string refusal() const {
    try {
      const FolderLock lock(scratch_.path());
    } catch (const base::InputError& error) {
      return error.what();
    }
    return "";
  }
  std::string file() const { return scratch_ / ".solidyn_lock"; }
  test::ScratchFolder scratch_;
};

TEST_F(FolderLockTest, NamesItsProcessAndGoesAtItsEnd) {
  {
    const FolderLock lock(scratch_.path());
    EXPECT_EQ(lock.taken_over_from(), "");
    EXPECT_THAT(refusal(), AllOf(HasSubstr("is being written by another run"),
                                 HasSubstr("process " + std::to_string(::getpid()))));
    EXPECT_THROW(refuse_folder_in_use(scratch_.path()), base::InputError);
    EXPECT_TRUE(is_folder_in_use(scratch_.path()));
  }
  EXPECT_FALSE(std::filesystem::exists(file()));
  EXPECT_FALSE(is_folder_in_use(scratch_.path()));
  EXPECT_EQ(refusal(), "");
}

TEST_F(FolderLockTest, OfADeadProcessIsTakenOverAndTold) {
  const pid_t child = ::fork();
  if (child == 0) {
    const FolderLock lock(scratch_.path());
    ::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  ASSERT_TRUE(std::filesystem::exists(file()));
  EXPECT_NO_THROW(refuse_folder_in_use(scratch_.path()));
  EXPECT_FALSE(is_folder_in_use(scratch_.path()));
  const FolderLock lock(scratch_.path());
  EXPECT_THAT(lock.taken_over_from(), HasSubstr("process " + std::to_string(child)));
}

TEST_F(FolderLockTest, OfAnotherMachineIsRefusedWithTheFileToRemove) {
  test::write_text(file(), "solidyn writes here: 17 elsewhere 1 other-start space\n");
  EXPECT_THAT(refusal(), AllOf(HasSubstr("process 17 of machine `elsewhere`"),
                               HasSubstr("cannot be checked from"), HasSubstr("remove " + file())));
  EXPECT_TRUE(std::filesystem::exists(file()));
}

}  // namespace
}  // namespace solidyn::results
