#include "solidyn/results/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

#include "solidyn/base/error.h"

namespace solidyn::results {
namespace {

using base::InputError;

constexpr const char* kFirstWords = "solidyn writes here:";

// Where and which a process is. Numbers of processes mean something within a machine's start and a
// container only; a number is used again, so that its time of start belongs to it.
struct Owner {
  std::string host, start_of_machine, space;
  long process = 0;
  std::string start;

  std::string described() const { return fmt::format("process {} of machine `{}`", process, host); }
};

std::string host_name() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  return name;
}

std::string start_of(long process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string text, word;
  std::getline(file, text);
  const std::size_t behind_name = text.rfind(')');  // a name may hold blanks
  if (behind_name == std::string::npos) return "-";
  std::istringstream fields(text.substr(behind_name + 1));
  for (int i = 3; i <= 22; ++i) fields >> word;  // proc(5): field 22
  return word.empty() ? "-" : word;
}

std::string start_of_machine() {
  std::string id = "-";
  std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
  return id;
}

std::string space_of_processes() {
  char space[64] = {};
  return ::readlink("/proc/self/ns/pid", space, sizeof space - 1) > 0 ? space : "-";
}

Owner this_process() {
  return {host_name(), start_of_machine(), space_of_processes(), ::getpid(), start_of(::getpid())};
}

std::string to_text(const Owner& owner) {
  return fmt::format("{} {} {} {} {} {}\n", kFirstWords, owner.process, owner.host, owner.start,
                     owner.start_of_machine, owner.space);
}

std::optional<Owner> read_owner(int file) {
  char bytes[1024] = {};
  if (::pread(file, bytes, sizeof bytes - 1, 0) <= 0) return std::nullopt;
  const std::string text = bytes;
  if (text.rfind(kFirstWords, 0) != 0) return std::nullopt;
  Owner owner;
  std::istringstream words(text.substr(std::strlen(kFirstWords)));
  words >> owner.process >> owner.host >> owner.start >> owner.start_of_machine >> owner.space;
  return words.fail() ? std::nullopt : std::optional(owner);
}

enum class Life { lives, died, unknown };
// What the system says of the lock: file systems may have none.
enum class Lock { ours, held, not_there };

Life life_of(const Owner& owner, Lock lock) {
  if (lock == Lock::held) return Life::lives;
  const Owner own = this_process();
  if (owner.start_of_machine != own.start_of_machine)
    return owner.host == own.host ? Life::died : Life::unknown;
  // The system gives a lock up with the process that held it, also where that was killed.
  if (lock == Lock::ours) return Life::died;
  if (owner.space != own.space) return Life::unknown;
  const bool exists = ::kill(static_cast<pid_t>(owner.process), 0) == 0 || errno == EPERM;
  return exists && start_of(owner.process) == owner.start ? Life::lives : Life::died;
}

// A run that was killed a moment ago may still be on its way out.
Lock try_to_lock(int file, int n_trials = 60) {
  constexpr useconds_t kMicroseconds = 50000;
  for (int i = 0; i < n_trials; ++i) {
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) return Lock::ours;
    if (errno != EWOULDBLOCK) return Lock::not_there;
    if (i + 1 < n_trials) ::usleep(kMicroseconds);
  }
  return Lock::held;
}

[[noreturn]] void refuse(const std::string& folder, const std::string& path,
                         const std::optional<Owner>& owner, Lock lock) {
  if (!owner)
    throw InputError(fmt::format("another run is starting in {}", folder),
                     "choose another folder with -o; or, if no run is active, remove " + path);
  if (life_of(*owner, lock) == Life::lives)
    throw InputError(
        fmt::format("{} is being written by another run, {}", folder, owner->described()),
        "wait until it ends, or choose another folder with -o");
  throw InputError(
      fmt::format(
          "{} is being written by another run, {}, or that run crashed: its process cannot be checked from machine `{}`",
          folder, owner->described(), host_name()),
      fmt::format("choose another folder with -o; or, when that run has ended, remove {}", path));
}

bool is_held(const std::optional<Owner>& owner, Lock lock) {
  return lock == Lock::held || (owner && life_of(*owner, lock) != Life::died);
}

// Still the file of that name? Its owner may have removed it between our opening and locking.
bool is_current(int file, const std::string& path) {
  struct stat opened {
  }, named{};
  return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

void write_owner(int file, const std::string& path) {
  const std::string text = to_text(this_process());
  if (::ftruncate(file, 0) != 0 ||
      ::pwrite(file, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
    const std::string reason = std::strerror(errno);
    ::unlink(path.c_str());
    ::close(file);
    throw InputError(fmt::format("cannot write {}: {}", path, reason),
                     "free disk space, or choose another folder with -o");
  }
}

std::string lock_file(const std::string& folder) { return folder + "/.solidyn_lock"; }

}  // namespace

void refuse_folder_in_use(const std::string& folder) {
  const std::string path = lock_file(folder);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  const Lock lock = try_to_lock(file);
  const std::optional<Owner> owner = read_owner(file);
  ::close(file);
  if (is_held(owner, lock)) refuse(folder, path, owner, lock);
}

bool is_folder_in_use(const std::string& folder) {
  const int file = ::open(lock_file(folder).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const Lock lock = try_to_lock(file, 1);
  const std::optional<Owner> owner = read_owner(file);
  ::close(file);
  return is_held(owner, lock);
}

FolderLock::FolderLock(const std::string& folder) : path_(lock_file(folder)) {
  for (;;) {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0)
      throw InputError(fmt::format("cannot write {}: {}", path_, std::strerror(errno)),
                       "check the folder's permissions, or choose another one with -o");
    const Lock lock = try_to_lock(file_);
    const std::optional<Owner> owner = read_owner(file_);
    if (is_held(owner, lock)) {
      ::close(file_);
      refuse(folder, path_, owner, lock);
    }
    if (is_current(file_, path_)) {
      if (owner) taken_over_from_ = owner->described();
      write_owner(file_, path_);
      return;
    }
    ::close(file_);
  }
}

FolderLock::~FolderLock() {
  ::unlink(path_.c_str());
  ::close(file_);
}

}  // namespace solidyn::results
