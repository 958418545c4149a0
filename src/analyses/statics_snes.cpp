// PETSc's SNES in place of the Newton method of Statics.
#include "equilibrium.h"
#include "solidyn/analyses/statics.h"
#include "solidyn/solvers/snes.h"

namespace solidyn::analyses {

using Eigen::VectorXd;
using system::State;

// The unknowns y are displacements and rotations, and multipliers times the scale of rows, from
// where the iteration begins. Rotations are increments from the last iterate, about which the
// tangent is their derivative.
class Statics::EquilibriumEquations final : public solvers::NonlinearEquations {
 public:
  explicit EquilibriumEquations(Statics& statics)
      : statics_(statics),
        equilibrium_(*statics.equilibrium_),
        base_(statics.state_.clone()),
        y_(VectorXd::Zero(statics.system_.layout().n_unknowns())),
        step_(equilibrium_.make_move()) {}

  void evaluate(const VectorXd& y, VectorXd& f) override {
    go_to(y);
    if (!equilibrium_.is_admissible(statics_.state_))
      throw base::ComputationError("an element is inverted, or a force is not finite");
    f = -equilibrium_.evaluate(statics_.state_);
  }

  void linearise(const VectorXd& y) override {
    accept(y);
    equilibrium_.linearise(statics_.state_);
  }

  void solve(const VectorXd& b, VectorXd& x) override { equilibrium_.solve(b, x); }
  VectorXd product(const VectorXd& x) override { return equilibrium_.product(x); }

  // As the own method has it: by the correction that would follow with the same tangent, which says
  // something near the solution alone. The residual says nothing: of a slender body it is of the
  // stretch that a shortened correction has left, and takes away in the next one.
  bool has_converged(const VectorXd& update) override {
    const double size = size_of(update);
    accept(y_ + update);
    statics_.statistics_.corrections.push_back(size);
    ++statics_.statistics_.newton_iterations;
    if (!statics_.is_near(size)) return false;
    const double next = next_size();
    const bool stagnates = next > 0.5 * size && statics_.may_be_noise(next);
    return (statics_.is_small(next) || stagnates) && statics_.meets_constraints();
  }

  // Where the correction is as small.
  bool is_at_round_off(const VectorXd& y) override {
    go_to(y);
    equilibrium_.linearise(statics_.state_);
    return statics_.may_be_noise(next_size()) && statics_.meets_constraints();
  }

 private:
  void set_step(const VectorXd& increment) {
    step_.small = increment;
    step_.small.tail(statics_.system_.layout().n_constraints()) /= equilibrium_.row_scale();
  }

  double size_of(const VectorXd& update) {
    set_step(update);
    return equilibrium_.size(step_);
  }

  void go_to(const VectorXd& y) {
    set_step(y - y_);
    equilibrium_.apply(base_, 1.0, step_, statics_.state_);
  }

  double next_size() {
    VectorXd next;
    solve(equilibrium_.evaluate(statics_.state_), next);
    return size_of(next);
  }

  void accept(const VectorXd& y) {
    go_to(y);
    statics_.take(1.0, step_);
    base_.copy_from(statics_.state_);
    y_ = y;
  }

  Statics& statics_;
  Equilibrium& equilibrium_;
  State base_;  // at y_
  VectorXd y_;
  Move step_;
};

bool Statics::iterate_by_snes() {
  statistics_.corrections.clear();
  EquilibriumEquations equations(*this);
  VectorXd y = VectorXd::Zero(system_.layout().n_unknowns());
  // A shortened step that lessens the residual a little is no step towards it in slender bodies,
  // whose stretch says nothing of how far they are to bend; the least residual along it is.
  solvers::Snes snes(equations, static_cast<int>(y.size()), options_.max_iterations,
                     SNESLINESEARCHL2);
  if (!snes.solve(y)) throw base::ComputationError("SNES ends with " + snes.reason());
  equilibrium_->find_correction(state_, *next_);
  return true;
}

}  // namespace solidyn::analyses
