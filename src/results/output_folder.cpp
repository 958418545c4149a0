#include "solidyn/results/output_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/shared_file.h"
#include "solidyn/base/atomic_file.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/results/folder_lock.h"
#include "solidyn/results/matrix_files.h"
#include "solidyn/results/summary.h"

namespace solidyn::results {
namespace {

namespace fs = std::filesystem;
using base::InputError;

bool is_summary_of_solidyn(const std::string& path) {
  std::ifstream file(path);
  const auto json = nlohmann::json::parse(file, nullptr, false);
  return json.is_object() && json.contains("solidyn");
}

}  // namespace

std::string report_in(const std::string& folder) { return folder + "/report.html"; }

std::string irregularities_in(const std::string& folder) { return folder + "/irregularities.csv"; }

bool is_report(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  std::string start(sizeof kReportStart - 1, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return start == kReportStart;
}

void create_output_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error || !fs::is_directory(path))
    throw InputError(fmt::format("cannot create the output folder {}: {}", path,
                                 error ? error.message() : "a file of that name exists"),
                     "choose another one with -o");
  if (::access(path.c_str(), W_OK | X_OK) != 0)
    throw InputError(
        fmt::format("cannot write into the output folder {}: {}", path, std::strerror(errno)),
        "check its permissions, or choose another one with -o");
}

std::vector<std::string> ResultNames::files() const {
  return {history(),        drives(),
          events(),         statics(),
          fields_xdmf(),    fields_h5(),
          motion(),         report(),
          modes(),          modes_xdmf(),
          modes_h5(),       modes_motion(),
          irregularities(), log(),
          checkpoint(),     frequency_response(),
          state_space_h5(), unsolved_contacts(),
          summary()};
}

bool is_removed_by_start(const std::string& folder, const fs::path& file) {
  const ResultNames names(folder);
  std::error_code error;  // what cannot be looked at is not there
  for (const std::string& ours : names.files())
    if (fs::equivalent(file, ours, error)) return true;
  const std::string matrices = fs::path(names.state_space()).filename();
  for (fs::path p = fs::weakly_canonical(file, error); p.has_relative_path(); p = p.parent_path())
    if (p.filename().string().rfind(matrices, 0) == 0 && fs::is_directory(p, error) &&
        fs::equivalent(p.parent_path(), folder, error))
      return true;
  return false;
}

OutputFolder::OutputFolder(MPI_Comm comm, std::string folder, FolderUse use)
    : ResultNames(std::move(folder)) {
  if (base::size(comm) > 1) base::load_shared_files();
  base::run_together(comm, [&] {
    if (base::rank(comm) != 0) return;
    use == FolderUse::start ? start() : resume();
    base::log_to_file(log(), use == FolderUse::resume);
    if (!lock_->taken_over_from().empty())
      base::log_info("{} was left by a run that crashed, {}: it is reused", path(),
                     lock_->taken_over_from());
  });
}

OutputFolder::OutputFolder(OutputFolder&&) noexcept = default;
OutputFolder::~OutputFolder() = default;

void require_checkpoint(const std::string& folder) {
  const std::string checkpoint = folder + "/checkpoint.h5";
  if (!fs::exists(checkpoint))
    throw InputError(
        fmt::format("{} does not exist: there is no run to continue{}", checkpoint,
                    is_summary_of_solidyn(folder + "/summary.json")
                        ? "; the run in this folder ended before its first checkpoint"
                        : ""),
        "give the folder of the interrupted run, or start a new run; its first checkpoint is written after 5 s, or after `output.checkpoint_interval` if that is shorter");
}

void OutputFolder::lock() { lock_ = std::make_unique<FolderLock>(path()); }

void OutputFolder::start() {
  create_output_folder(path());
  lock();
  const std::vector<std::string> ours = files();
  const bool held_a_run = is_summary_of_solidyn(summary());
  for (const std::string& file : ours) {
    if (!held_a_run && fs::exists(file))
      throw InputError(fmt::format("{} exists and was not written by Solidyn", file),
                       "move it away, or choose another output folder with -o");
  }
  if (fs::exists(report()) && !is_report(report()))
    throw InputError(fmt::format("{} exists and is no report of Solidyn", report()),
                     "move it away, or choose another output folder with -o");
  for (const std::string& file : ours) {
    fs::remove(base::temporary_name(file));
    fs::remove(file);
  }
  if (held_a_run) remove_numbered_folders(state_space());
  base::write_atomically(summary(), to_json({}));
}

void OutputFolder::resume() {
  require_checkpoint(path());
  create_output_folder(path());
  lock();
}

}  // namespace solidyn::results
