#include "relative_static_equations.h"

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/recursive/linearise.h"

namespace solidyn::analyses {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using recursive::Link;
using system::State;

// Of rows that have been scaled by the stiffness and the forces along their coordinates: a smaller
// pivot is round-off.
constexpr double kNothingHolds = 1e-13;

}  // namespace

RelativeStaticEquations::RelativeStaticEquations(system::System& system, const State& state,
                                                 double length,
                                                 recursive::Mechanism::Warnings warnings)
    : system_(system),
      mechanism_(system, warnings),
      equations_(mechanism_),
      derivatives_(equations_),
      tree_(mechanism_.tree()),
      scratch_(state.clone()),
      at_rest_(VectorXd::Zero(tree_.n_speeds())),
      length_(length) {
  find_unknowns();
  place(state);
  if (!equations_.closures().empty()) {  // which of them depend on others
    VectorXd q = q_, u = at_rest_, du;
    equations_.find_accelerations(q, u, scratch_, du);
    place(state);
  }
  derivatives_.evaluate(q_, at_rest_, at_rest_, scratch_);
  rows_ = recursive::independent_rows(rows_of_closures() * scale_.asDiagonal());
}

void RelativeStaticEquations::factor(const State& state) {
  place(state);
  derivatives_.evaluate(q_, at_rest_, at_rest_, scratch_);
  const MatrixXd K = derivatives_.by_q()(free_, free_);
  const MatrixXd G = rows_of_closures()(rows_, Eigen::all);
  const Eigen::Index n = K.rows(), m = G.rows();
  MatrixXd A = MatrixXd::Zero(n + m, n + m);
  A.topLeftCorner(n, n) = scale_.asDiagonal() * K * scale_.asDiagonal();
  A.bottomLeftCorner(m, n) = G * scale_.asDiagonal();
  // Rows of closures are of order one; those of forces become so.
  balance_ = find_forces();
  for (Eigen::Index i = 0; i < n; ++i) {
    const double largest = std::max(A.row(i).head(n).cwiseAbs().maxCoeff(), balance_[i]);
    balance_[i] = largest > 0.0 ? 1.0 / std::sqrt(largest) : 1.0;
  }
  A.topLeftCorner(n, n) = balance_.asDiagonal() * A.topLeftCorner(n, n) * balance_.asDiagonal();
  A.bottomLeftCorner(m, n) = A.bottomLeftCorner(m, n) * balance_.asDiagonal();
  row_scale_.resize(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    auto row = A.row(n + i);
    row_scale_[i] = 1.0 / row.norm();
    row *= row_scale_[i];
  }
  A.topRightCorner(n, m) = A.bottomLeftCorner(m, n).transpose();
  if (A.size() == 0) return;
  factor_.compute(A);
  if (!(factor_.smallest_pivot() > kNothingHolds))
    throw base::ComputationError(
        "the equations of equilibrium are singular: nothing holds some motion of the mechanism");
}

void RelativeStaticEquations::correct(const State& state, Eigen::Ref<VectorXd> of_bodies,
                                      Eigen::Ref<VectorXd> lambda) {
  const VectorXd before = place(state);
  VectorXd phi = equations_.violation();
  for (int i = 0; i < phi.size(); ++i)  // at rest, what gives a rate holds the place
    if (equations_.closures().is_rate(i)) phi[i] = 0.0;
  const VectorXd scale = balance_.cwiseProduct(scale_);
  VectorXd b(scale.size() + row_scale_.size());
  b << -scale.cwiseProduct(equations_.residual()(free_)), -row_scale_.cwiseProduct(phi(rows_));
  const VectorXd x = b.size() > 0 ? VectorXd(factor_.solve(b)) : b;
  VectorXd n = laws_;
  n(free_) = scale.cwiseProduct(x.head(scale.size()));
  // As rates: bodies have the velocities that they have as increments.
  tree_.compute_motion(before.data(), n.data());
  tree_.write(scratch_);
  of_bodies = scratch_.v;
  lambda.setZero();
  for (std::size_t i = 0; i < rows_.size(); ++i)
    lambda[equations_.closures().row_of_system(rows_[i])] =
        row_scale_[i] * x[scale.size() + static_cast<Eigen::Index>(i)];
}

