#include "solidyn/analyses/reflected_inertia.h"

#include <cmath>
#include <limits>

#include "solidyn/math/dense.h"
#include "solidyn/recursive/frame_mobility.h"
#include "solidyn/solvers/linear_solver.h"

namespace solidyn::analyses {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Matrix6 = ReflectedInertia::Matrix6;

// Of the largest mobility, or of that of the whole mechanism: what is less is round-off.
constexpr double kImmovable = 1e-10;

double inverse(double mobility, double least) {
  return mobility > least ? 1.0 / mobility : std::numeric_limits<double>::infinity();
}

PrincipalInertia principal_inertia(const Matrix3d& mobility, double least) {
  const auto spectrum = math::symmetric_spectrum(mobility);
  PrincipalInertia p;
  for (int i = 0; i < 3; ++i) {  // the largest mobility first
    p.values[i] = inverse(spectrum.values[2 - i], least);
    p.directions.col(i) = spectrum.vectors.col(2 - i);
    Eigen::Index largest = 0;
    p.directions.col(i).cwiseAbs().maxCoeff(&largest);
    if (p.directions(largest, i) < 0.0) p.directions.col(i) *= -1.0;
  }
  if (p.directions.determinant() < 0.0) p.directions.col(2) *= -1.0;
  return p;
}

}  // namespace

ReflectedInertia reflected_inertia(const Matrix6& mobility, double mass, double length) {
  ReflectedInertia r;
  r.mobility = mobility;
  const Matrix3d forces = mobility.topLeftCorner<3, 3>(),
                 torques = mobility.bottomRightCorner<3, 3>();
  const double by_force = 1.0 / mass, by_torque = by_force / (length * length),
               least_force = kImmovable * std::max(forces.diagonal().maxCoeff(), by_force),
               least_torque = kImmovable * std::max(torques.diagonal().maxCoeff(), by_torque);
  for (int i = 0; i < 3; ++i) {
    r.masses[i] = inverse(forces(i, i), least_force);
    r.moments[i] = inverse(torques(i, i), least_torque);
  }
  r.principal_masses = principal_inertia(forces, least_force);
  r.principal_moments = principal_inertia(torques, least_torque);
  // Torques in units that turn the place about as far as forces move it.
  const bool is_free = forces.trace() > least_force && torques.trace() > least_torque;
  const double unit = is_free ? std::sqrt(forces.trace() / torques.trace()) : length;
  Eigen::Matrix<double, 6, 1> scale;
  scale << 1.0, 1.0, 1.0, unit, unit, unit;
  const MatrixXd scaled = scale.asDiagonal() * mobility * scale.asDiagonal();
  const VectorXd values = math::symmetric_eigenvalues(scaled);
  const double least = kImmovable * std::max(values[5], by_force);
  r.n_motions = static_cast<int>((values.array() > least).count());
  if (r.n_motions == 6) {
    const MatrixXd inverse = math::CholeskyFactor(scaled).solve(MatrixXd(MatrixXd::Identity(6, 6)));
    r.inertia = scale.asDiagonal() * inverse * scale.asDiagonal();
  }
  return r;
}

MatrixXd mobility_of_places(system::System& system, const system::State& state,
                            const std::vector<bodies::FrameIndex>& places, system::TwistAxes axes,
                            Formulation formulation) {
  system.update(state);
  if (formulation == Formulation::recursive) {
    recursive::Tree tree(system);
    // By sweeps, what is held at a node of a beam would be told from round-off of what the node
    // feels alone, which is far more than the beam does.
    if (tree.node_groups().empty()) {
      VectorXd q, u;
      tree.find_coordinates(state, q, u);
      tree.compute_motion(q.data(), u.data());
      return recursive::frame_mobility(tree, state.t, places, axes);
    }
  }
  const auto solver =
      solvers::make_linear_solver(solvers::Preset::automatic, system.layout().n_unknowns());
  system.set_pattern(*solver);
  system::State there = state.clone();
  MatrixXd mobility = system::frame_mobility(system, there, places, axes, *solver);
  system.update(state);
  return mobility;
}

}  // namespace solidyn::analyses
