#include "solidyn/base/crash.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace solidyn::base {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// In a process of its own: handlers stay for good.
TEST(CrashDeathTest, ForeignCodeThatCrashesIsSurvivedOnceAndAgain) {
  const auto survive = [] {
    install_crash_handlers();
    const auto abort_now = [] { std::abort(); };
    bool is_right = run_guarded([] {}) == 0;
    for (int i = 0; i < 3; ++i) is_right = is_right && run_guarded(abort_now) == SIGABRT;
    is_right = is_right && run_guarded([] { std::raise(SIGSEGV); }) == SIGSEGV;
    bool has_thrown = false;
    try {
      run_guarded([] { throw std::runtime_error("no crash"); });
    } catch (const std::runtime_error&) {
      has_thrown = true;
    }
    std::_Exit(is_right && has_thrown ? 0 : 1);
  };
  EXPECT_EXIT(survive(), testing::ExitedWithCode(0), "");
}

TEST(CrashDeathTest, ACrashLeavesItsFileAndEndsTheProcessAsItWouldHave) {
  const std::string path = std::string(SOLIDYN_BINARY_DIR) + "/crash_test.json";
  const auto crash = [&] {
    install_crash_handlers();
    set_crash_file(path, "it failed");
    std::raise(SIGSEGV);
  };
  EXPECT_EXIT(crash(), testing::KilledBySignal(SIGSEGV), "the program crashed");
  EXPECT_EQ(text_of(path), "it failed");
  std::remove(path.c_str());
}

}  // namespace
}  // namespace solidyn::base
