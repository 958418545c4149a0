#pragma once
#include <map>

#include "reduction/eigen/block_cycle.h"

namespace solidyn::reduction {

/// A V-cycle on the levels of PETSc's GAMG for K + s M, which knows the rigid motions: symmetric
/// and positive, so that it can precondition conjugate gradients and LOBPCG. Several vectors go
/// through it at once, since reading the matrices costs far more than the vectors. Options with the
/// prefix `modes_` override GAMG's settings (-modes_pc_gamg_threshold, ...) and the number of
/// smoothing steps (-modes_mg_levels_ksp_max_it).
class Multigrid {
 public:
  /// Collective. @param A of type AIJ, block size 3   @param rigid [rows x 6] the rigid motions
  Multigrid(Mat A, const MultiVector& rigid);

  /// Collective. About A^-1 r for every column. A column's answer does not depend on its neighbours
  /// but for rounding.
  MultiVector apply(const MultiVector& r) const;

 private:
  BlockCycle& cycle(int width) const;

  base::Handle<::PC, PCDestroy> pc_;
  std::vector<MultigridLevel> levels_;
  mutable std::map<int, BlockCycle> cycles_;  // by width, made when first needed
};

}  // namespace solidyn::reduction
