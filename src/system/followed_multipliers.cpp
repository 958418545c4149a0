#include "solidyn/system/followed_multipliers.h"

#include <set>

#include "solidyn/system/system.h"

namespace solidyn::system {

std::vector<int> followed_multipliers(const System& system) {
  std::set<int> rows;
  for (const ForceIndex i : system.forces())
    for (const ConstraintIndex c : system.force(i).constraints())
      for (int row = 0; row < system.constraint(c).n_rows(); ++row)
        rows.insert(system.layout().constraint_offset(c) + row);
  return {rows.begin(), rows.end()};
}

std::string worst_follower(const System& system, const Eigen::VectorXd& change) {
  std::string name;
  double largest = -1.0;
  for (const ForceIndex i : system.forces())
    for (const ConstraintIndex c : system.force(i).constraints()) {
      const int n = system.constraint(c).n_rows();
      if (n == 0) continue;
      const double size =
          change.segment(system.layout().constraint_offset(c), n).lpNorm<Eigen::Infinity>();
      if (!(size > largest)) continue;
      largest = size;
      name = system.force(i).name();
    }
  return name;
}

}  // namespace solidyn::system
