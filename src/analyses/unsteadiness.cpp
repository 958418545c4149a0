#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "solidyn/analyses/modes.h"
#include "solidyn/base/error.h"
#include "solidyn/system/accelerations.h"
#include "solidyn/system/initial_conditions.h"

namespace solidyn::analyses {
namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using system::Linearisation;
using system::State;
using system::System;

// Of the time in which a motion continues by its own size. Steady motions are followed exactly, so
// that only round-off asks for more.
constexpr double kPartOfTime = 0.05;
constexpr double kConsistent = 1e-12;  // m, rad: of the constraints a little later

// The motion a little later, with the accelerations and multipliers that it then has.
// @throws base::InputError where it leaves its constraints for good
State later_state(System& system, const State& state, const Linearisation& l, double part) {
  State later = moved_along(system, state, part / l.rate);
  system::assemble_positions(system, later, kConsistent);
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

// How much the state matrix changes in that time; none where the constraints are others then.
std::optional<MatrixXd> find_change(System& system, const State& state, const Linearise& linearise,
                                    const Linearisation& l, const MinimalCoordinates& m,
                                    double part) {
  try {
    const Linearisation later = linearise(later_state(system, state, l, part));
    if (later.is_rate != l.is_rate) return std::nullopt;
    return state_matrix(make_minimal_coordinates(later, m.Y, m.Z.transpose())) - state_matrix(m);
  } catch (const base::InputError&) {
    return std::nullopt;
  }
}

}  // namespace

double unsteadiness(System& system, const State& state, const Linearise& linearise,
                    const Linearisation& l, const MinimalCoordinates& m,
                    const std::vector<Mode>& modes) {
  if (l.is_at_rest() || modes.empty()) return 0.0;
  const auto first = find_change(system, state, linearise, l, m, kPartOfTime),
             second = find_change(system, state, linearise, l, m, 2.0 * kPartOfTime);
  system.update(state);
  if (!first || !second) return std::numeric_limits<double>::infinity();
  // By the motion's own size: what changes as it goes, and what begins to change, as where it is
  // let go of at rest.
  const MatrixXcd going = ((4.0 * *first - *second) / (2.0 * kPartOfTime)).cast<Complex>(),
                  beginning = ((*second - 2.0 * *first) / (2.0 * kPartOfTime * kPartOfTime))
                                  .cast<Complex>();
  const MatrixXcd mass = m.M.cast<Complex>();
  const auto size = [&](const VectorXcd& u) { return std::sqrt(std::abs(u.dot(mass * u))); };
  double largest = 0.0;
  for (const Mode& mode : modes) {
    const VectorXcd y = m.Y.cast<Complex>() * mode.shape;
    VectorXcd z(m.n_y() + m.n_u());
    z << y, mode.s * (m.Z.transpose().cast<Complex>() * y);
    const double rate = std::max(std::abs(mode.s), l.rate);
    // Shapes have modal mass 1.
    for (const MatrixXcd* change : {&going, &beginning})
      largest = std::max(largest, size((*change * z).tail(m.n_u())) / (rate * rate));
  }
  return largest;
}

}  // namespace solidyn::analyses
