#include "solidyn/formats/fclib/friction_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <vector>

#include "solidyn/base/error.h"
#include "solidyn/base/hdf5.h"

namespace solidyn::formats {
namespace {

using base::InputError;
using Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double>;

/// What FCLIB's integer `nz` says of a matrix; a number of entries, zero or more, means triplets.
constexpr std::int64_t kCompressedColumns = -1, kCompressedRows = -2;

class FclibReader {
 public:
  explicit FclibReader(const std::string& path) : path_(path), file_(base::open_hdf5(path)) {}

  FclibProblem read() {
    FclibProblem problem;
    problem.is_global = base::contains(file_, "fclib_global");
    if (!problem.is_global && !base::contains(file_, "fclib_local"))
      fail("has no group `fclib_local` or `fclib_global`",
           "give a friction-contact problem in FCLIB's format");
    group_ = problem.is_global ? "fclib_global" : "fclib_local";
    root_ = base::open_group(file_, group_);
    refuse_what_is_not_read();
    problem.mu = vector("vectors/mu");
    if (problem.is_global)
      read_global(problem);
    else
      read_local(problem);
    for (Eigen::Index i = 0; i < problem.mu.size(); ++i)
      if (problem.mu[i] < 0.0)
        fail(fmt::format("gives contact {} the coefficient of friction {:g} (`{}/vectors/mu`)",
                         i + 1, problem.mu[i], group_),
             "a coefficient of friction is zero or more");
    read_forces(problem);
    problem.title = text("info/title");
    problem.description = text("info/description");
    return problem;
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
    throw InputError(fmt::format("{} {}", path_, what), remedy);
  }

  void refuse_what_is_not_read() {
    const std::vector<std::int64_t> dimension = integers(root_, "spacedim");
    if (dimension.size() != 1 || dimension[0] != 3)
      fail(fmt::format("holds a problem in {} dimensions (`{}/spacedim`)",
                       dimension.empty() ? 0 : dimension[0], group_),
           "problems in the plane are not read; give one with three rows per contact");
    for (const char* name : {"G", "V", "R"})
      if (base::contains(root_, name))
        fail(fmt::format("has bilateral constraints (`{}/{}`)", group_, name),
             "eliminate them: only contacts are read");
  }

  void read_local(FclibProblem& problem) {
    const Eigen::Index n = 3 * problem.mu.size();
    problem.W = matrix("W", n, n);
    problem.q = vector("vectors/q", n);
  }

  void read_global(FclibProblem& problem) {
    const Eigen::Index n = 3 * problem.mu.size();
    problem.f = vector("vectors/f");
    problem.w = vector("vectors/w", n);
    problem.M = matrix("M", problem.f.size(), problem.f.size());
    problem.H = matrix("H", problem.f.size(), n);
  }

  void read_forces(FclibProblem& problem) {
    const Eigen::Index n = 3 * problem.mu.size();
    for (const char* name : {"solution/r", "guesses/1/r"}) {
      if (problem.r.size() > 0 || !exists(name)) continue;
      const VectorXd r = to_vector(doubles(file_, name), name);
      if (r.size() == n && r.norm() > 0.0) problem.r = r;
    }
  }

  /// H5Lexists asks for one step of a path at a time.
  bool exists(const std::string& name) const {
    for (std::size_t end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1))
      if (!base::contains(file_, name.substr(0, end))) return false;
    return base::contains(file_, name);
  }

  std::vector<double> doubles(hid_t at, const std::string& name) const {
    try {
      return base::read_doubles(at, name);
    } catch (const base::Hdf5Error& error) {
      fail(fmt::format("cannot be read: {}", error.what()), "is it a whole file of FCLIB?");
    }
  }

  std::vector<std::int64_t> integers(hid_t at, const std::string& name) const {
    try {
      return base::read_integers(at, name);
    } catch (const base::Hdf5Error& error) {
      fail(fmt::format("cannot be read: {}", error.what()), "is it a whole file of FCLIB?");
    }
  }

  std::string text(const std::string& name) const {
    try {
      return base::contains(root_, "info") ? base::read_string(root_, name) : std::string();
    } catch (const base::Hdf5Error&) {
      return {};  // only for people
    }
  }

  VectorXd to_vector(const std::vector<double>& values, const std::string& name) const {
    VectorXd vector =
        Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
    if (!vector.allFinite())
      fail(fmt::format("has a number that is not finite in `{}`", name),
           "the program that wrote it has failed before");
    return vector;
  }

  VectorXd vector(const std::string& name, Eigen::Index size = -1) const {
    VectorXd values = to_vector(doubles(root_, name), group_ + "/" + name);
    if (size >= 0 && values.size() != size)
      fail(fmt::format("has {} numbers in `{}/{}`, where {} belong", values.size(), group_, name,
                       size),
           "three rows for each number in `vectors/mu`");
    return values;
  }

