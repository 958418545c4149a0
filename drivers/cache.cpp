// solidyn cache: where reduced bodies are kept, how much room they take; --clear removes them.
//
//   solidyn cache
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <vector>

#include "command.h"
#include "solidyn/base/error.h"
#include "solidyn/model/build.h"

namespace solidyn::drivers {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

/// Of files that other programs may have put there nothing is touched: ours are 64 digits and
/// `.sbody`, and what a killed process left of one, `.sbody.tmp ...`.
bool is_of_cache(const std::string& name) {
  const std::size_t n_digits = name.find_first_not_of("0123456789abcdef");
  return n_digits == 64 &&
         (name.substr(n_digits) == ".sbody" || name.compare(n_digits, 10, ".sbody.tmp") == 0);
}

struct CacheFile {
  fs::path path;
  std::uintmax_t size;
  fs::file_time_type written;
};

std::vector<CacheFile> files_in(const fs::path& folder) {
  std::vector<CacheFile> files;
  std::error_code gone;  // another process may clear it at the same time
  for (fs::directory_iterator i(folder, gone), end; !gone && i != end; i.increment(gone)) {
    if (!is_of_cache(i->path().filename().string())) continue;
    const CacheFile file{i->path(), i->file_size(gone), i->last_write_time(gone)};
    if (!gone) files.push_back(file);
    gone.clear();
  }
  return files;
}

double days_since(fs::file_time_type time) {
  using Days = std::chrono::duration<double, std::ratio<86400>>;
  return Days(fs::file_time_type::clock::now() - time).count();
}

void show(const std::string& folder, const std::vector<CacheFile>& files) {
  std::uintmax_t size = 0;
  double oldest = 0.0;
  for (const CacheFile& file : files) {
    size += file.size;
    oldest = std::max(oldest, days_since(file.written));
  }
  std::cout << fmt::format("folder     {}\nbodies     {}\nsize       {:.3g} MB\n", folder,
                           files.size(), 1e-6 * static_cast<double>(size));
  if (!files.empty()) std::cout << fmt::format("oldest     {:.0f} days\n", oldest);
}

void clear(const std::string& folder, const std::vector<CacheFile>& files, double older_than) {
  std::size_t n = 0;
  std::uintmax_t size = 0;
  for (const CacheFile& file : files) {
    if (days_since(file.written) < older_than) continue;
    std::error_code error;
    if (fs::remove(file.path, error)) {
      ++n;
      size += file.size;
    }
    if (error)
      throw base::ComputationError(
          fmt::format("cannot remove {}: {}", file.path.string(), error.message()));
  }
  std::cout << fmt::format("removed {} bodies, {:.3g} MB, from {}\n", n,
                           1e-6 * static_cast<double>(size), folder);
}

}  // namespace

int cache_command(const Arguments& arguments) {
  Options options(
      "solidyn cache [--clear [--older-than DAYS]]",
      "Shows the folder, the number and the size of cached reduced bodies. SOLIDYN_CACHE sets another folder; an empty value turns the cache off.",
      "solidyn cache");
  options.add()("clear", "remove them; a run recomputes what it needs")(
      "older-than", po::value<double>()->value_name("DAYS"),
      "with --clear: only those older than this");
  if (!options.parse(arguments)) return kDone;
  if (options.has("older-than") && !options.has("clear"))
    throw UsageError("--older-than requires --clear");
  const double days = options.has("older-than") ? options.value<double>("older-than") : 0.0;
  if (!(days >= 0.0)) throw UsageError("--older-than takes a number of days that is not negative");
  const std::string folder = model::default_cache_folder();
  if (folder.empty()) {
    std::cout << "no cache: SOLIDYN_CACHE is empty, or there is no home directory\n";
    return kDone;
  }
  const std::vector<CacheFile> files = files_in(folder);
  if (options.has("clear"))
    clear(folder, files, days);
  else
    show(folder, files);
  return kDone;
}

}  // namespace solidyn::drivers
