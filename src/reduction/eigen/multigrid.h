#pragma once
#include <map>
#include <memory>

#include "reduction/eigen/block_cycle.h"

namespace solidyn::reduction {

struct Pencil;

/// About the inverse of a symmetric positive definite matrix for several vectors at once: symmetric
/// and positive too, so that it can precondition conjugate gradients and LOBPCG.
class BlockPreconditioner {
 public:
  virtual ~BlockPreconditioner() = default;
  /// Collective. About A^-1 r for every column. A column's answer does not depend on its neighbours
  /// but for rounding.
  virtual MultiVector apply(const MultiVector& r) const = 0;
};

/// Collective. For K + shift M of the pencil, which is released: two levels, the mesh and the
/// corners of its elements, where there are other nodes than these, else GAMG.
/// -modes_pc_type mg or gamg asks for one of them.
/// @throws base::InputError for other words, and for mg where there is no second level
std::unique_ptr<BlockPreconditioner> make_multigrid(Pencil& pencil);

/// A V-cycle on the levels of PETSc's GAMG for K + s M, which knows the rigid motions. Several
/// vectors go through it at once, since reading the matrices costs far more than the vectors.
/// Options with the prefix `modes_` override GAMG's settings (-modes_pc_gamg_threshold, ...) and
/// the number of smoothing steps (-modes_mg_levels_ksp_max_it).
class Multigrid : public BlockPreconditioner {
 public:
  /// Collective. @param A of type AIJ, block size 3   @param rigid [rows x 6] the rigid motions
  Multigrid(Mat A, const MultiVector& rigid);

  MultiVector apply(const MultiVector& r) const override;

 private:
  BlockCycle& cycle(int width) const;

  base::Handle<::PC, PCDestroy> pc_;
  std::vector<MultigridLevel> levels_;
  mutable std::map<int, BlockCycle> cycles_;  // by width, made when first needed
};

}  // namespace solidyn::reduction
