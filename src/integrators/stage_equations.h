#pragma once
#include "integrators/implicit_stage.h"
#include "solidyn/solvers/snes.h"

namespace solidyn::integrators {

// The equations of a stage as PETSc's SNES wants them. The unknowns y are the increment of the
// positions from the first guess and that of the multipliers times row_scale_; F is what evaluate()
// leaves, with its sign turned.
class ImplicitStage::StageEquations final : public solvers::NonlinearEquations {
 public:
  StageEquations(ImplicitStage& stage, int max_iterations);

  // From the guess s. @return whether it has converged; s is the solution then
  bool solve(system::State& s);

  void evaluate(const Eigen::VectorXd& y, Eigen::VectorXd& f) override;
  void linearise(const Eigen::VectorXd& y) override;
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) override;
  Eigen::VectorXd product(const Eigen::VectorXd& x) override;
  // By the correction that would follow with the same tangent.
  bool has_converged(const Eigen::VectorXd& update) override;
  // Where the correction is as small.
  bool is_at_round_off(const Eigen::VectorXd& y) override;

 private:
  void note(const Eigen::VectorXd& update);
  // @return whether the equations are finite there
  bool go_to(const Eigen::VectorXd& y);
  // What multipliers of dependent constraints have gathered since G^T changed: forces do not feel
  // it.
  void drop_null_part();

  ImplicitStage& stage_;
  solvers::Snes snes_;
  system::State* s_ = nullptr;
  Eigen::VectorXd y_, accepted_;  // where s_ is; the iterate
  int n_evaluations_ = 0;
  bool is_linearised_ = false;
};

}  // namespace solidyn::integrators