  SparseMatrix matrix(const std::string& name, Eigen::Index rows, Eigen::Index cols) {
    const base::H5Group group = open_matrix(name);
    const auto one = [&](const char* key) {
      const std::vector<std::int64_t> values = integers(group, key);
      if (values.size() != 1)
        fail(fmt::format("has {} numbers in `{}/{}/{}`, not one", values.size(), group_, name, key),
             "is it a whole file of FCLIB?");
      return values[0];
    };
    if (one("m") != rows || one("n") != cols)
      fail(fmt::format("has a matrix `{}/{}` of {} x {}, where {} x {} belongs", group_, name,
                       one("m"), one("n"), rows, cols),
           "three rows for each number in `vectors/mu`");
    const std::vector<double> x = doubles(group, "x");
    to_vector(x, group_ + "/" + name + "/x");
    const std::vector<std::int64_t> p = integers(group, "p"), i = integers(group, "i");
    std::vector<Eigen::Triplet<double>> entries;
    const std::int64_t nz = one("nz");
    const auto add = [&](std::int64_t row, std::int64_t col, double value) {
      if (row < 0 || col < 0 || row >= rows || col >= cols)
        fail(fmt::format("has an entry in row {}, column {} of `{}/{}`, which is {} x {}", row, col,
                         group_, name, rows, cols),
             "rows and columns count from zero");
      entries.emplace_back(static_cast<int>(row), static_cast<int>(col), value);
    };
    if (nz >= 0) {
      require_entries(name, nz, {x.size(), p.size(), i.size()});
      for (std::int64_t k = 0; k < nz; ++k) add(i[k], p[k], x[k]);
    } else {
      if (nz != kCompressedColumns && nz != kCompressedRows)
        fail(fmt::format("has the number {} in `{}/{}/nz`", nz, group_, name),
             "zero or more means triplets, -1 compressed columns, -2 compressed rows");
      const Eigen::Index outer = nz == kCompressedColumns ? cols : rows;
      refuse_starts(name, p, outer);
      require_entries(name, p.back(), {x.size(), i.size()});
      for (Eigen::Index a = 0; a < outer; ++a)
        for (std::int64_t k = p[a]; k < p[a + 1]; ++k)
          nz == kCompressedColumns ? add(i[k], a, x[k]) : add(a, i[k], x[k]);
    }
    SparseMatrix matrix(rows, cols);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
  }

  base::H5Group open_matrix(const std::string& name) const {
    if (!base::contains(root_, name))
      fail(fmt::format("has no matrix `{}/{}`", group_, name), "is it a whole file of FCLIB?");
    return base::open_group(root_, name);
  }

  void require_entries(const std::string& name, std::int64_t n,
                       std::initializer_list<std::size_t> sizes) const {
    for (const std::size_t size : sizes)
      if (size < static_cast<std::size_t>(n))
        fail(fmt::format("has {} entries in `{}/{}`, of which {} are there", n, group_, name, size),
             "the file was cut off");
  }

  void refuse_starts(const std::string& name, const std::vector<std::int64_t>& p,
                     Eigen::Index outer) const {
    const bool is_complete = static_cast<Eigen::Index>(p.size()) == outer + 1;
    if (!is_complete || p[0] != 0 || !std::is_sorted(p.begin(), p.end()))
      fail(fmt::format("has no ascending {} places in `{}/{}/p`", outer + 1, group_, name),
           "compressed columns and rows begin at p[0] = 0 and end at their number of entries");
  }

  const std::string path_;
  base::H5File file_;
  std::string group_;
  base::H5Group root_;
};

void write_integer(hid_t at, const char* name, std::int64_t value) {
  base::write_dataset(at, name, &value, {1});
}

/// As compressed rows, as most files of FCLIB's collection have it.
void write_matrix(hid_t at, const char* name, const SparseMatrix& columns) {
  const Eigen::SparseMatrix<double, Eigen::RowMajor> rows = columns;
  const base::H5Group group = base::create_group(at, name);
  const std::int64_t n = rows.nonZeros();
  write_integer(group, "nzmax", n);
  write_integer(group, "m", rows.rows());
  write_integer(group, "n", rows.cols());
  write_integer(group, "nz", kCompressedRows);
  base::write_dataset(
      group, "p",
      std::vector<std::int64_t>(rows.outerIndexPtr(), rows.outerIndexPtr() + rows.rows() + 1));
  base::write_dataset(group, "i",
                      std::vector<std::int64_t>(rows.innerIndexPtr(), rows.innerIndexPtr() + n));
  base::write_dataset(group, "x", std::vector<double>(rows.valuePtr(), rows.valuePtr() + n));
}

}  // namespace

FclibProblem read_fclib(const std::string& path) {
  FclibReader reader(path);
  try {
    return reader.read();
  } catch (const base::Hdf5Error& error) {
    throw InputError(fmt::format("{} cannot be read: {}", path, error.what()),
                     "is it a whole file of FCLIB?");
  }
}

void write_fclib(const std::string& path, const FclibProblem& problem) {
  base::H5File file = base::create_hdf5(path);
  const base::H5Group root =
      base::create_group(file, problem.is_global ? "fclib_global" : "fclib_local");
  write_integer(root, "spacedim", 3);
  const base::H5Group vectors = base::create_group(root, "vectors");
  base::write_dataset(vectors, "mu", problem.mu);
  if (problem.is_global) {
    write_matrix(root, "M", problem.M);
    write_matrix(root, "H", problem.H);
    base::write_dataset(vectors, "f", problem.f);
    base::write_dataset(vectors, "w", problem.w);
  } else {
    write_matrix(root, "W", problem.W);
    base::write_dataset(vectors, "q", problem.q);
  }
  const base::H5Group info = base::create_group(root, "info");
  base::write_dataset(info, "title", problem.title);
  base::write_dataset(info, "description", problem.description);
  base::write_dataset(info, "math_info", std::string());
  if (problem.r.size() > 0) {
    const base::H5Group solution = base::create_group(file, "solution");
    base::write_dataset(solution, "r", problem.r);
  }
  file.close();
}

}  // namespace solidyn::formats
