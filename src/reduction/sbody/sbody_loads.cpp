#include "reduction/sbody/sbody_loads.h"

namespace solidyn::reduction {
namespace {

using Eigen::MatrixXd;
using Kind = LoadDefinition::Kind;

std::string load_group(std::size_t i) { return fmt::format("loads/{}", i); }

MatrixXd shaped(const MatrixXd& m, const std::string& name, Eigen::Index rows, Eigen::Index cols) {
  if (m.rows() != rows || m.cols() != cols)
    throw base::Hdf5Error(fmt::format("{} has the wrong shape", name));
  return m;
}

LoadRows get_load(SbodyReader& file, const std::string& group) {
  LoadRows load;
  const std::vector<std::string> words = file.strings(group + "/name_and_digest");
  if (words.size() != 2) throw base::Hdf5Error(fmt::format("{} has no name", group));
  load.name = words[0];
  load.digest = words[1];
  const std::int64_t kind = file.integers(group + "/kind").at(0);
  if (kind < 0 || kind > static_cast<int>(Kind::pressure))
    throw base::Hdf5Error(fmt::format("{} is of an unknown kind", group));
  load.kind = static_cast<Kind>(kind);
  load.amount = shaped(file.matrix(group + "/amount"), group, 1, 1)(0, 0);
  const MatrixXd vectors = shaped(file.matrix(group + "/point_force_moment"), group, 3, 3);
  load.x_B = vectors.col(0);
  load.force = vectors.col(1);
  load.moment = vectors.col(2);
  load.rows = file.matrix(group + "/rows");
  load.Y = file.matrix(group + "/Y");
  if (load.rows.rows() != (load.kind == Kind::pressure ? 4 : 3))
    throw base::Hdf5Error(fmt::format("{} has the wrong shape", group));
  return load;
}

}  // namespace

void put_loads(const std::vector<LoadRows>& loads, SbodyWriter& file) {
  if (loads.empty()) return;
  file.set_version(kSbodyVersionWithLoads);
  file.group("loads");
  file.put("loads/count", std::vector<std::int64_t>{static_cast<std::int64_t>(loads.size())});
  for (std::size_t i = 0; i < loads.size(); ++i) {
    const LoadRows& load = loads[i];
    const std::string group = load_group(i);
    file.group(group);
    file.put(group + "/name_and_digest", std::vector<std::string>{load.name, load.digest});
    file.put(group + "/kind", std::vector<std::int64_t>{static_cast<int>(load.kind)});
    file.put(group + "/amount", MatrixXd::Constant(1, 1, load.amount));
    MatrixXd vectors(3, 3);
    vectors << load.x_B, load.force, load.moment;
    file.put(group + "/point_force_moment", vectors);
    file.put(group + "/rows", load.rows);
    file.put(group + "/Y", load.Y);
  }
}

std::vector<LoadRows> get_loads(SbodyReader& file) {
  std::vector<LoadRows> loads;
  if (!file.has("loads")) return loads;
  const std::int64_t n = file.integers("loads/count").at(0);
  for (std::int64_t i = 0; i < n; ++i)
    loads.push_back(get_load(file, load_group(static_cast<std::size_t>(i))));
  return loads;
}

}  // namespace solidyn::reduction
