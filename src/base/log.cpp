#include "solidyn/base/log.h"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <utility>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"

namespace solidyn::base {
namespace {

// More than a run logs before its folder exists; a program without a folder must not collect them
// indefinitely.
constexpr std::size_t kMostBeforeFile = 10000;

struct Entry {
  spdlog::log_clock::time_point when;
  spdlog::level::level_enum level;
  std::string text;
};

struct Log {
  std::shared_ptr<spdlog::sinks::stderr_color_sink_mt> terminal =
      std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
  std::shared_ptr<spdlog::logger> logger = std::make_shared<spdlog::logger>("solidyn", terminal);
  std::vector<std::string> warnings;
  std::vector<Entry> before_file;  // what was logged before there was a file
  MPI_Comm comm = MPI_COMM_NULL;   // of a LogScope
  int n_pauses = 0;
  Log() {
    terminal->set_pattern("%^%l%$: %v");
    logger->set_level(spdlog::level::info);
    logger->flush_on(spdlog::level::info);
  }
};

Log& the_log() {
  static Log log;
  return log;
}

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::error:
      return spdlog::level::err;
    case LogLevel::off:
      return spdlog::level::off;
  }
  return spdlog::level::info;
}

// The command that began the process; blanks lie between its words.
std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string words((std::istreambuf_iterator<char>(file)), {});
  if (!words.empty()) words.pop_back();
  std::replace(words.begin(), words.end(), '\0', ' ');
  return words;
}

std::string first_line() {
  char host[256] = {};
  ::gethostname(host, sizeof host - 1);
  const int n_ranks = petsc_is_running() ? size(PETSC_COMM_WORLD) : 1;
  return fmt::format("solidyn {}, process {} of machine `{}`, {} rank{}: {}", SOLIDYN_VERSION,
                     ::getpid(), host, n_ranks, n_ranks == 1 ? "" : "s", command_line());
}

void write_entry(spdlog::sinks::sink& sink, const Entry& entry) {
  if (the_log().logger->should_log(entry.level))
    sink.log(spdlog::details::log_msg(entry.when, {}, "solidyn", entry.level, entry.text));
}

bool speaks() {
  if (!petsc_is_running()) return true;
  const MPI_Comm comm = the_log().comm;
  return rank(comm == MPI_COMM_NULL ? PETSC_COMM_WORLD : comm) == 0;
}

}  // namespace

void set_log_level(LogLevel level) { the_log().logger->set_level(to_spdlog(level)); }

void log_to_file(const std::string& path, bool append) {
  if (!speaks()) return;
  auto& sinks = the_log().logger->sinks();
  sinks.resize(1);
  if (path.empty()) return;
  auto file = std::make_shared<spdlog::sinks::basic_file_sink_mt>(path, !append);
  file->set_pattern("%Y-%m-%d %H:%M:%S %l: %v");
  const std::vector<Entry> before = std::exchange(the_log().before_file, {});
  const auto began = before.empty() ? spdlog::log_clock::now() : before.front().when;
  write_entry(*file, {began, spdlog::level::info, first_line()});
  for (const Entry& entry : before) write_entry(*file, entry);
  file->flush();
  sinks.push_back(file);
}

LogPause::LogPause() { ++the_log().n_pauses; }
LogPause::~LogPause() { --the_log().n_pauses; }

void log_message(LogLevel level, const std::string& message) {
  if (the_log().n_pauses > 0) return;
  if (level == LogLevel::warning) the_log().warnings.push_back(message);
  if (!speaks()) return;
  Log& log = the_log();
  if (log.logger->sinks().size() == 1 && log.before_file.size() < kMostBeforeFile)
    log.before_file.push_back({spdlog::log_clock::now(), to_spdlog(level), message});
  log.logger->log(to_spdlog(level), message);
}

LogScope::LogScope(MPI_Comm comm) : warnings_before_(std::move(the_log().warnings)) {
  SOLIDYN_ASSERT(the_log().comm == MPI_COMM_NULL);
  the_log().warnings.clear();
  the_log().before_file.clear();
  the_log().comm = comm;
  the_log().terminal->set_level(spdlog::level::off);
}

LogScope::~LogScope() {
  the_log().logger->sinks().resize(1);
  the_log().comm = MPI_COMM_NULL;
  the_log().terminal->set_level(spdlog::level::trace);
  the_log().warnings = std::move(warnings_before_);
}

bool terminal_shows_info() {
  return the_log().logger->should_log(spdlog::level::info) &&
         the_log().terminal->should_log(spdlog::level::info);
}

const std::vector<std::string>& logged_warnings() { return the_log().warnings; }
void clear_logged_warnings() { the_log().warnings.clear(); }

}  // namespace solidyn::base
