#pragma once
#include <cstdint>

#include "fem/kernels/pack.h"
#include "solidyn/fem/solid_options.h"

namespace solidyn::fem {

/// The tangent of a group's elements at one configuration, kept for many products with it.
class BatchProduct {
 public:
  virtual ~BatchProduct() = default;

  /// Appends a batch at the nodes' positions. @return det F as the kernel gives it
  virtual Pack add_batch(std::size_t batch, const Vector* x) = 0;

  /// y += A v over all elements.
  /// @param nodes [n_batches][n_nodes][kLanes] local node     @param v, y [3 x n_local]
  virtual void multiply(const std::int32_t* nodes, std::int64_t n_elements, const double* v,
                        double* y) const = 0;
  virtual std::size_t bytes() const = 0;
};

}  // namespace solidyn::fem
