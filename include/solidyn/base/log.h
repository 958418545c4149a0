#pragma once
#include <fmt/format.h>
#include <mpi.h>

#include <string>
#include <vector>

namespace solidyn::base {

/// The program's one log: to the terminal, and to a file once `log_to_file` was called. Speaks on
/// rank 0 of PETSC_COMM_WORLD only (on a program without MPI, always); other ranks' calls do
/// nothing.
enum class LogLevel { debug, info, warning, error, off };

void set_log_level(LogLevel level);
/// Also writes to `path`; an empty path closes the file. `append` for a restarted run. The file
/// begins with the program, its process and its command, and with what was logged before there was
/// a file.
void log_to_file(const std::string& path, bool append = false);
void log_message(LogLevel level, const std::string& message);
/// While one exists, the log speaks on rank 0 of `comm` instead, and into a file only: for one of
/// several runs side by side. Warnings that were given before are set aside until its end.
class LogScope {
 public:
  explicit LogScope(MPI_Comm comm);
  LogScope(const LogScope&) = delete;
  LogScope& operator=(const LogScope&) = delete;
  ~LogScope();

 private:
  std::vector<std::string> warnings_before_;
};

/// While one exists, nothing is logged and no warning kept: for what is done once more.
class LogPause {
 public:
  LogPause();
  LogPause(const LogPause&) = delete;
  LogPause& operator=(const LogPause&) = delete;
  ~LogPause();
};

/// False when the terminal shows no progress: with a level above `info`, or in a LogScope.
bool terminal_shows_info();

/// Warnings given since start or the last clear, for summary.json.
const std::vector<std::string>& logged_warnings();
void clear_logged_warnings();

template <class... Args>
void log_info(fmt::format_string<Args...> text, Args&&... args) {
  log_message(LogLevel::info, fmt::format(text, std::forward<Args>(args)...));
}
template <class... Args>
void log_warning(fmt::format_string<Args...> text, Args&&... args) {
  log_message(LogLevel::warning, fmt::format(text, std::forward<Args>(args)...));
}
template <class... Args>
void log_debug(fmt::format_string<Args...> text, Args&&... args) {
  log_message(LogLevel::debug, fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace solidyn::base
