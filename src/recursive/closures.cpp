#include "solidyn/recursive/closures.h"

#include <fmt/format.h>

#include <cmath>

#include "recursive/closure_sweep.h"
#include "solidyn/joints/joint.h"

namespace solidyn::recursive {

using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// Of the sizes of the forces of a row: what is left of their sum when all bodies move as one.
constexpr double kBalanced = 1e-9;
// Of pivots of independent rows: between this and what is dependent positions within round-off of
// each other have loops of other kinds.
constexpr double kWeak = 1e-9;

// Whether a row sees something that does not move with its bodies, such as the ground.
bool sees_ground(const system::System& system, const joints::Constraint& constraint,
                 const joints::ConstraintValues& values) {
  if (const joints::Joint* joint = constraint.as_joint())
    if (joint->link().body_A() == bodies::kGround || joint->link().body_B() == bodies::kGround)
      return true;
  for (Eigen::Index row = 0; row < values.G.rows(); ++row) {
    Vector3d force = Vector3d::Zero(), torque = force;
    double size_of_force = 0.0, size_of_torque = 0.0;
    int column = 0;
    for (const BodyIndex i : constraint.bodies()) {
      const bodies::BodyState& body = system.kinematics().bodies[i];
      const Vector3d f = values.G.row(row).segment<3>(column),
                     t = body.R_WB * values.G.row(row).segment<3>(column + 3).transpose();
      const Vector3d arm = body.p_WB - system.kinematics().bodies[constraint.bodies()[0]].p_WB;
      force += f;
      torque += t + arm.cross(f);
      size_of_force += f.norm();
      size_of_torque += t.norm() + arm.norm() * f.norm();
      column += system.body(i).n_velocities();
    }
    if (force.norm() > kBalanced * size_of_force || torque.norm() > kBalanced * size_of_torque)
      return true;
  }
  return false;
}

}  // namespace

Closures::Closures(Tree& tree, ArticulatedBodies& bodies)
    : tree_(tree), bodies_(bodies), constraints_(tree.forest().closures) {
  const system::System& system = tree.system();
  std::vector<ClosureOrder::Closure> closures;
  std::vector<int> rows;
  for (const ConstraintIndex c : constraints_) {
    const joints::Constraint& constraint = system.constraint(c);
    int columns = 0;
    ClosureOrder::Closure closure;
    for (const BodyIndex body : constraint.bodies()) {
      columns += system.body(body).n_velocities();
      closure.links.push_back(tree.entry_of_rows(tree.index_of(body)));
    }
    joints::ConstraintValues values;
    const int n = constraint.n_rows();
    values.phi.setZero(n);
    values.G.setZero(n, columns);
    values.nu.setZero(n);
    values.gamma.setZero(n);
    constraint.evaluate(system.kinematics(), 0.0, values);
    closure.sees_ground = sees_ground(system, constraint, values);
    for (int row = 0; row < n; ++row) row_of_.push_back({static_cast<int>(values_.size()), row});
    rows.push_back(n);
    closures.push_back(std::move(closure));
    values_.push_back(std::move(values));
  }
  if (empty()) return;
  sweep_ = std::make_unique<ClosureSweep>(tree, closures, rows);
  bodies_.set_closures(sweep_.get());
}

Closures::~Closures() { bodies_.set_closures(nullptr); }

bool Closures::has_dependent_rows() const { return sweep_ && sweep_->n_dependent() > 0; }

const ClosureOrder& Closures::order() const { return sweep_->order(); }

ClosureCounts Closures::counts() const { return sweep_ ? sweep_->counts() : ClosureCounts(); }

std::string Closures::warning() const {
  if (!sweep_ || sweep_->weakest() > kWeak) return {};
  const auto [c, row] = row_of_[sweep_->weakest_row()];
  const joints::Constraint& constraint = tree_.system().constraint(constraints_[c]);
  return fmt::format(
      "recursive: the loop that {} closes hardly moves it ({}; {:.0e} of what it moves most): near a singular position it cannot be closed well, and its forces lose digits\n  begin in another position, or set  formulation: absolute",
      constraint.name(), constraint.row_name(row), std::sqrt(sweep_->weakest()));
}

