#pragma once
#include <Eigen/Dense>

#include "solidyn/elements/element_type.h"

namespace solidyn::fem {

/// The polynomial in r, s, t that is fitted by least squares to an element's stress at its
/// quadrature points: what is known best of it. hex20: 1, r, s, t, rs, st, tr, rst; wedge15: 1, r,
/// s times 1, t; else 1, r, s, t; the mean where a rule has a single point. Higher terms, as an
/// element's strain has them at its nodes, carry the error and not the stress.
template <class Element>
struct StressFit {
  Eigen::MatrixXd from_points;  ///< [n_terms x n_points] coefficients of the values at the points
  Eigen::MatrixXd at_nodes;     ///< [n_nodes x n_terms]

  explicit StressFit(const Eigen::Matrix3Xd& points) {
    Eigen::MatrixXd at_points = make_terms(points);
    at_nodes = make_terms(Element::nodes());
    if (points.cols() == 1) {
      at_points = at_points.leftCols<1>().eval();
      at_nodes = at_nodes.leftCols<1>().eval();
    }
    from_points = at_points.completeOrthogonalDecomposition().pseudoInverse();
  }
  int n_terms() const { return static_cast<int>(from_points.rows()); }

  static constexpr int kMaxTerms = 8;

 private:
  static Eigen::MatrixXd make_terms(const Eigen::Matrix3Xd& rst) {
    constexpr bool is_hex20 = Element::type == elements::ElementType::hex20;
    constexpr bool is_wedge15 = Element::type == elements::ElementType::wedge15;
    const auto r = rst.row(0).transpose().array(), s = rst.row(1).transpose().array(),
               t = rst.row(2).transpose().array();
    Eigen::MatrixXd terms(rst.cols(), is_hex20 ? 8 : is_wedge15 ? 6 : 4);
    terms.leftCols<4>() << Eigen::VectorXd::Ones(rst.cols()), rst.transpose();
    if constexpr (is_hex20) terms.rightCols<4>() << r * s, s * t, t * r, r * s * t;
    if constexpr (is_wedge15) terms.rightCols<2>() << r * t, s * t;
    return terms;
  }
};

}  // namespace solidyn::fem
