#include "solidyn/recursive/step_equations.h"

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

void StepEquations::accelerate(const VectorXd& du) {
  std::vector<Link>& links = tree_.links();
  for (Link& k : links) {
    k.a = k.bias;
    if (k.parent >= 0) {
      const Link& parent = links[k.parent];
      const Vector3d turn = parent.a.tail<3>();
      k.a += parent.a;
      k.a.head<3>() += turn.cross(k.arm);
      if (k.carried >= 0) {
        const int n = tree_.modes()[parent.modes].n;
        k.a += tree_.carried()[k.carried].X.lazyProduct(du.segment(parent.u + parent.n_speeds, n));
      }
    }
    const auto H = tree_.H(k);
    for (int j = 0; j < k.n_speeds; ++j) k.a += du[k.u + k.order[j]] * H.col(j);
    if (k.modes < 0) continue;
    const Modes& m = tree_.modes()[k.modes];
    k.a += m.E.lazyProduct(du.segment(k.u + k.n_speeds, m.n));
  }
}

VectorXd StepEquations::own_acceleration(const Link& k, const VectorXd& du) const {
  const int n = tree_.modes()[k.modes].n;
  VectorXd a(6 + n);
  a << k.R.transpose() * k.a.head<3>(), k.R.transpose() * k.a.tail<3>(),
      du.segment(k.u + k.n_speeds, n);
  return a;
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
  const VectorXd f = m.M * own_acceleration(k, du);
  k.z.head<3>() += k.R * f.head<3>();
  k.z.tail<3>() += k.R * f.segment<3>(3);
  m.z_f += f.tail(m.n);
}

// Inwards: what each hinge exerts, and what of it is along its columns.
void StepEquations::project() {
  std::vector<Link>& links = tree_.links();
  for (std::size_t i = links.size(); i-- > 0;) {
    Link& k = links[i];
    k.f = k.z;
    const auto H = tree_.H(k);
    for (int j = 0; j < k.n_speeds; ++j)
      r_[k.u + k.order[j]] = j < k.n_free ? H.col(j).dot(k.f) : 0.0;
    if (k.modes >= 0) {
      const Modes& m = tree_.modes()[k.modes];
      r_.segment(k.u + k.n_speeds, m.n) = m.z_f + m.E.transpose().lazyProduct(k.f);
    }
    if (k.parent < 0) continue;
    Link& parent = links[k.parent];
    const Vector3d force = k.f.head<3>();
    parent.z += k.f;
    parent.z.tail<3>() += k.arm.cross(force);
    if (k.carried >= 0)
      tree_.modes()[parent.modes].z_f += tree_.carried()[k.carried].X.transpose().lazyProduct(k.f);
  }
}

void StepEquations::evaluate(VectorXd& q, VectorXd& u, VectorXd& du, system::State& state) {
  mechanism_.move(state.t, q, u);
  for (const Link& k : tree_.links())
    for (int j = k.n_free; j < k.n_speeds; ++j)
      du[k.u + k.order[j]] = mechanism_.laws_[k.u + k.order[j]];
  du_ = du;
  accelerate(du);
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
    mechanism_.bodies_.factorise();
    mechanism_.closures_.factorise();
    mechanism_.shorten_multipliers(state.lambda);
  }
}

}  // namespace solidyn::recursive
