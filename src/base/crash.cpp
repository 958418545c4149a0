#include "solidyn/base/crash.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>

#include "solidyn/base/atomic_file.h"

namespace solidyn::base {
namespace {

constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
// A crash within the allocator leaves it locked: what tries to save the state may wait for ever.
constexpr unsigned kSecondsToSave = 120;

struct CrashFile {
  std::string path, temporary, text;
};

// A handler reads these: complete before the pointer to them is set.
std::unique_ptr<const CrashFile> crash_file_owner;
std::atomic<const CrashFile*> crash_file{nullptr};
thread_local sigjmp_buf* way_out = nullptr;

const char* name_of(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "Segmentation fault";
    case SIGBUS:
      return "Bus error";
    case SIGFPE:
      return "Floating point exception";
    case SIGILL:
      return "Illegal instruction";
    default:
      return "Aborted";
  }
}

bool write_whole(int file, const char* text, std::size_t n) {
  while (n > 0) {
    const ssize_t n_written = ::write(file, text, n);
    if (n_written <= 0) return false;
    text += n_written;
    n -= static_cast<std::size_t>(n_written);
  }
  return true;
}

void tell(const char* text) { write_whole(STDERR_FILENO, text, std::strlen(text)); }

void on_crash(int signal) {
  write_crash_file();
  if (way_out) {
    ::alarm(kSecondsToSave);
    siglongjmp(*way_out, signal);
  }
  tell("error: the program crashed (");
  tell(name_of(signal));
  tell("): this is a bug in the program or in a library that it uses\n");
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void install_crash_handlers() {
  // A stack that has overflowed has no room for a handler.
  static char stack[1 << 16];
  stack_t other{};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  ::sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_handler = on_crash;
  action.sa_flags = SA_NODEFER | SA_ONSTACK;
  for (const int signal : kCrashes) ::sigaction(signal, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
}

void set_crash_file(const std::string& path, const std::string& text) {
  auto next = path.empty() ? nullptr
                           : std::make_unique<const CrashFile>(
                                 CrashFile{path, temporary_name(path) + ".crash", text});
  crash_file.store(next.get());
  crash_file_owner = std::move(next);
}

void write_crash_file() {
  const CrashFile* file = crash_file.load();
  if (!file) return;
  const int descriptor = ::open(file->temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (descriptor < 0) return;
  const bool is_whole = write_whole(descriptor, file->text.data(), file->text.size());
  ::close(descriptor);
  if (!is_whole || std::rename(file->temporary.c_str(), file->path.c_str()) != 0)
    ::unlink(file->temporary.c_str());
}

int run_guarded(const std::function<void()>& foreign) {
  sigjmp_buf here;
  sigjmp_buf* const outer = way_out;
  const int signal = sigsetjmp(here, 0);
  if (signal == 0) {
    way_out = &here;
    try {
      foreign();
    } catch (...) {
      way_out = outer;
      throw;
    }
  }
  way_out = outer;
  return signal;
}

}  // namespace solidyn::base