void Closures::evaluate(double t) {
  for (std::size_t i = 0; i < constraints_.size(); ++i)
    tree_.system().constraint(constraints_[i]).evaluate(tree_.system().kinematics(), t, values_[i]);
}

void Closures::evaluate_rates(double t) {
  for (std::size_t i = 0; i < constraints_.size(); ++i)
    tree_.system()
        .constraint(constraints_[i])
        .evaluate_rates(tree_.system().kinematics(), t, values_[i]);
}

bool Closures::is_rate(int row) const {
  const auto [c, local] = row_of_[row];
  return tree_.system().constraint(constraints_[c]).level(local) ==
         joints::Constraint::Level::velocity;
}

VectorXd Closures::position_violation() const {
  VectorXd violation(n_rows());
  for (int i = 0; i < n_rows(); ++i) {
    const auto [c, row] = row_of_[i];
    violation[i] = is_rate(i) ? 0.0 : values_[c].phi[row];
  }
  return violation;
}

VectorXd Closures::velocity_violation(const system::State& state) const {
  VectorXd violation(n_rows());
  for (int i = 0; i < n_rows(); ++i) {
    const auto [c, row] = row_of_[i];
    double sum = -values_[c].nu[row];
    int column = 0;
    for (const BodyIndex body : tree_.system().constraint(constraints_[c]).bodies()) {
      const int n = tree_.system().body(body).n_velocities();
      sum += values_[c].G.row(row).segment(column, n).dot(
          state.v.segment(tree_.system().layout().velocity_offset(body), n));
      column += n;
    }
    violation[i] = sum;
  }
  return violation;
}

void Closures::add_forces(const VectorXd& lambda) {
  for (int i = 0; i < n_rows(); ++i) {
    if (lambda[i] == 0.0) continue;
    const auto [c, row] = row_of_[i];
    int column = 0;
    for (const BodyIndex body : tree_.system().constraint(constraints_[c]).bodies()) {
      const int n = tree_.system().body(body).n_velocities();
      bodies_.add_force(tree_.link_of(body),
                        lambda[i] * values_[c].G.row(row).segment(column, n).transpose());
      column += n;
    }
  }
}

void Closures::set_rows() {
  sweep_->begin();
  for (std::size_t i = 0; i < constraints_.size(); ++i) {
    int column = 0;
    for (const BodyIndex body : tree_.system().constraint(constraints_[i]).bodies()) {
      const int n = tree_.system().body(body).n_velocities();
      sweep_->add_rows(static_cast<int>(i), tree_.link_of(body),
                       values_[i].G.middleCols(column, n));
      column += n;
    }
  }
  for (int i = 0; i < n_rows(); ++i)
    sweep_->right_side[i] = values_[row_of_[i].constraint].gamma[row_of_[i].row];
}

const VectorXd& Closures::multipliers() const { return sweep_->multipliers(); }

std::vector<IdleMultipliers> Closures::find_idle() { return sweep_->find_idle(); }

int Closures::row_of_system(int row) const {
  const auto [c, local] = row_of_[row];
  return tree_.system().layout().constraint_offset(constraints_[c]) + local;
}

void Closures::write(const Eigen::Ref<const VectorXd>& lambda, VectorXd& of_system) const {
  for (int i = 0; i < n_rows(); ++i) of_system[row_of_system(i)] = lambda[i];
}

void Closures::find_correction(const VectorXd& violation, VectorXd& du) {
  sweep_->right_side = -violation;
  bodies_.set_forces_to_zero();
  bodies_.solve(ArticulatedBodies::Bias::none, du);
}

std::string Closures::worst(const VectorXd& violation) const {
  Eigen::Index i = 0;
  const double size = violation.cwiseAbs().maxCoeff(&i);
  const joints::Constraint& constraint =
      tree_.system().constraint(constraints_[row_of_[i].constraint]);
  return fmt::format("{} ({}) by {:.3g}", constraint.name(), constraint.row_name(row_of_[i].row),
                     size);
}

}  // namespace solidyn::recursive
