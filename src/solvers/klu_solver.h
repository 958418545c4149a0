#pragma once
#include <klu.h>

#include "solidyn/math/dense.h"
#include "solidyn/solvers/linear_solver.h"

namespace solidyn::solvers {

/// SuiteSparse KLU directly: PETSc's interface to it would factorise from scratch each time.
///
/// Blocks of joints and bodies are mostly zeros, and stay so where a mechanism is plane: only
/// entries that have ever differed from zero are factorised. When others come to life the pattern
/// grows and is analysed anew, and after a few times it is taken as a whole. What is nearly full,
/// as with hundreds of ports of a full-mesh body, is factorised as a dense matrix, by blocks.
class KluSolver final : public LinearSolver {
 public:
  KluSolver();
  ~KluSolver() override { release(); }
  KluSolver(const KluSolver&) = delete;
  KluSolver& operator=(const KluSolver&) = delete;
  const char* name() const override { return "KLU"; }
  void factor() override;
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) override;
  Eigen::MatrixXd solve_columns(const Eigen::MatrixXd& B) override;
  FactorSize factor_size() const override;

 private:
  void pattern_changed() override;
  bool has_grown() const;
  void grow_pattern();
  void gather_values();
  bool refactor_is_good();
  bool is_nearly_full() const;
  void factor_dense();
  void release_numeric();
  void release();

  mutable klu_common common_{};  // which KLU writes what it counts into
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
  double rcond_ = 0.0;
  int n_growths_ = 0;
  std::vector<char> is_active_;                   // of the entries of values_
  std::vector<int> active_, inactive_;            // their positions in values_
  std::vector<int> active_starts_, active_rows_;  // compressed columns of the active ones
  std::vector<double> active_values_;
  math::LuFactor dense_;
  bool is_dense_ = false;
};

}  // namespace solidyn::solvers
