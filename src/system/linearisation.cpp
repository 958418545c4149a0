#include "solidyn/system/linearisation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solidyn/base/error.h"
#include "solidyn/math/rotation.h"
#include "solidyn/system/assembled_tangent.h"
#include "solidyn/system/initial_conditions.h"
#include "solidyn/system/rate_laws.h"
#include "solidyn/system/scales.h"
#include "system/moving_axes.h"

namespace solidyn::system {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Matrix = Linearisation::Matrix;
using Triplets = std::vector<Eigen::Triplet<double>>;

// Part of the time in which the motion continues by its own size: five points this far apart give
// first derivatives to 1e-12 and second ones to 1e-9.
constexpr double kTimeStep = 2e-3;
constexpr double kIncrement = 1e-5;  // relative displacement of central differences
// Relative velocities (1/s) and accelerations (1/s^2) below are round-off of rest.
constexpr double kAtRest = 1e-9;
// Round-off of forces in balance, of the largest of them.
constexpr double kBalanced = 64.0 * std::numeric_limits<double>::epsilon();

// Which rows (or columns) of an assembled matrix go where; -1: nowhere.
struct Selection {
  std::vector<int> target;
  int n = 0;
};

Selection velocities_of(const System& system) {
  Selection s{std::vector<int>(system.layout().n_unknowns(), -1), system.layout().n_velocities()};
  for (int i = 0; i < s.n; ++i) s.target[i] = i;
  return s;
}

Selection multipliers_of(const System& system, const std::vector<int>& rows) {
  Selection s{std::vector<int>(system.layout().n_unknowns(), -1), static_cast<int>(rows.size())};
  for (int i = 0; i < s.n; ++i) s.target[system.layout().n_velocities() + rows[i]] = i;
  return s;
}

Matrix part(const solvers::BlockMatrix& assembled, const Selection& rows,
            const Selection& columns) {
  Triplets list;
  const auto from = assembled.sparse();
  for (int j = 0; j < from.outerSize(); ++j) {
    if (columns.target[j] < 0) continue;
    for (decltype(from)::InnerIterator it(from, j); it; ++it)
      if (rows.target[it.row()] >= 0 && it.value() != 0.0)
        list.emplace_back(rows.target[it.row()], columns.target[j], it.value());
  }
  Matrix matrix(rows.n, columns.n);
  matrix.setFromTriplets(list.begin(), list.end());
  return matrix;
}

// The parts of the equations' derivatives, one coefficient at a time.
class Derivatives {
 public:
  explicit Derivatives(System& system)
      : system_(system), velocities_(velocities_of(system)), tangent_(system) {}
  // Everything that follows is of this state.
  void set_state(const State& state) {
    state_ = &state;
    VectorXd r, phi;
    system_.update(state);
    system_.compute_residual(state, r, phi);
  }
  Matrix derivative(const bodies::TangentCoefficients& coefficients) {
    return part(tangent_.at(*state_, coefficients), velocities_, velocities_);
  }
  Matrix G(const std::vector<int>& rows) const {
    Triplets list;
    std::vector<int> target(system_.layout().n_constraints(), -1);
    for (std::size_t i = 0; i < rows.size(); ++i) target[rows[i]] = static_cast<int>(i);
    const Matrix all = system_.sparse_G();
    for (int j = 0; j < all.outerSize(); ++j)
      for (Matrix::InnerIterator it(all, j); it; ++it)
        if (target[it.row()] >= 0) list.emplace_back(target[it.row()], j, it.value());
    Matrix G(static_cast<Eigen::Index>(rows.size()), system_.layout().n_velocities());
    G.setFromTriplets(list.begin(), list.end());
    return G;
  }
  Matrix B(const std::vector<int>& rows) {
    return part(tangent_.at(*state_, {}), velocities_, multipliers_of(system_, rows));
  }

