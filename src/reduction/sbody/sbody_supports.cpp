#include "reduction/sbody/sbody_supports.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

std::string support_group(std::size_t i) { return fmt::format("supports/{}", i); }

std::string rotation_group(const std::string& group, std::int64_t i) {
  return fmt::format("{}/rotation_{}", group, i);
}

void put_points(const std::vector<HeldPoint>& points, const std::string& group, SbodyWriter& file) {
  const auto n = static_cast<Index>(points.size());
  std::vector<std::int64_t> directions;
  MatrixXd places(6, n), rows(3 * n, n > 0 ? points[0].Psi.cols() : 0);
  for (Index k = 0; k < n; ++k) {
    const HeldPoint& point = points[k];
    directions.push_back(point.direction);
    places.col(k) << point.x_B, point.d_B;
    rows.middleRows<3>(3 * k) = point.Psi;
  }
  file.put(group + "/directions", directions);
  file.put(group + "/places_and_directions", places);
  file.put(group + "/Psi", rows);
}

std::vector<HeldPoint> get_points(SbodyReader& file, const std::string& group) {
  const std::vector<std::int64_t> directions = file.integers(group + "/directions");
  const MatrixXd places = file.matrix(group + "/places_and_directions");
  const MatrixXd rows = file.matrix(group + "/Psi");
  const auto n = static_cast<Index>(directions.size());
  if (places.rows() != 6 || places.cols() != n || rows.rows() != 3 * n)
    throw base::Hdf5Error(fmt::format("{} has the wrong shape", group));
  std::vector<HeldPoint> points;
  for (Index k = 0; k < n; ++k)
    points.push_back({places.col(k).head<3>(), places.col(k).tail<3>(),
                      static_cast<int>(directions[k]), rows.middleRows<3>(3 * k)});
  return points;
}

ReducedSupport get_support(SbodyReader& file, const std::string& group) {
  const std::vector<std::string> words = file.strings(group + "/name_digest_and_interfaces");
  if (words.size() < 2) throw base::Hdf5Error(fmt::format("{} has no name", group));
  ReducedSupport support{words[0], words[1], false, {}, {}, {words.begin() + 2, words.end()}};
  const std::vector<std::int64_t> numbers = file.integers(group + "/is_region_and_rotations");
  if (numbers.size() != 2) throw base::Hdf5Error(fmt::format("{} has the wrong shape", group));
  support.is_region = numbers[0] != 0;
  support.points = get_points(file, group);
  for (std::int64_t i = 0; i < numbers[1]; ++i)
    support.rotations.push_back(get_points(file, rotation_group(group, i)));
  return support;
}

}  // namespace

void put_supports(const std::vector<ReducedSupport>& supports, SbodyWriter& file) {
  if (supports.empty()) return;
  file.set_version(kSbodyVersionWithSupports);
  file.group("supports");
  file.put("supports/count", std::vector<std::int64_t>{static_cast<std::int64_t>(supports.size())});
  for (std::size_t i = 0; i < supports.size(); ++i) {
    const ReducedSupport& support = supports[i];
    const auto n_rotations = static_cast<std::int64_t>(support.rotations.size());
    const std::string group = support_group(i);
    file.group(group);
    std::vector<std::string> words{support.name, support.digest};
    words.insert(words.end(), support.interfaces.begin(), support.interfaces.end());
    file.put(group + "/name_digest_and_interfaces", words);
    file.put(group + "/is_region_and_rotations",
             std::vector<std::int64_t>{support.is_region ? 1 : 0, n_rotations});
    put_points(support.points, group, file);
    for (std::int64_t k = 0; k < n_rotations; ++k) {
      file.group(rotation_group(group, k));
      put_points(support.rotations[k], rotation_group(group, k), file);
    }
  }
}

std::vector<ReducedSupport> get_supports(SbodyReader& file) {
  std::vector<ReducedSupport> supports;
  if (!file.has("supports")) return supports;
  const std::int64_t n = file.integers("supports/count").at(0);
  for (std::int64_t i = 0; i < n; ++i)
    supports.push_back(get_support(file, support_group(static_cast<std::size_t>(i))));
  return supports;
}

}  // namespace solidyn::reduction
