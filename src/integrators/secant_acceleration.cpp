#include "integrators/secant_acceleration.h"

namespace solidyn::integrators {

void SecantAcceleration::remember_shapes(const std::vector<base::Vec>& nodal) {
  if (nodal_correction_.size() == nodal.size()) return;
  for (auto* list : {&nodal_correction_, &nodal_update_, &nodal_present_}) {
    list->clear();
    for (const base::Vec& v : nodal) {
      base::Vec copy;
      SOLIDYN_PETSC(VecDuplicate(v, copy.out()));
      list->push_back(std::move(copy));
    }
  }
}

// update = d - theta (update_before + d - d_before), theta the least-squares fit of d by d -
// d_before.
void SecantAcceleration::accelerate(const Eigen::VectorXd& weights, Eigen::VectorXd& x,
                                    const std::vector<base::Vec>& nodal) {
  remember_shapes(nodal);
  present_ = x;
  for (std::size_t k = 0; k < nodal.size(); ++k)
    SOLIDYN_PETSC(VecCopy(nodal[k], nodal_present_[k]));
  if (has_history_) {
    const auto n = weights.size();
    const Eigen::VectorXd d = weights.cwiseProduct(x.head(n));
    const Eigen::VectorXd change = d - weights.cwiseProduct(correction_.head(n));
    const double size = change.squaredNorm();
    const double theta = size > 0.0 ? d.dot(change) / size : 0.0;
    x -= theta * (update_ + present_ - correction_);
    for (std::size_t k = 0; k < nodal.size(); ++k) {
      SOLIDYN_PETSC(VecAXPY(nodal[k], -theta, nodal_update_[k]));
      SOLIDYN_PETSC(VecAXPY(nodal[k], -theta, nodal_present_[k]));
      SOLIDYN_PETSC(VecAXPY(nodal[k], theta, nodal_correction_[k]));
    }
  }
  update_ = x;
  for (std::size_t k = 0; k < nodal.size(); ++k) SOLIDYN_PETSC(VecCopy(nodal[k], nodal_update_[k]));
  std::swap(correction_, present_);
  std::swap(nodal_correction_, nodal_present_);
  has_history_ = true;
}

}  // namespace solidyn::integrators