 private:
  System& system_;
  Selection velocities_;
  AssembledTangent tangent_;
  const State* state_ = nullptr;
};

std::vector<int> independent_rows(const System& system, const VectorXd& weights) {
  const std::vector<int> redundant = find_redundancy(system, weights).rows;
  std::vector<int> rows;
  for (int i = 0; i < system.layout().n_constraints(); ++i)
    if (!std::binary_search(redundant.begin(), redundant.end(), i)) rows.push_back(i);
  return rows;
}

// Keeps the rows of a matrix for which `keep` says so.
Matrix rows_where(const std::vector<bool>& keep, const Matrix& matrix) {
  Matrix kept = matrix;
  kept.prune([&](Eigen::Index row, Eigen::Index, double) { return bool(keep[row]); });
  return kept;
}

// G T on the motion, differentiated in time.
void set_rates_of_G(System& system, const State& state, const MovingAxes& axes,
                    Derivatives& derivatives, Linearisation& l) {
  const double h = kTimeStep / l.rate;
  std::vector<Matrix> G;
  for (int k : {-2, -1, 0, 1, 2}) {
    derivatives.set_state(axes.later(system, state, k * h));
    G.emplace_back(derivatives.G(l.rows) * axes.map(system, k * h));
  }
  std::vector<bool> of_position(l.is_rate);
  of_position.flip();
  l.dG = rows_where(of_position, (G[0] - G[4] + 8.0 * (G[3] - G[1])) / (12.0 * h));
  l.ddG =
      rows_where(of_position, (16.0 * (G[1] + G[3]) - G[0] - G[4] - 30.0 * G[2]) / (12.0 * h * h));
}

// d(G v - nu)/dq of velocity-level rows by central differences: what no constraint gives.
Matrix rate_stiffness(System& system, const State& state, const Linearisation& l) {
  Triplets list;
  State moved = state.clone();
  VectorXd r, plus, minus;
  const auto phi_at = [&](const VectorXd& increment, VectorXd& phi) {
    system.advance(state.q, increment, moved.q);
    system.update(moved);
    system.compute_residual(moved, r, phi);
  };
  for (int j = 0; j < system.layout().n_velocities(); ++j) {
    const double step = kIncrement / l.weights[j];
    const VectorXd increment = step * VectorXd::Unit(system.layout().n_velocities(), j);
    phi_at(increment, plus);
    phi_at(-increment, minus);
    for (std::size_t i = 0; i < l.rows.size(); ++i) {
      const double slope = (plus[l.rows[i]] - minus[l.rows[i]]) / (2.0 * step);
      if (l.is_rate[i] && slope != 0.0) list.emplace_back(static_cast<int>(i), j, slope);
    }
  }
  Matrix E(static_cast<Eigen::Index>(l.rows.size()), system.layout().n_velocities());
  E.setFromTriplets(list.begin(), list.end());
  return E;
}

// Relative acceleration that round-off gives to what is in balance: the stiffer, the more.
double acceleration_at_rest(const Matrix& M, const Matrix& K) {
  const VectorXd mass = M.diagonal(), stiffness = K.diagonal();
  double square = 0.0;  // of the largest frequency, about
  for (Eigen::Index i = 0; i < mass.size(); ++i)
    if (mass[i] > 0.0) square = std::max(square, std::abs(stiffness[i]) / mass[i]);
  return std::max(kAtRest, kBalanced * square);
}

double rate_of(const State& state, const VectorXd& weights, double least_acceleration) {
  if (state.v.size() == 0) return 0.0;
  const double velocity = state.v.cwiseProduct(weights).lpNorm<Eigen::Infinity>();
  const double acceleration = state.a.cwiseProduct(weights).lpNorm<Eigen::Infinity>();
  if (velocity < kAtRest && acceleration < least_acceleration) return 0.0;
  return std::max(velocity, std::sqrt(acceleration));
}

}  // namespace

Tangents find_tangents(System& system, const State& state) {
  SOLIDYN_ASSERT(system.layout().nodal_bodies().empty());
  Derivatives derivatives(system);
  derivatives.set_state(state);
  Tangents t;
  t.weights = increment_weights(system, characteristic_length(system));
  t.M = derivatives.derivative({1.0, 0.0, 0.0});
  t.D = derivatives.derivative({0.0, 1.0, 0.0});
  t.K = derivatives.derivative({0.0, 0.0, 1.0});
  t.rate = rate_of(state, t.weights, acceleration_at_rest(t.M, t.K));
  return t;
}

namespace {

Linearisation linearise_in(System& system, const State& state, const MovingAxes& axes) {
  Linearisation l;
  l.bodies = find_tangents(system, state);
  l.weights = l.bodies.weights;
  l.rate = l.bodies.rate;
  l.rows = independent_rows(system, l.weights);
  l.has_redundant_rows = static_cast<int>(l.rows.size()) < system.layout().n_constraints();
  for (int row : l.rows) l.is_rate.push_back(system.layout().is_velocity_level()[row]);
  Derivatives derivatives(system);
  derivatives.set_state(state);
  axes.set_maps(system, l);

  const Tangents& b = l.bodies;
  const Matrix G = derivatives.G(l.rows), Tt = l.T.transpose();
  l.M = Tt * Matrix(b.M * l.T);
  l.D = Tt * Matrix(b.D * l.T + b.M * l.A1);
  l.K = Tt * Matrix(b.K * l.T + b.D * l.V + b.M * l.A0);
  l.B = Tt * derivatives.B(l.rows);
  l.G = G * l.T;
  const RateLaws laws = find_rate_laws(system);
  l.G = stacked(l.G, laws.by_rate * l.T);
  l.B = Matrix(stacked(l.B.transpose(), laws.by_rate * l.T).transpose());
  l.is_rate.insert(l.is_rate.end(), laws.by_rate.rows(), true);
  l.dependent_G = Matrix(0, l.G.cols());
  hold_closed_contacts(system, state, l);
  l.dG = l.ddG = Matrix(l.G.rows(), l.G.cols());
  l.E =
      stacked(Matrix(static_cast<Eigen::Index>(l.rows.size()), l.G.cols()), laws.by_position * l.T);
  l.E.conservativeResize(l.G.rows(), l.G.cols());
  if (l.is_at_rest()) return l;
  set_rates_of_G(system, state, axes, derivatives, l);
  if (static_cast<Eigen::Index>(l.rows.size()) < l.G.rows()) {
    l.dG.conservativeResize(l.G.rows(), l.G.cols());
    l.ddG.conservativeResize(l.G.rows(), l.G.cols());
  }
  if (std::count(l.is_rate.begin(), l.is_rate.end(), true) > 0)
    l.E = stacked(rate_stiffness(system, state, l) * l.T, laws.by_position * l.T) +
          rows_where(l.is_rate, stacked(G, laws.by_rate) * l.V);
  derivatives.set_state(state);
  return l;
}

}  // namespace

Linearisation linearise(System& system, const State& state, IncrementAxes axes) {
  return linearise_in(system, state, MovingAxes(axes));
}

Linearisation linearise(System& system, const State& state, const Carriage& carriage) {
  return linearise_in(system, state, MovingAxes(carriage));
}

}  // namespace solidyn::system
