#pragma once
#include <cstddef>
#include <memory>

#include "fem/kernels/batch_geometry.h"
#include "fem/kernels/batch_product.h"
#include "solidyn/fem/solid_options.h"

namespace solidyn::fem {

/// What a batch of kLanes elements of one type, shape and formulation answers to its nodes'
/// positions. Nodal arrays are [n_nodes]; `batch` counts in the order of add_batch(). Every
/// function returns, or fills, the smallest det F of each lane (corotational: of the mean
/// deformation gradient). Not to be called by two threads: kernels keep their workspace.
class BatchKernel {
 public:
  virtual ~BatchKernel() = default;
  virtual int n_nodes() const = 0;
  virtual int n_points() const = 0;
  /// Bytes kept for geometry.
  virtual std::size_t bytes() const = 0;
  /// [n_nodes x n_points]: values at the nodes of the fit to values at the points, see StressFit.
  virtual double to_nodes(int node, int point) const = 0;
  /// N_node at the point.
  virtual double value(int node, int point) const = 0;

  /// @param X reference positions     @param temperature  its changes at the nodes, K; null: none,
  ///   the same of all batches     @return the smallest Jacobian determinant of each lane
  virtual Pack add_batch(const Vector* X, const Pack* temperature) = 0;

  /// Elastic force, and for v != nullptr the viscous one. @param[out] f
  virtual Pack compute_force(std::size_t batch, const Vector* x, const Vector* v, Vector* f) = 0;

  /// @param[out] det     @return elastic energy of each lane
  virtual Pack compute_energy(std::size_t batch, const Vector* x, Pack& det) = 0;

  /// stiffness K + damping D as blocks (a, b), b >= a, row by row of the upper triangle.
  /// @param[out] blocks [n (n + 1) / 2]
  virtual Pack compute_tangent(std::size_t batch, const Vector* x, double stiffness, double damping,
                               Tensor* blocks) = 0;

  /// y = (stiffness K + damping D) v. @param[out] y
  virtual Pack apply_tangent(std::size_t batch, const Vector* x, double stiffness, double damping,
                             const Vector* v, Vector* y) = 0;

  /// For many products with the tangent at one configuration: what depends on that alone is kept.
  /// @return none where products gain nothing by it. This kernel must outlive it
  virtual std::unique_ptr<BatchProduct> make_product(double /*stiffness*/, double /*damping*/,
                                                     ProductPrecision) {
    return nullptr;
  }

  /// Cauchy stress at the points. @param[out] sigma, weight [n_points]; weight is reference volume
  virtual void compute_stress(std::size_t batch, const Vector* x, Tensor* sigma, Pack* weight) = 0;

  /// det F at the quadrature points, whatever the formulation: the smallest of each lane.
  virtual Pack compute_volume_ratio(std::size_t batch, const Vector* x) = 0;
};

/// The kernel of a solid element type, with the rule of its linear stiffness. Throws InputError for
/// hex8 options that the law or the viscosity excludes.
std::unique_ptr<BatchKernel> make_batch_kernel(elements::ElementType type, Shape shape,
                                               const SolidOptions& options);

}  // namespace solidyn::fem
