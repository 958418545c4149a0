#pragma once
#include <slepceps.h>

#include <memory>

#include "reduction/basis/held_frames.h"
#include "reduction/eigen/block_krylov.h"
#include "reduction/eigen/multigrid.h"
#include "reduction/eigen/pencil.h"
#include "solidyn/math/dense.h"
#include "solvers/symmetric_factor.h"

namespace solidyn::reduction {

using Eps = base::Handle<::EPS, EPSDestroy>;

/// Elastic eigenvectors, M-orthonormal and M-orthogonal to the rigid motions, in ascending order.
struct ElasticModes {
  Eigen::VectorXd eigenvalues;    ///< omega^2, rad^2/s^2
  MultiVector vectors;            ///< [rows x n]
  double largest_residual = 0.0;  ///< max |K x - omega^2 M x| / |omega^2 M x|
  int iterations = 0;             ///< blocks, or restarts of SLEPc's Krylov space
  bool has_converged = true;      ///< else they are the best that there are
};

/// Solves with one factor of K + shift M, or where that finds no room with multigrid (LOBPCG,
/// conjugate gradients): eigenproblems and static problems of a free body.
/// PETSc and SLEPc options with the prefix `modes_` override every choice made here
/// (-modes_eps_ncv, -modes_eps_tol, -modes_pc_factor_mat_solver_type, ...).
class FreeBodySolver {
 public:
  /// Collective. Factorises, or sets up the multigrid. @param pencil must outlive this object
  /// Where its shift turns out to be far above the lowest eigenvalue, the pencil gets another.
  FreeBodySolver(Pencil& pencil, double tolerance);

  /// Collective. The n lowest elastic modes, by a block Krylov space on the factor (the default:
  /// -modes_solver block) or by SLEPc's Krylov-Schur (-modes_solver slepc), which reads the factor
  /// once per vector. The rigid motions are deflated exactly. A space grown from one vector can
  /// miss a copy of a multiple eigenvalue (a symmetric rod's bending pairs): with SLEPc, further
  /// passes with all found modes deflated look for one, until none is left below the highest mode
  /// kept. Throws ComputationError when the modes do not converge or a residual is too large.
  ElasticModes compute_modes(int n);

  /// Collective. The n lowest modes with the interface frames held, by the block Krylov space on
  /// the same factor: K x - omega^2 M x = F lambda, F^T x = 0. They are not M-orthogonal to the
  /// rigid motions. Throws as compute_modes() does.
  /// @param F [rows x m] unit loads on the frames
  /// @param left  M-orthonormal rigid motions that move no frame, which are left out; or none
  ElasticModes compute_held_modes(int n, const MultiVector& F, const MultiVector& left = {});

  /// Collective. (K + shift (M + V V^T))^-1 f, all columns together; to 1e-9 on the iterative
  /// route. Masses on frames come in by Woodbury's formula, Y = (K + shift M)^-1 V:
  ///   y - Y (I / shift + V^T Y)^-1 V^T y,   y = (K + shift M)^-1 f.
  MultiVector apply_factor(const MultiVector& f);

  /// Collective. K u = f with f balanced, u M-orthogonal to the rigid motions. `known` modes make
  /// the iteration on the shifted factor faster; any set of exact modes, or none, gives the same
  /// answer. So does any `start` (M-orthogonal to the rigid motions, or empty: zero).
  /// @param accepted relative change, in the energy norm, that ends the iteration
  MultiVector solve_static(const MultiVector& f, const ElasticModes& known, MultiVector start = {},
                           double accepted = 1e-11);

 private:
  ElasticModes find_free_modes(int n, std::int64_t n_elastic);
  ElasticModes find_held_modes(int n, const HeldFrames& held, const MultiVector& left);
  bool bring_shift_near(const ElasticModes& modes);
  bool bring_shift_near(double lowest_eigenvalue);
  bool iterate_static(const MultiVector& f, const ElasticModes& known, double accepted,
                      MultiVector& u);
  ElasticModes compute_with_blocks(BlockOperator op, int n, std::int64_t n_elastic);
  ElasticModes compute_with_slepc(int n, std::int64_t n_elastic);
  void factorise();
  void prepare_frame_masses();
  MultiVector apply_sparse_factor(const MultiVector& f);
  ElasticModes compute_iteratively(int n, std::int64_t n_all,
                                   const std::function<void(MultiVector&)>& project,
                                   const std::function<void(MultiVector&)>& project_forces);
  MultiVector solve_iteratively(const MultiVector& f, const ElasticModes& known, MultiVector start);
  void check_modes(const ElasticModes& modes) const;
  std::int64_t count_modes_but(int n_excluded) const;
  MultiVector make_start_block(int n_columns) const;
  void find_modes(int n_wanted, double tolerance, const MultiVector& deflated, ElasticModes& found);
  double find_lowest_beside(const MultiVector& known);

  Pencil& pencil_;
  double tolerance_;
  std::unique_ptr<solvers::SymmetricFactor> factor_;  ///< direct route, on several ranks
  base::Ksp ksp_;                                     ///< direct route
  MultiVector frame_mass_solutions_;                  ///< direct route: Y of apply_factor()
  math::CholeskyFactor frame_mass_factor_;            ///< I / shift + V^T Y
  std::unique_ptr<BlockPreconditioner> multigrid_;    ///< iterative route
  std::vector<Eps> passes_;
};

}  // namespace solidyn::reduction
