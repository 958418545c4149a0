#include "fem/assembly/tangent_product.h"

#include "fem/assembly/worst_element.h"

namespace solidyn::fem {

using Eigen::Matrix3Xd;
using Eigen::Ref;

GroupedProduct::GroupedProduct(const mesh::DistributedMesh& mesh,
                               const std::vector<ElementGroup>& groups, const GhostExchange& ghosts,
                               const Ref<const Matrix3Xd>& x,
                               const TangentCoefficients& coefficients, ProductPrecision precision)
    : mesh_(mesh),
      groups_(groups),
      ghosts_(ghosts),
      coefficients_(coefficients),
      f_(3, mesh.n_local()) {
  WorstElement worst;
  Vector nodes[kMaxNodes];
  for (const ElementGroup& group : groups_) {
    products_.push_back(
        group.kernel->make_product(coefficients.stiffness, coefficients.damping, precision));
    for (std::size_t batch = 0; batch < group.n_batches(); ++batch) {
      group.gather(batch, x.data(), nodes);
      worst.note(group, batch,
                 products_.back() ? products_.back()->add_batch(batch, nodes)
                                  : group.kernel->compute_volume_ratio(batch, nodes));
    }
    if (!products_.back()) x_ = x;
  }
  throw_if_inverted(mesh_.comm, worst.found);
}

void GroupedProduct::add_products(Turn turn, const double* v) const {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (groups_[g].turn != turn) continue;
    if (products_[g])
      products_[g]->multiply(groups_[g].nodes.data(), groups_[g].n_elements, v, f_.data());
    else
      multiply_by_kernel(groups_[g], v);
  }
}

void GroupedProduct::multiply(const Ref<const Matrix3Xd>& v, Ref<Matrix3Xd> y) const {
  f_.setZero();
  add_products(Turn::with_ghosts, v.data());
  ghosts_.begin_add_to_owners(f_);
  add_products(Turn::without_ghosts, v.data());
  ghosts_.end_add_to_owners(f_);
  y = f_.leftCols(mesh_.n_owned);
}

void GroupedProduct::multiply_by_kernel(const ElementGroup& group, const double* v) const {
  Vector nodes[kMaxNodes], factor[kMaxNodes], product[kMaxNodes];
  for (std::size_t batch = 0; batch < group.n_batches(); ++batch) {
    group.gather(batch, x_.data(), nodes);
    group.gather(batch, v, factor);
    group.kernel->apply_tangent(batch, nodes, coefficients_.stiffness, coefficients_.damping,
                                factor, product);
    group.scatter(batch, product, f_.data());
  }
}

std::size_t GroupedProduct::bytes() const {
  std::size_t sum = sizeof(double) * (x_.size() + f_.size());
  for (const auto& product : products_)
    if (product) sum += product->bytes();
  return sum;
}

}  // namespace solidyn::fem
