#include <algorithm>
#include <cmath>

#include "solidyn/analyses/modes.h"
#include "solidyn/system/accelerations.h"
#include "solidyn/system/initial_conditions.h"

namespace solidyn::analyses {
namespace {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using system::Linearisation;
using system::State;
using system::System;

constexpr double kPartOfTime = 1e-3;

// The motion a little later, with the accelerations and multipliers that it then has.
State later_state(System& system, const State& state, const Linearisation& l) {
  State later = moved_along(system, state, kPartOfTime / l.rate);
  auto solver =
      solvers::make_linear_solver(solvers::Preset::automatic, system.layout().n_unknowns());
  system.set_pattern(*solver);
  system.update(later);
  system::AccelerationOptions options;
  if (l.has_redundant_rows) {
    VectorXd r, phi;
    system.compute_residual(later, r, phi);
    options.regularization = system::redundancy_regularization(system);
  }
  system::solve_acceleration_equations(system, later, options, *solver);
  return later;
}

}  // namespace

double unsteadiness(System& system, const State& state, const Linearise& linearise,
                    const Linearisation& l, const MinimalCoordinates& m,
                    const std::vector<Mode>& modes) {
  if (l.is_at_rest() || modes.empty()) return 0.0;
  const State later = later_state(system, state, l);
  const MinimalCoordinates m_later = make_minimal_coordinates(linearise(later), m.Y);
  system.update(state);
  const MatrixXcd change = (state_matrix(m_later) - state_matrix(m)).cast<std::complex<double>>();
  const MatrixXcd mass = m.M.cast<std::complex<double>>();
  const auto size = [&](const VectorXcd& u) { return std::sqrt(std::abs(u.dot(mass * u))); };
  double largest = 0.0;
  for (const Mode& mode : modes) {
    const VectorXcd y = m.Y.cast<std::complex<double>>() * mode.shape;
    VectorXcd z(m.n_y() + m.n_u());
    z << y, mode.s * (m.Z.transpose().cast<std::complex<double>>() * y);
    const double rate = std::max(std::abs(mode.s), l.rate);
    // Shapes have modal mass 1.
    largest = std::max(largest, size((change * z).tail(m.n_u())) / (kPartOfTime * rate * rate));
  }
  return largest;
}

}  // namespace solidyn::analyses