void RelativeStaticEquations::move(const State& before, const VectorXd& of_bodies, State& state) {
  scratch_.copy_from(before);
  scratch_.v = of_bodies;
  system_.update(scratch_);
  VectorXd q, n;
  tree_.find_coordinates(scratch_, q, n);
  for (const int i : tree_.driven_links()) {
    const Link& k = tree_.links()[i];
    for (int j = k.n_free; j < k.n_speeds; ++j) n[k.u + k.order[j]] = 0.0;
  }
  tree_.advance(n, q);
  follow_laws(state.t, q);
  equations_.evaluate_as_given(q, at_rest_, at_rest_, state);
  equations_.write(state);
  equations_.write_reactions(state);
}

void RelativeStaticEquations::find_unknowns() {
  std::vector<double> scale;
  for (const Link& k : tree_.links()) {
    for (int j = 0; j < k.n_free; ++j) {
      free_.push_back(k.u + k.order[j]);
      scale.push_back(k.order[j] < k.hinge.n_translations() ? length_ : 1.0);
    }
    if (k.modes < 0) continue;
    const VectorXd amplitude = tree_.modes()[k.modes].body->elastic_amplitude();
    for (int j = 0; j < amplitude.size(); ++j) {
      free_.push_back(k.u + k.n_speeds + j);
      scale.push_back(length_ / amplitude[j]);
    }
  }
  scale_ = Eigen::Map<const VectorXd>(scale.data(), static_cast<Eigen::Index>(scale.size()));
}

void RelativeStaticEquations::follow_laws(double t, VectorXd& q) {
  VectorXd rates = at_rest_, second_rates = at_rest_;
  tree_.follow_laws(t, q, rates, second_rates);
}

// q_ and the equations at its coordinates, those of drives where their laws are, and laws_: how
// far these have to go. @return its coordinates as they are
VectorXd RelativeStaticEquations::place(const State& state) {
  VectorXd u;
  system_.update(state);
  tree_.find_coordinates(state, q_, u);
  VectorXd before = q_;
  follow_laws(state.t, q_);
  laws_.setZero(tree_.n_speeds());
  for (const int i : tree_.driven_links()) {
    const Link& k = tree_.links()[i];
    for (int j = k.n_free; j < k.n_speeds; ++j) {
      const int at = k.order[j];
      laws_[k.u + at] = q_[k.q + at] - before[k.q + at];
      // Whole turns are not in a pose, but of a screw.
      if (at >= k.hinge.n_translations() && k.hinge.kind() != joints::Hinge::Kind::screw)
        laws_[k.u + at] = std::remainder(laws_[k.u + at], 2.0 * M_PI);
    }
  }
  scratch_.copy_from(state);
  equations_.evaluate_as_given(q_, at_rest_, at_rest_, scratch_);
  return before;
}

// G of the closures by increments of what is free. @pre derivatives_.evaluate()
MatrixXd RelativeStaticEquations::rows_of_closures() {
  const recursive::Closures& closures = equations_.closures();
  const system::Layout& layout = system_.layout();
  std::vector<Eigen::Triplet<double>> entries;
  int first = 0;
  for (std::size_t c = 0; c < closures.constraints().size(); ++c) {
    const MatrixXd& G = closures.values(static_cast<int>(c)).G;
    int column = 0;
    for (const bodies::BodyIndex body : system_.constraint(closures.constraints()[c]).bodies())
      for (int j = 0; j < layout.n_velocities(body); ++j, ++column)
        for (int i = 0; i < G.rows(); ++i)
          entries.emplace_back(first + i, layout.velocity_offset(body) + j, G(i, column));
    first += static_cast<int>(G.rows());
  }
  Eigen::SparseMatrix<double> G(first, layout.n_velocities());
  G.setFromTriplets(entries.begin(), entries.end());
  const MatrixXd all(Eigen::SparseMatrix<double>(G * derivatives_.body_motions().increments));
  return all(Eigen::all, free_);
}

// What acts along the unknowns of hinges, in units of scale_: moments that balance to zero leave
// round-off of this.
VectorXd RelativeStaticEquations::find_forces() const {
  VectorXd forces = VectorXd::Zero(scale_.size());
  Eigen::Index at = 0;
  for (const Link& k : tree_.links()) {
    const double size = std::max(length_ * k.f.head<3>().norm(), k.f.tail<3>().norm());
    forces.segment(at, k.n_free).setConstant(size);
    at += k.n_free + (k.modes >= 0 ? tree_.modes()[k.modes].n : 0);
  }
  return forces;
}

}  // namespace solidyn::analyses
