#pragma once
#include <Eigen/Dense>
#include <limits>
#include <vector>

#include "fem/kernels/pack.h"
#include "fem/kernels/stress_fit.h"
#include "solidyn/elements/quadrature.h"

namespace solidyn::fem {

/// Shape gradients and weights of an element type at the points of one rule.
template <class Element>
struct PointTable {
  static constexpr int n = Element::n_nodes;
  struct Point {
    double weight;
    double gradients[n][3];  ///< dN_a/d(r,s,t)
  };
  std::vector<Point> points;
  /// [n x n_points] values at the nodes of the fit to values at the points, see StressFit
  Eigen::Matrix<double, n, Eigen::Dynamic> to_nodes;
  Eigen::Matrix<double, n, Eigen::Dynamic> values;  ///< N_a at the points

  explicit PointTable(const elements::Quadrature& rule) {
    const Eigen::Index n_points = rule.weights.size();
    values.resize(n, n_points);
    for (Eigen::Index q = 0; q < n_points; ++q) {
      const Eigen::Matrix<double, n, 3> dN = Element::gradients(rule.points.col(q));
      values.col(q) = Element::values(rule.points.col(q));
      Point point{rule.weights[q], {}};
      for (int a = 0; a < n; ++a)
        for (int k = 0; k < 3; ++k) point.gradients[a][k] = dN(a, k);
      points.push_back(point);
    }
    to_nodes = StressFit<Element>(rule.points).nodes_from_points();
  }
};

enum class Shape { affine, curved };

/// Reference gradients of a group of elements, batch by batch: for affine elements from the
/// constant inverse Jacobian (10 numbers per element), for curved ones from the node positions
/// (3 n numbers), since inverse Jacobians at every point would cost more memory traffic than the
/// arithmetic they save.
template <class Element, Shape shape>
class BatchGeometry {
 public:
  static constexpr int n = Element::n_nodes;

  explicit BatchGeometry(const PointTable<Element>& table) : table_(table) {}

  int n_points() const { return static_cast<int>(table_.points.size()); }
  const PointTable<Element>& table() const { return table_; }
  std::size_t bytes() const { return data_.size() * sizeof(Pack); }

  /// Appends a batch. @return the smallest Jacobian determinant of each lane over the points
  Pack add(const Vector* X) {
    Pack smallest = broadcast(std::numeric_limits<double>::infinity());
    for (const auto& point : table_.points) {
      const Tensor J = jacobian(X, point);
      smallest = smaller(determinant(J, cofactor(J)), smallest);
    }
    if constexpr (shape == Shape::curved) {
      for (int a = 0; a < n; ++a) data_.insert(data_.end(), X[a].v, X[a].v + 3);
    } else {
      Pack det;
      const Tensor inverse = invert(jacobian(X, table_.points[0]), det);
      for (const auto& row : inverse.m) data_.insert(data_.end(), row, row + 3);
      data_.push_back(det);
    }
    return smallest;
  }

  /// d(r,s,t)/dX at point q. @param[out] det  of dX/d(r,s,t)
  Tensor inverse_jacobian(std::size_t batch, int q, Pack& det) const {
    if constexpr (shape == Shape::curved) {
      Vector X[n];
      const Pack* data = &data_[3 * n * batch];
      for (int a = 0; a < n; ++a)
        for (int i = 0; i < 3; ++i) X[a][i] = data[3 * a + i];
      return invert(jacobian(X, table_.points[q]), det);
    } else {
      Tensor inverse;
      const Pack* data = &data_[10 * batch];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) inverse(i, j) = data[3 * i + j];
      det = data[9];
      return inverse;
    }
  }

  /// Gradients of all shape functions in the reference configuration at point q.
  /// @param[out] g [n]     @return weight times Jacobian determinant
  Pack compute_gradients(std::size_t batch, int q, Vector* g) const {
    const auto& point = table_.points[q];
    Pack det;
    const Tensor inverse = inverse_jacobian(batch, q, det);
    for (int a = 0; a < n; ++a)
      for (int j = 0; j < 3; ++j)
        g[a][j] = point.gradients[a][0] * inverse(0, j) + point.gradients[a][1] * inverse(1, j) +
                  point.gradients[a][2] * inverse(2, j);
    return point.weight * det;
  }

 private:
  static Tensor jacobian(const Vector* X, const typename PointTable<Element>::Point& point) {
    Tensor J;
    for (int a = 0; a < n; ++a)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) J(i, j) += X[a][i] * point.gradients[a][j];
    return J;
  }

  static Tensor invert(const Tensor& J, Pack& det) {
    const Tensor c = cofactor(J);
    det = determinant(J, c);
    Tensor inverse;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) inverse(i, j) = c(j, i) / det;
    return inverse;
  }

  const PointTable<Element>& table_;
  std::vector<Pack> data_;
};

/// F = sum_a x_a g_a^T
template <int n>
Tensor gradient_of(const Vector* x, const Vector* g) {
  Tensor F;
  for (int a = 0; a < n; ++a) add_dyad(x[a], g[a], F);
  return F;
}

}  // namespace solidyn::fem
