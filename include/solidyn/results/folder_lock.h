#pragma once
#include <string>

namespace solidyn::results {

/// Before hours of work that would have no place. Writes nothing.
/// @throws base::InputError as FolderLock
void refuse_folder_in_use(const std::string& folder);

/// Whether a process writes into it now, as far as can be seen from here. Does not wait: for those
/// who only read.
bool is_folder_in_use(const std::string& folder);

/// A folder that one run, or one sweep, writes into, and no other at the same time. The file
/// `.solidyn_lock` in it names the process that does, and goes when that is done. Of a process that
/// has died on this machine the file is taken over; whether one on another machine still lives
/// cannot be seen from here.
/// Proved by tests/unit/results/folder_lock_test.cpp. Local: one rank holds it for all.
class FolderLock {
 public:
  /// @throws base::InputError when another process writes into `folder`: which, and what to do
  explicit FolderLock(const std::string& folder);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

  /// The process that died while it held the folder, "process 4711 of machine `a`"; empty when none
  /// did.
  const std::string& taken_over_from() const { return taken_over_from_; }

 private:
  std::string path_, taken_over_from_;
  int file_ = -1;
};

}  // namespace solidyn::results
