#include "base/hdf5_driver.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

namespace solidyn::base {
namespace {

constexpr haddr_t kLargestAddress = (haddr_t{1} << 62) - 1;

std::string& write_failure() {
  static std::string text;
  return text;
}

// HDF5 is C: the file begins with what it keeps itself.
struct DriverFile {
  H5FD_t common{};
  std::string path;
  int descriptor = -1;
  haddr_t end_of_addresses = 0, end_of_file = 0;
  dev_t device{};
  ino_t inode{};
  bool is_new = false, has_failed = false;
};

DriverFile& own(H5FD_t* file) { return *reinterpret_cast<DriverFile*>(file); }
const DriverFile& own(const H5FD_t* file) { return *reinterpret_cast<const DriverFile*>(file); }

// The name that the user knows, of a file that is written beside.
std::string final_name(const std::string& path) {
  const std::size_t name = path.rfind('/') + 1, ending = path.find(".tmp", name);
  return ending > name ? path.substr(0, ending) : path;
}

void note_failure(DriverFile& file) {
  if (file.has_failed) return;
  file.has_failed = true;
  if (write_failure().empty())
    write_failure() = fmt::format("cannot write {}: {}", final_name(file.path), strerror(errno));
}

int flags_of(unsigned mode) {
  int flags = O_CLOEXEC | (mode & H5F_ACC_RDWR ? O_RDWR : O_RDONLY);
  if (mode & H5F_ACC_TRUNC) flags |= O_TRUNC;
  if (mode & H5F_ACC_CREAT) flags |= O_CREAT;
  if (mode & H5F_ACC_EXCL) flags |= O_EXCL;
  return flags;
}

H5FD_t* open_file(const char* name, unsigned mode, hid_t, haddr_t) {
  const int descriptor = ::open(name, flags_of(mode), 0666);
  struct stat found {};
  if (descriptor < 0 || ::fstat(descriptor, &found) != 0) {
    if ((mode & H5F_ACC_CREAT) && write_failure().empty())
      write_failure() = fmt::format("cannot create {}: {}", final_name(name), strerror(errno));
    if (descriptor >= 0) ::close(descriptor);
    return nullptr;
  }
  auto* file = new (std::nothrow) DriverFile;
  if (!file) return nullptr;
  file->path = name;
  file->descriptor = descriptor;
  file->end_of_file = static_cast<haddr_t>(found.st_size);
  file->device = found.st_dev;
  file->inode = found.st_ino;
  file->is_new = (mode & H5F_ACC_CREAT) != 0;
  return &file->common;
}

herr_t close_file(H5FD_t* file) {
  DriverFile& f = own(file);
  if (::close(f.descriptor) != 0) note_failure(f);  // a quota may show only here
  if (f.has_failed && f.is_new) ::unlink(f.path.c_str());
  delete &f;
  return 0;
}

int compare(const H5FD_t* a, const H5FD_t* b) {
  const auto key = [](const DriverFile& f) { return std::make_pair(f.device, f.inode); };
  const auto one = key(own(a)), other = key(own(b));
  return one < other ? -1 : one == other ? 0 : 1;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  if (flags)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t end_of_addresses(const H5FD_t* file, H5FD_mem_t) { return own(file).end_of_addresses; }

herr_t set_end_of_addresses(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  own(file).end_of_addresses = address;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) { return own(file).end_of_file; }

herr_t read_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t n, void* bytes) {
  const DriverFile& f = own(file);
  auto* to = static_cast<char*>(bytes);
  while (n > 0) {
    const ssize_t n_read = ::pread(f.descriptor, to, n, static_cast<off_t>(address));
    if (n_read < 0 && errno == EINTR) continue;
    if (n_read < 0) return -1;
    if (n_read == 0) break;  // behind the end there are zeros
    to += n_read;
    address += static_cast<haddr_t>(n_read);
    n -= static_cast<std::size_t>(n_read);
  }
  std::memset(to, 0, n);
  return 0;
}

herr_t write_bytes(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t n,
                   const void* bytes) {
  DriverFile& f = own(file);
  const auto* from = static_cast<const char*>(bytes);
  const haddr_t end = address + n;
  while (n > 0 && !f.has_failed) {
    const ssize_t n_written = ::pwrite(f.descriptor, from, n, static_cast<off_t>(address));
    if (n_written < 0 && errno == EINTR) continue;
    if (n_written <= 0) {
      note_failure(f);
      break;
    }
    from += n_written;
    address += static_cast<haddr_t>(n_written);
    n -= static_cast<std::size_t>(n_written);
  }
  f.end_of_file = std::max(f.end_of_file, end);
  return 0;
}

herr_t truncate_file(H5FD_t* file, hid_t, hbool_t) {
  DriverFile& f = own(file);
  if (f.end_of_addresses == f.end_of_file) return 0;
  if (!f.has_failed && ::ftruncate(f.descriptor, static_cast<off_t>(f.end_of_addresses)) != 0)
    note_failure(f);
  f.end_of_file = f.end_of_addresses;
  return 0;
}

H5FD_class_t make_class() {
  H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(H5_VFD_RESERVED + 77);  // of no registered driver
#endif
  driver.name = "solidyn";
  driver.maxaddr = kLargestAddress;
  driver.fc_degree = H5F_CLOSE_STRONG;  // what an error left open too
  driver.open = open_file;
  driver.close = close_file;
  driver.cmp = compare;
  driver.query = query;
  driver.get_eoa = end_of_addresses;
  driver.set_eoa = set_end_of_addresses;
  driver.get_eof = end_of_file;
  driver.read = read_bytes;
  driver.write = write_bytes;
  driver.truncate = truncate_file;
  const H5FD_mem_t places[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(places), std::end(places), driver.fl_map);
  return driver;
}

}  // namespace

hid_t reporting_driver() {
  static const H5FD_class_t driver = make_class();
  static const hid_t number = H5FDregister(&driver);
  return number;
}

bool has_write_failed() { return !write_failure().empty(); }

std::string take_write_failure() { return std::exchange(write_failure(), {}); }

}  // namespace solidyn::base
