#include "solidyn/bodies/element_body.h"

#include "solidyn/base/error.h"

namespace solidyn::bodies {

using Eigen::MatrixXd;

void ElementBody::add_tangent(const BodyState&, const Eigen::Vector3d& gravity,
                              const TangentCoefficients& c, Eigen::Ref<MatrixXd> J_rate,
                              Eigen::Ref<MatrixXd> J_q) {
  SOLIDYN_ASSERT(J_rate.rows() == static_cast<Eigen::Index>(6 * nodes_.size()));
  for (int e = 0; e < n_elements(); ++e) {
    const std::vector<int> at = element_nodes(e);
    const auto n = static_cast<Eigen::Index>(6 * at.size());
    MatrixXd rate = MatrixXd::Zero(n, n), q = rate;
    add_element_tangent(e, gravity, c, rate, q);
    for (std::size_t i = 0; i < at.size(); ++i)
      for (std::size_t j = 0; j < at.size(); ++j) {
        const auto row = static_cast<Eigen::Index>(6 * i),
                   column = static_cast<Eigen::Index>(6 * j);
        J_rate.block<6, 6>(6 * at[i], 6 * at[j]) += rate.block<6, 6>(row, column);
        J_q.block<6, 6>(6 * at[i], 6 * at[j]) += q.block<6, 6>(row, column);
      }
  }
}

}  // namespace solidyn::bodies
