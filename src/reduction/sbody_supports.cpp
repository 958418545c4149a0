#include "sbody_supports.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

std::string support_group(std::size_t i) { return fmt::format("supports/{}", i); }

ReducedSupport get_support(SbodyReader& file, const std::string& group) {
  const std::vector<std::string> words = file.strings(group + "/name_and_digest");
  if (words.size() != 2) throw base::Hdf5Error(fmt::format("{} has no name", group));
  ReducedSupport support{words[0], words[1], false, {}};
  const std::vector<std::int64_t> numbers = file.integers(group + "/is_region_and_directions");
  const MatrixXd places = file.matrix(group + "/places_and_directions");
  const MatrixXd rows = file.matrix(group + "/Psi");
  const Index n = static_cast<Index>(numbers.size()) - 1;
  if (n < 0 || places.rows() != 6 || places.cols() != n || rows.rows() != 3 * n)
    throw base::Hdf5Error(fmt::format("{} has the wrong shape", group));
  support.is_region = numbers[0] != 0;
  for (Index k = 0; k < n; ++k)
    support.points.push_back({places.col(k).head<3>(), places.col(k).tail<3>(),
                              static_cast<int>(numbers[k + 1]), rows.middleRows<3>(3 * k)});
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
    const auto n = static_cast<Index>(support.points.size());
    const std::string group = support_group(i);
    std::vector<std::int64_t> numbers{support.is_region ? 1 : 0};
    MatrixXd places(6, n), rows(3 * n, n > 0 ? support.points[0].Psi.cols() : 0);
    for (Index k = 0; k < n; ++k) {
      const HeldPoint& point = support.points[k];
      numbers.push_back(point.direction);
      places.col(k) << point.x_B, point.d_B;
      rows.middleRows<3>(3 * k) = point.Psi;
    }
    file.group(group);
    file.put(group + "/name_and_digest", std::vector<std::string>{support.name, support.digest});
    file.put(group + "/is_region_and_directions", numbers);
    file.put(group + "/places_and_directions", places);
    file.put(group + "/Psi", rows);
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
