#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <vector>

#include "scratch_folder.h"
#include "solidyn/base/hdf5.h"

namespace solidyn::base {
namespace {

// The system refuses to write beyond the limit, as on a full disk it does beyond the room.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &now);
  }
  ~SizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

const std::vector<double> kValues(2000, 1.5);
constexpr int kGroups = 20;

void write(const std::string& path) {
  H5File file = create_hdf5(path);
  for (int i = 0; i < kGroups; ++i) {
    const H5Group group = create_group(file, "group " + std::to_string(i));
    write_dataset(group, "values", kValues);
    write_attribute(group, "number", 1.0);
  }
  file.close();
}

// Without our driver HDF5 crashes at the program's end, or closes a file that lacks a dataset.
TEST(Hdf5OnAFullDisk, IsToldWhereverItHappensAndLeavesNoFile) {
  const test::ScratchFolder folder;
  const std::string path = folder / "file.h5";
  write(path);
  const auto size = static_cast<double>(std::filesystem::file_size(path));
  for (const double share :
       {0.0005, 0.003, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 0.99, 0.999, 0.9999}) {
    std::filesystem::remove(path);
    const SizeLimit limit(static_cast<rlim_t>(share * size));
    try {
      write(path);
      FAIL() << "no exception at " << share;
    } catch (const Hdf5Error& error) {
      EXPECT_EQ(std::string(error.what()), "cannot write " + path + ": File too large");
    }
    EXPECT_FALSE(std::filesystem::exists(path)) << share;
  }
  write(path);  // and nothing of it is remembered
  const H5File file = open_hdf5(path);
  for (int i = 0; i < kGroups; ++i)
    EXPECT_EQ(read_doubles(file, "group " + std::to_string(i) + "/values"), kValues);
}

}  // namespace
}  // namespace solidyn::base
