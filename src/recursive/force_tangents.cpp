#include "recursive/force_tangents.h"

namespace solidyn::recursive {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void visit_forces(const StepEquations& equations, const system::State& state,
                  const std::function<void(const ForceTangent&)>& visit) {
  if (!equations.has_forces()) return;
  const system::System& system = equations.system();
  const auto look = [&](const forces::Force& force) {
    int n = 0;
    for (const BodyIndex body : force.bodies()) n += system.body(body).n_velocities();
    ForceTangent tangent{force.bodies(), MatrixXd::Zero(n, n), MatrixXd::Zero(n, n),
                         VectorXd::Zero(n)};
    force.add_tangent(system.kinematics(), state.t, {0.0, 1.0, 1.0}, tangent.by_v, tangent.by_q);
    force.add_residual(system.kinematics(), state.t, tangent.r);
    visit(tangent);
  };
  for (const forces::ForceIndex f : system.forces()) {
    const forces::Force& force = system.force(f);
    if (!force.has_parts()) look(force);
    for (const forces::Force* part : force.parts()) look(*part);
  }
}

void visit_closures(const StepEquations& equations, const system::State& state,
                    const std::function<void(int closure, const ForceTangent&)>& visit) {
  const system::System& system = equations.system();
  const Closures& closures = equations.closures();
  for (int i = 0; i < static_cast<int>(closures.constraints().size()); ++i) {
    const ConstraintIndex c = closures.constraints()[i];
    const joints::Constraint& constraint = system.constraint(c);
    const MatrixXd& G = closures.values(i).G;
    const VectorXd lambda =
        state.lambda.segment(system.layout().constraint_offset(c), constraint.n_rows());
    ForceTangent tangent{constraint.bodies(), MatrixXd::Zero(G.cols(), G.cols()),
                         MatrixXd::Zero(G.cols(), G.cols()), G.transpose() * lambda};
    constraint.add_stiffness(system.kinematics(), state.t, lambda, 1.0, tangent.by_q);
    visit(i, tangent);
  }
}

}  // namespace solidyn::recursive
