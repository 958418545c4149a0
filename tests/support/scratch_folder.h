#pragma once
#include <gtest/gtest.h>
#include <mpi.h>

#include <filesystem>
#include <string>

namespace solidyn::test {

/// An empty folder for the files of the running test, the same on all ranks; gone with this object.
class ScratchFolder {
 public:
  explicit ScratchFolder(MPI_Comm comm = MPI_COMM_WORLD) : comm_(comm) {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    int rank = 0, size = 1;
    MPI_Comm_rank(comm_, &rank);
    MPI_Comm_size(comm_, &size);
    std::string name = std::string(info->test_suite_name()) + "." + info->name();
    for (char& c : name) c = c == '/' ? '_' : c;  // parameterised tests
    path_ = std::string(SOLIDYN_BINARY_DIR) + "/scratch/" + name + ".np" + std::to_string(size);
    is_first_ = rank == 0;
    if (is_first_) {
      std::filesystem::remove_all(path_);
      std::filesystem::create_directories(path_);
    }
    MPI_Barrier(comm_);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    MPI_Barrier(comm_);
    if (is_first_) std::filesystem::remove_all(path_);
  }
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  MPI_Comm comm_;
  bool is_first_ = false;
  std::string path_;
};

}  // namespace solidyn::test
