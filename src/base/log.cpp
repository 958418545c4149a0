#include "solidyn/base/log.h"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"

namespace solidyn::base {
namespace {

struct Log {
  std::shared_ptr<spdlog::sinks::stderr_color_sink_mt> terminal =
      std::make_shared<spdlog::sinks::stderr_color_sink_mt>();
  std::shared_ptr<spdlog::logger> logger = std::make_shared<spdlog::logger>("solidyn", terminal);
  std::vector<std::string> warnings;
  MPI_Comm comm = MPI_COMM_NULL;  // of a LogScope
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
  sinks.push_back(file);
}

void log_message(LogLevel level, const std::string& message) {
  if (level == LogLevel::warning) the_log().warnings.push_back(message);
  if (speaks()) the_log().logger->log(to_spdlog(level), message);
}

LogScope::LogScope(MPI_Comm comm) : warnings_before_(std::move(the_log().warnings)) {
  SOLIDYN_ASSERT(the_log().comm == MPI_COMM_NULL);
  the_log().warnings.clear();
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
