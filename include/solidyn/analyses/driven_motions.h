#pragma once
#include "solidyn/analyses/linear_io.h"
#include "solidyn/analyses/minimal_coordinates.h"

namespace solidyn::analyses {

/// What drives among the inputs add to a linearised system, doc/theory/linearisation.md. With m
/// what drives of position level move and r the rates of all drives,
///   x = N y + U m,   x' = N y' + dN y + U r + dU m,   y' = Z u + C y + by_m m + by_r r.
struct DrivenMotions {
  Eigen::MatrixXd S;        ///< [n_m x n_r] m' = S r
  Eigen::MatrixXd U;        ///< [n_v x n_m] Y U = 0: what y does not say
  Eigen::MatrixXd dU, ddU;  ///< rates along the motion
  Eigen::MatrixXd by_m;     ///< [n_y x n_m]
  Eigen::MatrixXd by_r;     ///< [n_y x n_r]
  double turns = 0.0;       ///< how much U changes while the motion continues by its own size

  Eigen::Index n_m() const { return U.cols(); }
  Eigen::Index n_r() const { return by_r.cols(); }
};

DrivenMotions find_driven_motions(const system::Linearisation& linear, const MinimalCoordinates& m,
                                  const std::vector<LinearInputs::Motion>& motions);

}  // namespace solidyn::analyses
