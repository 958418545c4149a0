#pragma once
#include <Eigen/Dense>
#include <vector>

#include "solidyn/bodies/nodal_state.h"

namespace solidyn::system {

/// Everything that evolves. The small vectors are replicated on every rank; the nodal ones
/// distributed.
struct State {
  double t = 0.0;        ///< s
  Eigen::VectorXd q;     ///< per body: p_WB (3), unit quaternion w x y z (4), unless absolute; q_e
  Eigen::VectorXd v, a;  ///< per body: see bodies::BodyState
  /// [n_v], or empty: what v lacks of G v = nu after steps that meet constraints by positions. What
  /// rubs in joints slips with v + this: doc/theory/time_integration.md
  Eigen::VectorXd velocity_correction;
  Eigen::VectorXd lambda;                 ///< multipliers: M a + h + G^T lambda = 0
  Eigen::VectorXd angles;                 ///< rad, tracked angles at the last accepted state
  Eigen::VectorXd memory;                 ///< what forces keep of the last accepted state
  std::vector<bodies::NodalState> nodal;  ///< one per full-mesh body, in body order

  State clone() const;
  void copy_from(const State& other);
};

}  // namespace solidyn::system
