// Files that are replaced in one piece, and the form of complaints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "scratch_folder.h"
#include "solidyn/base/atomic_file.h"
#include "solidyn/base/error.h"
#include "solidyn/base/lfs_pointer.h"
#include "solidyn/base/meeting.h"
#include "solidyn/base/memory.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/resource_error.h"
#include "text_file.h"

namespace solidyn::base {
namespace {

namespace fs = std::filesystem;
using test::read_text;
using test::write_text;
using testing::ElementsAre;
using testing::HasSubstr;

class ReplacedFile : public testing::Test {
 protected:
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(scratch_.path()))
      found.push_back(entry.path().filename().string());
    std::sort(found.begin(), found.end());
    return found;
  }
  test::ScratchFolder scratch_{MPI_COMM_SELF};
  std::string path_ = scratch_ / "a.txt";
};

TEST_F(ReplacedFile, HasTheNewTextAndNothingIsLeftBeside) {
  for (const bool is_durable : {true, false}) {
    for (const std::string& text : {std::string("short"), std::string(3000000, 'x'),
                                    std::string("a\0b\n", 4), std::string()}) {
      write_atomically(path_, text, is_durable);
      EXPECT_EQ(read_text(path_), text);
      EXPECT_THAT(names(), ElementsAre("a.txt"));
    }
  }
}

// Whoever has opened the old file goes on reading it.
TEST_F(ReplacedFile, DoesNotChangeUnderAReader) {
  write_atomically(path_, "old");
  std::ifstream reader(path_);
  write_atomically(path_, "new and longer");
  std::string text;
  std::getline(reader, text);
  EXPECT_EQ(text, "old");
}

TEST_F(ReplacedFile, StaysAsItWasWhereTheNewOneFails) {
  write_atomically(path_, "old");
  EXPECT_THROW(write_beside_and_replace(MPI_COMM_SELF, path_,
                                        [](const std::string& temporary) {
                                          write_text(temporary, "half");
                                          throw ComputationError("no more");
                                        }),
               ComputationError);
  EXPECT_EQ(read_text(path_), "old");
  EXPECT_THAT(names(), ElementsAre("a.txt"));
  write_beside_and_replace(MPI_COMM_SELF, path_,
                           [](const std::string& temporary) { write_text(temporary, "whole"); });
  EXPECT_EQ(read_text(path_), "whole");
}

TEST_F(ReplacedFile, WhoseFolderIsMissingOrThatIsAFolderIsAnErrorWithTheReason) {
  const auto message = [](const std::string& path) -> std::string {
    try {
      write_atomically(path, "text");
    } catch (const ComputationError& e) {
      return e.what();
    }
    return "written";
  };
  EXPECT_THAT(message(scratch_ / "no/a.txt"), HasSubstr("No such file or directory"));
  fs::create_directories(scratch_ / "folder/inside");
  EXPECT_THAT(message(scratch_ / "folder"), HasSubstr("cannot replace"));
  EXPECT_THAT(names(), ElementsAre("folder"));
}

TEST_F(ReplacedFile, OnADeviceWithoutRoomIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  fs::create_symlink("/dev/full", temporary_name(path_));
  write_text(path_, "old");
  EXPECT_THROW(write_atomically(path_, "new"), ComputationError);
  EXPECT_EQ(read_text(path_), "old");
}

TEST(TemporaryName, OfAProcessIsItsOwn) {
  EXPECT_EQ(temporary_name("out/a.h5"), "out/a.h5.tmp");
  EXPECT_THAT(own_temporary_name("out/a.h5"), HasSubstr("out/a.h5.tmp."));
  EXPECT_THAT(own_temporary_name("out/a.h5"), testing::EndsWith("." + std::to_string(::getpid())));
}

TEST(Complaint, HasItsPlaceAsFarAsItIsKnownAndTheRemedyBelow) {
  EXPECT_EQ(format({{"m.yaml", 3, 7}, "wrong", "do this"}), "m.yaml:3:7: error: wrong\n  do this");
  EXPECT_EQ(format({{"m.yaml", 3, 0}, "wrong", ""}), "m.yaml:3: error: wrong");
  EXPECT_EQ(format({{"m.yaml", 0, 0}, "odd", ""}, "warning"), "m.yaml: warning: odd");
  EXPECT_EQ(format({{}, "wrong", "first\nsecond"}), "error: wrong\n  first\n  second");
}

TEST(Complaints, ComeTogetherInOneError) {
  const InputError error({{{"a", 1, 0}, "one", ""}, {{"a", 2, 0}, "two", "fix"}});
  EXPECT_STREQ(error.what(), "a:1: error: one\na:2: error: two\n  fix");
  EXPECT_EQ(error.diagnostics().size(), 2U);
  const InputError one("what", "remedy", {"b", 4, 2});
  EXPECT_STREQ(one.what(), "b:4:2: error: what\n  remedy");
  EXPECT_EQ(one.diagnostics().front().where.line, 4);
}

// Of one rank all ranks get what it had: its kind decides what becomes of it.
TEST(ErrorTogether, KeepsItsKind) {
  const auto kind = [](const std::function<void()>& work) -> std::string {
    try {
      run_together(MPI_COMM_SELF, work);
    } catch (const InputError& e) {
      return std::string("input: ") + e.diagnostics().front().what;
    } catch (const ResourceError& e) {
      return std::string("resource: ") + e.what();
    } catch (const ComputationError& e) {
      return std::string("computation: ") + e.what();
    }
    return "none";
  };
  EXPECT_EQ(kind([] {}), "none");
  EXPECT_EQ(kind([] { throw InputError("wrong"); }), "input: wrong");
  EXPECT_EQ(kind([] { throw ComputationError("failed"); }), "computation: failed");
  EXPECT_THAT(kind([] { throw ResourceError("full"); }), HasSubstr("resource: full"));
  EXPECT_THAT(kind([] { throw std::bad_alloc(); }), HasSubstr("resource: "));
  EXPECT_THAT(kind([] { throw std::runtime_error("odd"); }), HasSubstr("computation: odd"));
}

TEST(PointerOfGitLfs, IsRefusedAndOtherFilesAreNot) {
  const test::ScratchFolder scratch{MPI_COMM_SELF};
  const std::string path = scratch / "mesh.msh";
  write_text(path, "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n");
  try {
    refuse_lfs_pointer(path);
    FAIL() << "accepted";
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("mesh.msh:1: error: the file is a Git LFS pointer"));
    EXPECT_THAT(e.what(), HasSubstr("git lfs pull"));
  }
  for (const char* text : {"", "version", "$MeshFormat\n4.1 0 8\n"}) {
    write_text(path, text);
    EXPECT_NO_THROW(refuse_lfs_pointer(path));
    EXPECT_FALSE(is_lfs_pointer(text));
  }
  EXPECT_NO_THROW(refuse_lfs_pointer(scratch / "missing"));
}

TEST(MeetingOfOneRank, IsNeverMissed) {
  const Meeting meeting(MPI_COMM_SELF);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(meeting.all_arrive());
}

TEST(PeakMemory, IsThatOfThisProcessOnEachRank) {
  const std::vector<double> peaks = peak_rss_mb_of_ranks(MPI_COMM_SELF);
  ASSERT_EQ(peaks.size(), 1U);
  EXPECT_GT(peaks[0], 1.0);
  EXPECT_LT(peaks[0], 1e6);
}

}  // namespace
}  // namespace solidyn::base
