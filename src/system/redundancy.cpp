#include "solidyn/system/initial_conditions.h"
#include "sparse_qr.h"

namespace solidyn::system {
namespace {

// Of the mean square of the rows of G over the largest mass.
constexpr double kRegularization = 1e-8;

}  // namespace

Redundancy find_redundancy(const System& system, const Eigen::VectorXd& weights, double threshold) {
  Redundancy result;
  if (system.layout().n_constraints() == 0) return result;
  const SparseMatrix scaled = (system.sparse_G() * weights.cwiseInverse().asDiagonal()).transpose();
  result.rows = dependent_columns(scaled, threshold);
  result.rank = system.layout().n_constraints() - static_cast<int>(result.rows.size());
  for (int row : result.rows) result.names.push_back(system.layout().multiplier_name(row));
  return result;
}

double redundancy_regularization(const System& system) {
  double largest_mass = 0.0;
  for (const BodyIndex b : system.bodies())
    largest_mass = std::max(largest_mass, system.body(b).mass());
  const double mean_square =
      system.sparse_G().squaredNorm() / std::max(1, system.layout().n_constraints());
  return kRegularization * mean_square / std::max(largest_mass, 1e-12);
}

}  // namespace solidyn::system
