#include "anderson_acceleration.h"

#include "integrators/vector_copy.h"
#include "solidyn/math/dense.h"

namespace solidyn::integrators {
namespace {

constexpr std::size_t kDepth = 8;
// Of the Gram matrix of unit vectors: directions that differ by less than its root are one.
constexpr double kDependent = 1e-12;

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

void AndersonAcceleration::reset() {
  for (Difference& difference : history_) spare_.push_back(std::move(difference));
  history_.clear();
}

AndersonAcceleration::Difference AndersonAcceleration::take_difference(
    const std::vector<base::Vec>& like) {
  if (spare_.empty()) return {{{}, copies(like)}, {{}, copies(like)}};
  Difference difference = std::move(spare_.back());
  spare_.pop_back();
  return difference;
}

// update = d - sum theta_j (update_j + d_{j+1} - d_j), theta the least-squares fit of d by the
// differences of the corrections.
void AndersonAcceleration::accelerate(const Eigen::VectorXd& weights, double length,
                                      Eigen::VectorXd& x, std::vector<base::Vec>& nodal) {
  if (d_.nodal.size() != nodal.size()) d_.nodal = copies(nodal);
  d_.small = x;
  for (std::size_t k = 0; k < nodal.size(); ++k) SOLIDYN_PETSC(VecCopy(nodal[k], d_.nodal[k]));
  if (!history_.empty()) {
    Vector& last = history_.back().correction;
    last.small += d_.small;
    for (std::size_t k = 0; k < nodal.size(); ++k)
      SOLIDYN_PETSC(VecAXPY(last.nodal[k], 1.0, d_.nodal[k]));
    const auto m = static_cast<Eigen::Index>(history_.size());
    gram_.conservativeResize(m, m);
    Eigen::VectorXd fit(m);
    for (Eigen::Index j = 0; j < m; ++j) {
      gram_(m - 1, j) = gram_(j, m - 1) = dot(weights, length, last, history_[j].correction);
      fit[j] = dot(weights, length, history_[j].correction, d_);
    }
    const Eigen::VectorXd scale = gram_.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    const math::LeastSquares least_squares(scale.asDiagonal() * gram_ * scale.asDiagonal(),
                                           kDependent);
    const Eigen::VectorXd theta = scale.asDiagonal() * least_squares.solve(scale.cwiseProduct(fit));
    for (Eigen::Index j = 0; j < m; ++j) {
      const Difference& change = history_[j];
      x -= theta[j] * (change.update.small + change.correction.small);
      for (std::size_t k = 0; k < nodal.size(); ++k) {
        const PetscScalar minus[2] = {-theta[j], -theta[j]};
        ::Vec both[2] = {change.update.nodal[k], change.correction.nodal[k]};
        SOLIDYN_PETSC(VecMAXPY(nodal[k], 2, minus, both));
      }
    }
    if (m == static_cast<Eigen::Index>(kDepth)) {
      spare_.push_back(std::move(history_.front()));
      history_.pop_front();
      gram_ = gram_.bottomRightCorner(m - 1, m - 1).eval();
    }
  }
  Difference next = take_difference(nodal);
  next.correction.small = -d_.small;
  next.update.small = x;
  for (std::size_t k = 0; k < nodal.size(); ++k) {
    SOLIDYN_PETSC(VecAXPBY(next.correction.nodal[k], -1.0, 0.0, d_.nodal[k]));
    SOLIDYN_PETSC(VecCopy(nodal[k], next.update.nodal[k]));
  }
  history_.push_back(std::move(next));
}

}  // namespace solidyn::integrators
