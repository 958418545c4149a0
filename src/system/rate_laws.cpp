#include "solidyn/system/rate_laws.h"

#include <vector>

#include "solidyn/forces/internal_state.h"

namespace solidyn::system {

using Matrix = Eigen::SparseMatrix<double>;

RateLaws find_rate_laws(const System& system) {
  std::vector<Eigen::Triplet<double>> rates, positions;
  int row = 0;
  for (const ForceIndex i : system.forces()) {
    const forces::InternalState* state = system.force(i).as_internal_state();
    if (!state) continue;
    const auto law = state->rate_law(system.kinematics());
    const std::vector<int> columns = system.layout().velocity_indices(system.force(i).bodies());
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const auto at = static_cast<Eigen::Index>(j);
      if (law.by_rate[at] != 0.0) rates.emplace_back(row, columns[j], law.by_rate[at]);
      if (law.by_position[at] != 0.0) positions.emplace_back(row, columns[j], law.by_position[at]);
    }
    ++row;
  }
  RateLaws laws{Matrix(row, system.layout().n_velocities()),
                Matrix(row, system.layout().n_velocities())};
  laws.by_rate.setFromTriplets(rates.begin(), rates.end());
  laws.by_position.setFromTriplets(positions.begin(), positions.end());
  return laws;
}

Matrix stacked(const Matrix& upper, const Matrix& lower) {
  std::vector<Eigen::Triplet<double>> list;
  list.reserve(static_cast<std::size_t>(upper.nonZeros() + lower.nonZeros()));
  const auto add = [&](const Matrix& part, Eigen::Index at) {
    for (int j = 0; j < part.outerSize(); ++j)
      for (Matrix::InnerIterator it(part, j); it; ++it)
        list.emplace_back(static_cast<int>(at + it.row()), j, it.value());
  };
  add(upper, 0);
  add(lower, upper.rows());
  Matrix all(upper.rows() + lower.rows(), upper.cols());
  all.setFromTriplets(list.begin(), list.end());
  return all;
}

}  // namespace solidyn::system
