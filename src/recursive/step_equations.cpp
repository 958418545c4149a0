#include "solidyn/recursive/step_equations.h"

#include "recursive/link_sweeps.h"

namespace solidyn::recursive {

using Eigen::Vector3d;
using Eigen::VectorXd;

StepEquations::StepEquations(Mechanism& mechanism) : mechanism_(mechanism), tree_(mechanism.tree_) {
  r_.setZero(tree_.n_speeds());
  phi_.setZero(n_closure_rows());
}

VectorXd StepEquations::closure_multipliers(const system::State& state) const {
  VectorXd lambda(n_closure_rows());
  int at = 0;
  for (const ConstraintIndex c : tree_.forest().closures) {
    const int n = mechanism_.system_.constraint(c).n_rows();
    lambda.segment(at, n) =
        state.lambda.segment(mechanism_.system_.layout().constraint_offset(c), n);
    at += n;
  }
  return lambda;
}

void StepEquations::set_closure_multipliers(const VectorXd& lambda, system::State& state) const {
  mechanism_.closures_.write(lambda, state.lambda);
}

void StepEquations::find_accelerations(VectorXd& q, VectorXd& u, system::State& state,
                                       VectorXd& du) {
  mechanism_.compute_accelerations(q, u, state, du);
}

// To what the forces at no acceleration are.
void StepEquations::add_inertia(Link& k, const VectorXd& du) {
  if (k.modes < 0) {
    const Vector3d c = k.R * k.first_moment, a = k.a.head<3>(), turn = k.a.tail<3>();
    const Vector3d turn_B = k.R.transpose() * turn;
    k.z.head<3>() += k.mass * a + turn.cross(c);
    k.z.tail<3>() += c.cross(a) + k.R * (k.J * turn_B);
    return;
  }
  Modes& m = tree_.modes()[k.modes];
  m.M.setZero();
  m.body->add_tangent(m.state, Vector3d::Zero(), {1.0, 0.0, 0.0}, m.M, m.unused);
  const VectorXd f = m.M * own_acceleration(tree_, k, du);
  k.z.head<3>() += k.R * f.head<3>();
  k.z.tail<3>() += k.R * f.segment<3>(3);
  m.z_f += f.tail(m.n);
}

// Speeds that follow laws have no equation.
void StepEquations::project() {
  for (Link& k : tree_.links()) k.f = k.z;
  for (Modes& m : tree_.modes()) m.ddq = m.z_f;
  project_forces(tree_, r_);
  for (const Link& k : tree_.links())
    for (int j = k.n_free; j < k.n_speeds; ++j) r_[k.u + k.order[j]] = 0.0;
}

void StepEquations::evaluate(VectorXd& q, VectorXd& u, VectorXd& du, system::State& state) {
  mechanism_.move(state.t, q, u);
  for (const Link& k : tree_.links())
    for (int j = k.n_free; j < k.n_speeds; ++j)
      du[k.u + k.order[j]] = mechanism_.laws_[k.u + k.order[j]];
  du_ = du;
  accelerate(tree_, du);
  if (mechanism_.needs_kinematics_) {
    tree_.write(state);
    mechanism_.system_.update(state);
  }
  mechanism_.set_forces(state);
  Closures& closures = mechanism_.closures_;
  if (!closures.empty()) {
    mechanism_.system_.update_accelerations();
    closures.evaluate(state.t);
    closures.evaluate_rates(state.t);
    closures.add_forces(closure_multipliers(state));
    phi_ = closures.position_violation();
    const VectorXd rates = closures.velocity_violation(state);
    for (int i = 0; i < phi_.size(); ++i)
      if (closures.is_rate(i)) phi_[i] = rates[i];
  }
  for (Link& k : tree_.links()) add_inertia(k, du);
  project();
}

VectorXd StepEquations::closure_accelerations() const {
  VectorXd all(n_closure_rows());
  const Closures& closures = mechanism_.closures_;
  int row = 0;
  for (std::size_t i = 0; i < closures.constraints().size(); ++i) {
    const Eigen::MatrixXd& G = closures.values(static_cast<int>(i)).G;
    VectorXd a(G.cols());
    int at = 0;
    for (const BodyIndex body : mechanism_.system_.constraint(closures.constraints()[i]).bodies()) {
      const Link& k = tree_.link_of(body);
      a.segment<3>(at) = k.a.head<3>();
      a.segment<3>(at + 3) = k.R.transpose() * k.a.tail<3>();
      at += 6;
      if (k.modes < 0) continue;
      const int n = tree_.modes()[k.modes].n;
      a.segment(at, n) = du_.segment(k.u + k.n_speeds, n);
      at += n;
    }
    all.segment(row, G.rows()) = G * a;
    row += static_cast<int>(G.rows());
  }
  return all;
}

void StepEquations::write(system::State& state) {
  tree_.write(state);
  const system::Layout& layout = mechanism_.system_.layout();
  for (const Link& k : tree_.links()) {
    auto a = state.a.segment(layout.velocity_offset(k.body), layout.n_velocities(k.body));
    if (k.modes >= 0) {
      Modes& m = tree_.modes()[k.modes];
      m.ddq = du_.segment(k.u + k.n_speeds, m.n);
    }
    mechanism_.bodies_.write_acceleration(k, a);
  }
  mechanism_.system_.update(state);
  mechanism_.write_drive_multipliers(state);
  mechanism_.write_hinge_multipliers(state.lambda);
  if (mechanism_.closures_.has_dependent_rows()) {
    mechanism_.closures_.evaluate(state.t);
    mechanism_.closures_.set_rows();
    mechanism_.bodies_.factorise();
    mechanism_.shorten_multipliers(state.lambda);
  }
}

}  // namespace solidyn::recursive
