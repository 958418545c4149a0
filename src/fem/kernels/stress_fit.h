#pragma once
#include <Eigen/Dense>

#include "solidyn/elements/element_type.h"

namespace solidyn::fem {

/// The polynomial in r, s, t that is fitted by least squares to an element's stress at its
/// quadrature points: what is known best of it. hex20: 1, r, s, t, rs, st, tr, rst; wedge15: 1, r,
/// s times 1, t; else 1, r, s, t; the mean where a rule has a single point. Higher terms, as an
/// element's strain has them at its nodes, carry the error and not the stress.
struct PolynomialFit {
  Eigen::MatrixXd from_points;  ///< [n_terms x n_points] coefficients of the values at the points
  Eigen::MatrixXd at_nodes;     ///< [n_nodes x n_terms]

  /// @param points, nodes [3 x n_points], [3 x n_nodes] r, s, t
  PolynomialFit(elements::ElementType type, const Eigen::Matrix3Xd& points,
                const Eigen::Matrix3Xd& nodes);
  int n_terms() const { return static_cast<int>(from_points.rows()); }
  /// [n_nodes x n_points]
  Eigen::MatrixXd nodes_from_points() const;

  static constexpr int kMaxTerms = 8;
};

template <class Element>
struct StressFit : PolynomialFit {
  explicit StressFit(const Eigen::Matrix3Xd& points)
      : PolynomialFit(Element::type, points, Element::nodes()) {}
};

}  // namespace solidyn::fem
