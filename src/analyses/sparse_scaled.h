#pragma once
#include <vector>

#include "solidyn/system/linearisation.h"

namespace solidyn::analyses {

/// The linearised equations of a system at rest in unknowns measured by the weights: with W =
/// 1/weights, W K W and rows of G W of like size. Laws of first order (rows of velocity level with
/// E) stand in place of the equations that their multipliers keep: G x' + E x = 0 as rows of D and
/// K.
struct ScaledEquations {
  using Matrix = system::Linearisation::Matrix;
  Matrix M, D, K, B, G;
  Eigen::VectorXd columns;  ///< W
  std::vector<bool> is_rate;
  /// The largest entry of K, for multipliers; the highest rate, by the diagonals of M, D and K.
  double stiffness = 0.0, rate = 0.0;
  int n_laws = 0;  ///< of first order: coordinates that are one state and not two

  explicit ScaledEquations(const system::Linearisation& l);
  Eigen::Index n() const { return M.rows(); }

 private:
  void put_laws_in_place(const system::Linearisation& l);
};

/// The displacements that nothing brings back, orthonormal columns [n]: `rigid` go on once they
/// move; `neutral` stay where they are put, since a damper brakes them; `displaced` are neutral
/// because constraints of velocity level let nothing move that way directly.
struct FreeDisplacements {
  Eigen::MatrixXd rigid, neutral, displaced;
};

/// By inverse iteration with a block that is larger than what it finds, so that none of several
/// independent ones is missed.
FreeDisplacements find_free_displacements(const ScaledEquations& equations);

}  // namespace solidyn::analyses
