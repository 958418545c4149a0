#pragma once
#include <vector>

#include "report/drawn_body.h"

namespace solidyn::report {

/// How large the shapes of a field are.
struct Extent {
  int n_components = 3;
  Eigen::VectorXd of_shape;  ///< the largest column norm of each
  Eigen::VectorXd of_entry;  ///< the largest |entry| of each
  Eigen::MatrixXd sample;    ///< [components x sampled nodes, one node after the other; x shapes]

  /// The largest norm of sum_k q_k(t) F_k at the sampled nodes. @param q [K x T]
  double largest(const Eigen::MatrixXd& q) const;
};
Extent extent_of(const ShapeField& field, Eigen::Index n_nodes);

/// Factors of the shapes, and by how much their sum may be off.
struct Demand {
  Eigen::MatrixXd q;  ///< [K x T]; no columns: no demand
  double tolerance = 0.0;
};

/// Which shapes are kept, in which steps of 16-bit integers, and how far each demand's sum is off
/// for it at most.
struct Choice {
  std::vector<int> kept;
  std::vector<double> steps;
  std::vector<double> bounds;
};
/// Half of each tolerance is for what is left out, half for steps.
Choice choose(const Extent& extent, const std::vector<Demand>& demands);

}  // namespace solidyn::report
