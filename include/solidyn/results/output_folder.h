#pragma once
#include <mpi.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace solidyn::results {

class FolderLock;

/// Is the run a new one, or does it go on from the folder's checkpoint.h5?
enum class FolderUse { start, resume };

/// With its parents, where it is not there. @throws base::InputError when it cannot be made or
/// written
void create_output_folder(const std::string& path);

/// Local. @throws base::InputError when there is no checkpoint in it to go on from
void require_checkpoint(const std::string& folder);

/// The file of a report in the folder of its run.
std::string report_in(const std::string& folder);
/// How the file of a report begins.
inline constexpr char kReportStart[] = "<!doctype html><!-- solidyn report -->";
/// Whether this is the file of a report: an earlier one may be replaced, and nothing else.
bool is_report(const std::string& path);
std::string irregularities_in(const std::string& folder);

/// The names of a run's results in its folder (a contract, see doc/results.md).
class ResultNames {
 public:
  explicit ResultNames(std::string folder) : path_(std::move(folder)) {}

  const std::string& path() const { return path_; }
  std::string summary() const { return path_ + "/summary.json"; }
  std::string history() const { return path_ + "/history.csv"; }
  std::string drives() const { return path_ + "/drives.csv"; }  ///< of inverse dynamics
  std::string events() const { return path_ + "/events.csv"; }  ///< of set-valued contacts
  /// The contact problem of a step that failed, in FCLIB's format.
  std::string unsolved_contacts() const { return path_ + "/unsolved_contacts.hdf5"; }
  std::string statics() const { return path_ + "/statics.csv"; }  ///< before dynamics
  std::string fields_xdmf() const { return path_ + "/fields.xdmf"; }
  std::string fields_h5() const { return path_ + "/fields.h5"; }
  std::string motion() const { return path_ + "/motion.h5"; }  ///< for reports
  std::string report() const { return report_in(path_); }
  std::string checkpoint() const { return path_ + "/checkpoint.h5"; }
  std::string modes() const { return path_ + "/modes.csv"; }
  std::string modes_xdmf() const { return path_ + "/modes.xdmf"; }
  std::string modes_h5() const { return path_ + "/modes.h5"; }
  std::string modes_motion() const { return path_ + "/modes_motion.h5"; }
  std::string frequency_response() const { return path_ + "/frequency_response.csv"; }
  std::string state_space_h5() const { return path_ + "/state_space.h5"; }
  std::string state_space() const { return path_ + "/state_space"; }  ///< a folder, or _1, _2 ..
  /// Of the track, where the model asks for them.
  std::string irregularities() const { return irregularities_in(path_); }
  std::string log() const { return path_ + "/log.txt"; }

  /// All of these files; summary() is the last, as it identifies the others as Solidyn's.
  std::vector<std::string> files() const;

 private:
  std::string path_;
};

/// Local. Whether a new run in `folder` removes `file`, as a result of an earlier one, or what it
/// is a link to.
bool is_removed_by_start(const std::string& folder, const std::filesystem::path& file);

/// The folder that holds a run's results.
class OutputFolder : public ResultNames {
 public:
  /// Collective. To be called when the model is known to be valid: a wrong input must leave no
  /// trace.
  ///  - start: creates the folder and its parents. An earlier run's files are removed; all other
  ///  files
  ///    stay. A file that has the name of a result but no summary.json of Solidyn beside it is not
  ///    ours to remove: InputError.
  ///  - resume: the folder must hold checkpoint.h5, else InputError.
  ///  - both: no other process may be writing into it, see FolderLock.
  /// Opens log.txt as the log file of the program (after the earlier text on resume).
  OutputFolder(MPI_Comm comm, std::string folder, FolderUse use);
  OutputFolder(OutputFolder&&) noexcept;
  ~OutputFolder();

 private:
  void start();
  void resume();
  void lock();
  std::unique_ptr<FolderLock> lock_;  ///< of rank 0
};

}  // namespace solidyn::results
