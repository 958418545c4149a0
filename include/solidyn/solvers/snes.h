#pragma once
#include <Eigen/Dense>
#include <exception>
#include <memory>
#include <string>

#include "solidyn/base/petsc.h"

namespace solidyn::solvers {

/// F(y) = 0 as Snes needs it. What evaluate() and linearise() throw shortens the step of the line
/// search or ends the iteration.
class NonlinearEquations {
 public:
  virtual ~NonlinearEquations() = default;
  /// f := F(y). [n]
  virtual void evaluate(const Eigen::VectorXd& y, Eigen::VectorXd& f) = 0;
  /// Factors of J = dF/dy at y.
  virtual void linearise(const Eigen::VectorXd& y) = 0;
  /// x := J^-1 b, with the J of the last linearise().
  virtual void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) = 0;
  /// J x, with that J.
  virtual Eigen::VectorXd product(const Eigen::VectorXd& x) = 0;
  /// Whether the iterate to which `update` has led is the solution, asked once for each; the first
  /// one begins where solve() does.
  virtual bool has_converged(const Eigen::VectorXd& update) = 0;
  /// Whether y is a solution as good as round-off lets it become: asked where no step from it
  /// lessens the residual, or a trust region has refused one.
  virtual bool is_at_round_off(const Eigen::VectorXd& y) = 0;
};

/// PETSc's SNES on replicated unknowns: Newton's method with a line search, or what
/// -system_snes_... options choose. Its linear system is solved by NonlinearEquations::solve() as a
/// preconditioner (-system_snes_ksp_...: by default that alone). Local: the same on every rank.
class Snes {
 public:
  /// @param equations  must outlive this
  /// @param max_iterations, line_search  unless options say otherwise; one of SNESLINESEARCH...
  /// @throws base::InputError for options that would take what is no solution for one, or have no
  /// effect
  Snes(NonlinearEquations& equations, int n, int max_iterations, const char* line_search);
  Snes(const Snes&) = delete;
  Snes& operator=(const Snes&) = delete;

  /// From y, to the solution or to where the iteration ended. @return whether it has converged
  /// @throws what the equations threw, where that ended the iteration
  bool solve(Eigen::VectorXd& y);
  int iterations() const { return iterations_; }
  /// Why the last solve() ended, in PETSc's words: "DIVERGED_LINE_SEARCH".
  std::string reason() const;

 private:
  struct Callbacks;
  bool is_at_round_off(const Eigen::VectorXd& y);
  using Handle = base::Handle<::SNES, SNESDestroy>;

  NonlinearEquations& equations_;
  Handle snes_;
  base::Vec y_, f_;
  base::Mat J_;
  Eigen::VectorXd last_, scratch_;
  std::exception_ptr pending_error_;
  bool has_factors_ = false;
  bool has_trust_region_ = false;  // which may refuse a step
  bool has_asked_ = false;         // whether it has converged, since solve() began
  int n_refused_ = 0;              // of steps from `last_`
  SNESConvergedReason reason_ = SNES_CONVERGED_ITERATING;
  int iterations_ = 0;
};

}  // namespace solidyn::solvers
