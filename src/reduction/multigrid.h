#pragma once
#include "multivector.h"

namespace solidyn::reduction {

/// A V-cycle of PETSc's GAMG for K + s M, which knows the rigid motions: symmetric and positive, so
/// that it can precondition conjugate gradients and LOBPCG. Options with the prefix `modes_`
/// (-modes_pc_gamg_threshold, -modes_mg_levels_ksp_max_it, ...) override its settings.
class Multigrid {
 public:
  /// Collective. @param A of type AIJ, block size 3   @param rigid [rows x 6] the rigid motions
  Multigrid(Mat A, const MultiVector& rigid);

  /// Collective. About A^-1 r, column by column.
  MultiVector apply(const MultiVector& r) const;

 private:
  base::Handle<::PC, PCDestroy> pc_;
};

}  // namespace solidyn::reduction
