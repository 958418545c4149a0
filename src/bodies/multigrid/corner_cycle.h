#pragma once
#include <memory>
#include <string>

#include "bodies/multigrid/corner_level.h"
#include "solidyn/base/petsc_options.h"
#include "solvers/refined_factor.h"
#include "solvers/symmetric_factor.h"

namespace solidyn::bodies {

/// Makes PETSc's multigrid of a body's products without a matrix and its level of corners: on the
/// mesh Chebyshev smoothing with the nodes' blocks, on the corners a Cholesky factor where it is
/// small, else GAMG with the rigid motions. Before and after the correction it smooths alike, so
/// that the cycle is symmetric. Options with the body's prefix and `mg_levels_`, `mg_coarse_`
/// choose otherwise. All calls are collective.
class CornerCycle {
 public:
  /// @param options of the body
  explicit CornerCycle(base::OptionsReader options);

  /// Of the factor on the corners: single where it is accurate enough.
  using Precision = solvers::SymmetricFactor::Precision;

  /// @param pc  becomes PCMG      @param fine a shell matrix that multiplies as its operator does
  /// @return what failed, or nothing
  std::string set_up(::PC pc, ::Mat fine, const CoarseLevel& coarse,
                     Precision precision = Precision::full);

  /// In words, for the log. @pre set_up()
  std::string description() const;

 private:
  void make_levels(::PC pc);
  void set_smoother(::PC pc, ::Mat fine, ::Vec start);
  double largest_eigenvalue(::Mat fine, ::Vec start);
  std::string set_coarse(::PC pc, const CoarseLevel& coarse, Precision precision);
  std::string factorise_small(::KSP solver);
  std::string factorise(::PC coarse_pc, ::Mat A, Precision precision);

  base::OptionsReader options_;
  MPI_Comm comm_;
  std::string prefix_;
  bool has_levels_ = false, is_small_ = false;
  std::unique_ptr<solvers::SymmetricFactor> factor_;  // one of both, or neither
  std::unique_ptr<solvers::RefinedFactor> single_;
};

}  // namespace solidyn::bodies
