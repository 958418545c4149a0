#include "integrators/directions_of_contacts.h"

#include "solidyn/math/dense.h"
#include "solvers/semidefinite_solve.h"

namespace solidyn::integrators {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double>;

// So many have a pseudo-inverse, whose cost grows with the third power.
constexpr Index kFew = 100;
// Of the velocities, of many: as the laws of so many contacts are met.
constexpr double kTolerance = 1e-11;

SparseMatrix rows_and_columns(const solvers::friction::ContactBlocks& A,
                              const std::vector<Index>& directions) {
  std::vector<int> place(3 * static_cast<std::size_t>(A.n_contacts()), -1);
  for (std::size_t k = 0; k < directions.size(); ++k) place[directions[k]] = static_cast<int>(k);
  std::vector<Eigen::Triplet<double>> entries;
  for (int row = 0; row < A.n_contacts(); ++row)
    for (int k = A.start(row); k < A.start(row + 1); ++k)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
          const int at = place[3 * row + i], from = place[3 * A.column(k) + j];
          if (at >= 0 && from >= 0) entries.emplace_back(at, from, A.block(k)(i, j));
        }
  const auto n = static_cast<Index>(directions.size());
  SparseMatrix selected(n, n);
  selected.setFromTriplets(entries.begin(), entries.end());
  return selected;
}

}  // namespace

DirectionsOfContacts::DirectionsOfContacts(const solvers::friction::ContactBlocks& A,
                                           std::vector<Index> directions, double rank)
    : n_(3 * A.n_contacts()), directions_(std::move(directions)) {
  if (directions_.empty()) return;
  A_ = rows_and_columns(A, directions_);
  if (A_.rows() <= kFew) inverse_ = math::LeastSquares(Eigen::MatrixXd(A_), rank).pseudo_inverse();
}

VectorXd DirectionsOfContacts::forces_for(const VectorXd& velocities) const {
  VectorXd forces = VectorXd::Zero(n_);
  if (is_empty()) return forces;
  if (inverse_.size() > 0) {
    forces(directions_) = inverse_ * velocities;
    return forces;
  }
  const solvers::Product product = [&](const VectorXd& x, VectorXd& Ax) { Ax = A_ * x; };
  forces(directions_) = solvers::solve_semidefinite(product, A_.diagonal(), velocities, kTolerance);
  return forces;
}

}  // namespace solidyn::integrators
