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
///
/// As needed, only sets of unknowns that hang together by such entries are factorised of which a
/// right-hand side has ever asked for one: of a plane mechanism the motions in its plane, without
/// those across it. Proved by InTwoSets.*
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
  bool factor_as_needed() override;
  bool lacks(const Eigen::VectorXd& b) override;

 private:
  void pattern_changed() override;
  bool has_grown() const;
  void grow_pattern();
  void find_sets();
  void choose_active();
  void ask_for(const Eigen::VectorXd& b);
  bool asks(const Eigen::VectorXd& b) const;
  void gather_values();
  void factor_active();
  bool holds_all() const { return static_cast<int>(needed_.size()) == n_; }
  bool refactor_is_good();
  bool is_nearly_full() const;
  void factor_dense();
  void solve_active(Eigen::Index n_columns, double* x);
  void release_numeric();
  void release();

  mutable klu_common common_{};  // which KLU writes what it counts into
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
  double rcond_ = 0.0;
  int n_growths_ = 0;
  bool waits_ = false, is_factored_ = false;
  std::vector<int> set_of_;             // of each unknown, by one of the set's
  std::vector<char> is_needed_;         // of unknowns
  std::vector<char> lacks_some_;        // of sets: whether a member is left out
  std::vector<int> needed_, place_of_;  // which, and where among them; -1: not needed
  Eigen::VectorXd packed_;
  std::vector<char> is_active_;                   // of the entries of values_
  std::vector<int> active_, inactive_;            // their positions in values_; active, if needed
  std::vector<int> active_starts_, active_rows_;  // compressed columns of the active ones
  std::vector<double> active_values_;
  math::LuFactor dense_;
  bool is_dense_ = false;
};

}  // namespace solidyn::solvers
