#include "solidyn/recursive/closures.h"

#include <fmt/format.h>

#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/math/dense.h"

namespace solidyn::recursive {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Of eigenvalues of A, whose rows have been given the length one: below it they are dependent.
constexpr double kDependent = 1e-12;
// Of the largest entry on the diagonal of A: what is smaller is round-off of a row that nothing
// moves, such as one out of the plane of a plane mechanism, and is not made one.
constexpr double kStands = 1e-16;

}  // namespace

Closures::Closures(Tree& tree, ArticulatedBodies& bodies)
    : tree_(tree), bodies_(bodies), constraints_(tree.forest().closures) {
  const system::System& system = tree.system();
  for (const ConstraintIndex c : constraints_) {
    const joints::Constraint& constraint = system.constraint(c);
    int columns = 0;
    for (const BodyIndex body : constraint.bodies()) columns += system.body(body).n_velocities();
    joints::ConstraintValues values;
    const int n = constraint.n_rows();
    values.phi.setZero(n);
    values.G.setZero(n, columns);
    values.nu.setZero(n);
    values.gamma.setZero(n);
    for (int row = 0; row < n; ++row) row_of_.push_back({static_cast<int>(values_.size()), row});
    values_.push_back(std::move(values));
  }
  lambda_.setZero(n_rows());
  acceleration_.setZero(system.layout().n_velocities());
  du_.setZero(tree.n_speeds());
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

// G a of the links' accelerations.
VectorXd Closures::multiply_G() {
  VectorXd product = VectorXd::Zero(n_rows());
  for (int i = 0; i < n_rows(); ++i) {
    const auto [c, row] = row_of_[i];
    int column = 0;
    for (const BodyIndex body : tree_.system().constraint(constraints_[c]).bodies()) {
      const int n = tree_.system().body(body).n_velocities();
      auto a = acceleration_.head(n);
      bodies_.write_acceleration(tree_.link_of(body), a);
      product[i] += values_[c].G.row(row).segment(column, n).dot(a);
      column += n;
    }
  }
  return product;
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

void Closures::factorise() {
  MatrixXd A(n_rows(), n_rows());
  for (int i = 0; i < n_rows(); ++i) {
    bodies_.set_forces_to_zero();
    add_forces(VectorXd::Unit(n_rows(), i));
    bodies_.solve(ArticulatedBodies::Bias::none, du_);
    A.col(i) = -multiply_G();
  }
  const double smallest = std::max(kStands * A.diagonal().maxCoeff(), 1e-300);
  scale_ = A.diagonal().cwiseMax(smallest).cwiseSqrt().cwiseInverse();
  const MatrixXd scaled = scale_.asDiagonal() * A * scale_.asDiagonal();
  auto spectrum = math::symmetric_spectrum(MatrixXd(0.5 * (scaled + scaled.transpose())));
  if (!spectrum.has_converged)
    throw base::ComputationError("recursive: the closures of loops have no finite inertia");
  const VectorXd& values = spectrum.values;  // ascending
  if (n_dependent_ < 0)
    n_dependent_ = static_cast<int>((values.array() <= kDependent * values.maxCoeff()).count());
  inverse_values_ = values.cwiseInverse();
  inverse_values_.head(n_dependent_).setZero();
  vectors_ = std::move(spectrum.vectors);
}

VectorXd Closures::solve(const VectorXd& rhs) const {
  const VectorXd scaled = vectors_.transpose() * scale_.cwiseProduct(rhs);
  return scale_.cwiseProduct(vectors_ * inverse_values_.cwiseProduct(scaled));
}

const VectorXd& Closures::find_multipliers() {
  VectorXd rhs = multiply_G();
  for (int i = 0; i < n_rows(); ++i) rhs[i] -= values_[row_of_[i].constraint].gamma[row_of_[i].row];
  factorise();
  lambda_ = solve(rhs);
  return lambda_;
}

MatrixXd Closures::idle_multipliers() const {
  MatrixXd idle = scale_.asDiagonal() * vectors_.leftCols(std::max(0, n_dependent_));
  idle.colwise().normalize();
  return idle;
}

void Closures::write(const Eigen::Ref<const VectorXd>& lambda, VectorXd& of_system) const {
  for (int i = 0; i < n_rows(); ++i) {
    const auto [c, row] = row_of_[i];
    of_system[tree_.system().layout().constraint_offset(constraints_[c]) + row] = lambda[i];
  }
}

void Closures::find_correction(const VectorXd& violation, VectorXd& du) {
  bodies_.set_forces_to_zero();
  add_forces(solve(violation));
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
