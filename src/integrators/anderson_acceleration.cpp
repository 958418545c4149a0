#include "anderson_acceleration.h"

namespace solidyn::integrators {
namespace {

constexpr std::size_t kDepth = 8;
// Of the Gram matrix of unit vectors: directions that differ by less than its root are one.
constexpr double kDependent = 1e-12;

std::vector<base::Vec> copies(const std::vector<base::Vec>& from) {
  std::vector<base::Vec> result;
  for (const base::Vec& v : from) {
    base::Vec copy;
    SOLIDYN_PETSC(VecDuplicate(v, copy.out()));
    SOLIDYN_PETSC(VecCopy(v, copy));
    result.push_back(std::move(copy));
  }
  return result;
}

}  // namespace

// Nodes count as one coordinate in the mean: the ports among the small unknowns see them too.
double AndersonAcceleration::dot(const Eigen::VectorXd& weights, double length, const Vector& a,
                                 const Vector& b) const {
  const auto n = weights.size();
  double sum = weights.cwiseProduct(a.small.head(n)).dot(weights.cwiseProduct(b.small.head(n)));
  for (std::size_t k = 0; k < a.nodal.size(); ++k) {
    PetscScalar product = 0.0;
    PetscInt size = 0;
    SOLIDYN_PETSC(VecDot(a.nodal[k], b.nodal[k], &product));
    SOLIDYN_PETSC(VecGetSize(a.nodal[k], &size));
    sum += product / (length * length * static_cast<double>(std::max<PetscInt>(1, size)));
  }
  return sum;
}

// update = d - sum theta_j (update_j + d_{j+1} - d_j), theta the least-squares fit of d by the
// differences of the corrections.
void AndersonAcceleration::accelerate(const Eigen::VectorXd& weights, double length,
                                      Eigen::VectorXd& x, std::vector<base::Vec>& nodal) {
  const Vector d{x, copies(nodal)};
  if (!history_.empty()) {
    Vector& last = history_.back().correction;
    last.small += d.small;
    for (std::size_t k = 0; k < nodal.size(); ++k)
      SOLIDYN_PETSC(VecAXPY(last.nodal[k], 1.0, d.nodal[k]));
    const auto m = static_cast<Eigen::Index>(history_.size());
    Eigen::MatrixXd gram(m, m);
    Eigen::VectorXd fit(m);
    for (Eigen::Index i = 0; i < m; ++i) {
      const Vector& a = history_[i].correction;
      fit[i] = dot(weights, length, a, d);
      for (Eigen::Index j = 0; j <= i; ++j)
        gram(i, j) = gram(j, i) = dot(weights, length, a, history_[j].correction);
    }
    const Eigen::VectorXd scale = gram.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> least_squares;
    least_squares.setThreshold(kDependent);
    least_squares.compute(scale.asDiagonal() * gram * scale.asDiagonal());
    const Eigen::VectorXd theta =
        scale.asDiagonal() * least_squares.solve(scale.cwiseProduct(fit)).eval();
    for (Eigen::Index j = 0; j < m; ++j) {
      const Difference& change = history_[j];
      x -= theta[j] * (change.update.small + change.correction.small);
      for (std::size_t k = 0; k < nodal.size(); ++k) {
        SOLIDYN_PETSC(VecAXPY(nodal[k], -theta[j], change.update.nodal[k]));
        SOLIDYN_PETSC(VecAXPY(nodal[k], -theta[j], change.correction.nodal[k]));
      }
    }
  }
  Vector negative{-d.small, copies(d.nodal)};
  for (base::Vec& v : negative.nodal) SOLIDYN_PETSC(VecScale(v, -1.0));
  history_.push_back({std::move(negative), {x, copies(nodal)}});
  if (history_.size() > kDepth) history_.pop_front();
}

}  // namespace solidyn::integrators
