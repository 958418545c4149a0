#pragma once
#include <vector>

#include "fem/assembly/element_groups.h"
#include "fem/assembly/ghost_exchange.h"

namespace solidyn::fem {

/// SolidOperator::keep_tangent(): of each group the kernel's product, or where it has none the
/// kernel itself at the positions kept here.
class GroupedProduct final : public TangentProduct {
 public:
  /// Collective; throws ComputationError for an inverted element. All references must outlive this.
  GroupedProduct(const mesh::DistributedMesh& mesh, const std::vector<ElementGroup>& groups,
                 const GhostExchange& ghosts, const Eigen::Ref<const Eigen::Matrix3Xd>& x,
                 const TangentCoefficients& coefficients, ProductPrecision precision);

  void multiply(const Eigen::Ref<const Eigen::Matrix3Xd>& v,
                Eigen::Ref<Eigen::Matrix3Xd> y) const override;
  std::size_t bytes() const override;

 private:
  void add_products(Turn turn, const double* v) const;
  void multiply_by_kernel(const ElementGroup& group, const double* v) const;

  const mesh::DistributedMesh& mesh_;
  const std::vector<ElementGroup>& groups_;
  const GhostExchange& ghosts_;
  TangentCoefficients coefficients_;
  std::vector<std::unique_ptr<BatchProduct>> products_;  // of groups, or null
  Eigen::Matrix3Xd x_;                                   // [3 x n_local] where a kernel needs it
  mutable Eigen::Matrix3Xd f_;                           // [3 x n_local] under construction
};

}  // namespace solidyn::fem
