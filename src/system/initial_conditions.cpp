#include "solidyn/system/initial_conditions.h"

#include <fmt/format.h>

#include <functional>

#include "rigid_groups.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/system/accelerations.h"

namespace solidyn::system {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// A row whose part orthogonal to the rows before it is this much smaller than itself is dependent.
constexpr double kDependent = 1e-9;
constexpr int kMaxIterations = 50;
// In so many parts a failed step is gone through again: half a turn in one step is told from a
// contradiction.
constexpr int kSubsteps = 16;
// Violations that stay above this many times the tolerance contradict each other; below, it is
// round-off.
constexpr double kContradicts = 10.0;

// Directions in which the system may move, as columns: rigid motions of all bodies, and elastic
// coordinates where wanted. Bodies that superelements connect move as one where nothing is to
// deform. Those of a body without a frame, six motions of all its nodes, come behind, and at the
// end those of connected bodies.
MatrixXd mobility(const System& system, const State& state, const VectorXd& weights, double length,
                  bool with_elastic) {
  const int n_v = system.n_velocities();
  int n_absolute = 0;
  for (const bodies::NodalBody* body : system.nodal_bodies()) n_absolute += body->n_rigid() == 0;
  const MatrixXd groups = rigid_group_directions(system, length);
  std::vector<bool> is_connected(system.n_bodies(), false);
  for (const RigidGroup& group : system.rigid_groups())
    for (int b : group.bodies) is_connected[b] = true;
  MatrixXd directions = MatrixXd::Zero(n_v, n_v + 6 * n_absolute + groups.cols());
  directions.rightCols(groups.cols()) = groups;
  for (int b = 0; b < system.n_bodies(); ++b) {
    const int n_rigid = is_connected[b] ? 0 : system.body(b).n_rigid();
    for (int i = 0; i < system.body(b).n_velocities(); ++i) {
      const int k = system.velocity_offset(b) + i;
      if (i < n_rigid || with_elastic) directions(k, k) = 1.0 / weights[k];
    }
  }
  int column = n_v;
  for (std::size_t k = 0; k < state.nodal.size(); ++k) {
    const bodies::NodalBody& body = *system.nodal_bodies()[k];
    if (body.n_rigid() > 0) continue;
    auto block = directions.block(system.velocity_offset(system.body_of_nodal(static_cast<int>(k))),
                                  column, body.n_elastic(), 6);
    block = body.rigid_port_velocities(state.nodal[k]);
    block.leftCols<3>() *= length;
    column += 6;
  }
  return directions;
}

// Rigid motions of the bodies without a frame that belong to a solution in the directions above.
template <class Action>
void for_absolute_bodies(const System& system, State& state, const VectorXd& solution,
                         double length, Action&& action) {
  Eigen::Index at = system.n_velocities();
  for (std::size_t k = 0; k < state.nodal.size(); ++k) {
    const bodies::NodalBody& body = *system.nodal_bodies()[k];
    if (body.n_rigid() > 0) continue;
    Eigen::Matrix<double, 6, 1> motion = solution.segment<6>(at);
    motion.head<3>() *= length;
    action(body, system.body_of_nodal(static_cast<int>(k)), motion, state.nodal[k]);
    at += 6;
  }
}

// The smallest (weighted) d with G d = rhs in the least-squares sense.
VectorXd smallest_solution(const MatrixXd& G, const MatrixXd& directions, const VectorXd& rhs) {
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> cod;
  cod.setThreshold(kDependent);
  cod.compute(G * directions);
  return cod.solve(rhs);
}

std::string worst_rows(const System& system, const VectorXd& residual) {
  std::vector<int> order(residual.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return std::abs(residual[a]) > std::abs(residual[b]); });
  std::string text;
  for (std::size_t i = 0; i < order.size() && i < 3; ++i) {
    if (i > 0 && std::abs(residual[order[i]]) < 1e-3 * std::abs(residual[order[0]])) break;
    text += fmt::format("{}{} by {:.3g}", i ? ", " : "", system.multiplier_name(order[i]),
                        std::abs(residual[order[i]]));
  }
  return text;
}

// Reduces a residual of constraint rows by moving first the rigid coordinates, then all.
// @param evaluate the residual for the present state; @param apply adds a correction [n_v] to the
// small unknowns and the whole solution's rigid motions to the bodies without a frame
VectorXd reduce(System& system, const State& state, double length, double tolerance,
                int max_iterations, const std::function<VectorXd()>& evaluate,
                const std::function<void(const VectorXd&, const VectorXd&)>& apply) {
  const VectorXd weights = system.increment_weights(length);
  const int n_v = system.n_velocities();
  VectorXd residual = evaluate();
  for (const bool with_elastic : {false, true}) {
    if (with_elastic && !system.nodal_bodies().empty()) break;
    for (int i = 0; i < max_iterations; ++i) {
      const double before = residual.lpNorm<Eigen::Infinity>();
      if (before <= tolerance) return residual;
      const MatrixXd directions = mobility(system, state, weights, length, with_elastic);
      const VectorXd solution = smallest_solution(system.dense_G(), directions, -residual);
      apply(directions.leftCols(n_v) * solution.head(n_v), solution);
      residual = evaluate();
      if (residual.lpNorm<Eigen::Infinity>() > 0.9 * before && i > 3) break;
    }
  }
  return residual;
}

}  // namespace

Redundancy find_redundancy(const System& system, const VectorXd& weights) {
  const MatrixXd scaled = (system.dense_G() * weights.cwiseInverse().asDiagonal()).transpose();
  Redundancy result;
  MatrixXd basis(scaled.rows(), std::min(scaled.rows(), scaled.cols()));
  for (int row = 0; row < scaled.cols(); ++row) {
    VectorXd direction = scaled.col(row);
    const double size = direction.norm();
    for (int pass = 0; pass < 2; ++pass) {  // twice is enough (Kahan, Parlett)
      const auto Q = basis.leftCols(result.rank);
      direction -= Q * (Q.transpose() * direction);
    }
    if (result.rank == basis.cols() || !(direction.norm() > kDependent * size)) {
      result.rows.push_back(row);
      result.names.push_back(system.multiplier_name(row));
    } else {
      basis.col(result.rank++) = direction.normalized();
    }
  }
  return result;
}

double redundancy_regularization(const System& system) {
  const MatrixXd G = system.dense_G();
  double largest_mass = 0.0;
  for (int b = 0; b < system.n_bodies(); ++b)
    largest_mass = std::max(largest_mass, system.body(b).mass());
  const double mean_square = G.squaredNorm() / std::max<Eigen::Index>(1, G.rows());
  return 1e-8 * mean_square / std::max(largest_mass, 1e-12);
}

namespace {

// Moves the bodies towards Phi(q, state.t) = 0. @return what is left of Phi
VectorXd approach_positions(System& system, State& state, double tolerance) {
  VectorXd r, phi;
  system.update(state);
  const double length = system.characteristic_length();
  const auto evaluate = [&] {
    system.update(state);
    system.compute_residual(state, r, phi);
    for (int i = 0; i < phi.size(); ++i)
      if (system.is_velocity_level()[i]) phi[i] = 0.0;
    return phi;
  };
  const auto n_groups = static_cast<Eigen::Index>(6 * system.rigid_groups().size());
  const auto apply = [&](const VectorXd& d, const VectorXd& solution) {
    VectorXd q;
    system.advance(state.q, d, q);
    move_rigid_groups(system, length, solution.tail(n_groups), q);
    state.q = q;
    for_absolute_bodies(
        system, state, solution, length,
        [&](const bodies::NodalBody& body, int b, const auto& motion, bodies::NodalState& nodal) {
          body.move_rigidly(motion, nodal);
          state.q.segment(system.elastic_offset(b), body.n_elastic()) = body.ports_of(nodal.u);
        });
  };
  return reduce(system, state, length, tolerance, kMaxIterations, evaluate, apply);
}

}  // namespace

void assemble_positions(System& system, State& state, double tolerance) {
  const VectorXd left = approach_positions(system, state, tolerance);
  if (left.size() > 0 && !(left.lpNorm<Eigen::Infinity>() <= tolerance)) {
    throw base::InputError(
        fmt::format(
            "the mechanism cannot be assembled: no position near the given poses satisfies all "
            "constraints; violated: {}",
            worst_rows(system, left)),
        "check the poses of the bodies and the points and axes of these joints");
  }
}

namespace {

std::string driven_by(const System& system) {
  std::string names;
  for (int i = 0; i < system.n_constraint_blocks(); ++i)
    if (system.constraint(i).is_rheonomic())
      names += (names.empty() ? "; driven by: " : ", ") + system.constraint(i).name();
  return names;
}

std::string violated_on_the_way(System& system, const State& start, double t, double tolerance) {
  State state = start.clone();
  for (int i = 1; i <= kSubsteps; ++i) {
    state.t = start.t + (t - start.t) * i / kSubsteps;
    const VectorXd left = approach_positions(system, state, tolerance);
    const double remains = left.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(remains)) return {};
    if (remains > kContradicts * tolerance) return worst_rows(system, left) + driven_by(system);
  }
  return {};
}

}  // namespace

std::string find_contradiction(System& system, const State& start, double t, double tolerance) {
  if (!system.nodal_bodies().empty() || system.n_constraints() == 0) return {};
  std::string violated = violated_on_the_way(system, start, t, tolerance);
  system.update(start);  // its kinematics look into the state they were computed for
  return violated;
}

namespace {

// Of interfaces that share a node one body's velocity is taken, so that the others' may deform.
void make_velocities_rigid(System& system, State& state, double length) {
  constexpr double kRounding = 1e-6;
  const double largest = state.v.size() ? state.v.lpNorm<Eigen::Infinity>() : 0.0;
  if (stop_deforming(system, length, state.v) > kRounding * std::max(1.0, length) * largest)
    base::log_warning(
        "the given velocities would deform superelements from the start: fixed joints connect "
        "bodies that move differently; these start as one rigid body\n  give each of them the "
        "linear and angular velocity that it has as a part of the whole");
}

}  // namespace

void make_velocities_consistent(System& system, State& state, double tolerance) {
  VectorXd r, phi, nu, gamma, Gv;
  system.update(state);
  const double length = system.characteristic_length();
  make_velocities_rigid(system, state, length);
  const auto evaluate = [&]() -> VectorXd {
    system.update(state);
    system.compute_residual(state, r, phi);
    system.update_accelerations();
    system.compute_rates(state, nu, gamma);
    system.multiply_G(state.v, Gv);
    return Gv - nu;
  };
  const MatrixXd groups = rigid_group_directions(system, length);
  const auto apply = [&](const VectorXd& d, const VectorXd& solution) {
    state.v += d + groups * solution.tail(groups.cols());
    for_absolute_bodies(
        system, state, solution, length,
        [&](const bodies::NodalBody& body, int b, const auto& motion, bodies::NodalState& nodal) {
          body.add_rigid_velocity(motion, nodal);
          state.v.segment(system.velocity_offset(b), body.n_elastic()) = body.ports_of(nodal.du);
        });
  };
  const double scale = std::max(1.0, evaluate().size() ? nu.lpNorm<Eigen::Infinity>() : 0.0);
  const VectorXd left = reduce(system, state, length, tolerance * scale, 5, evaluate, apply);
  if (left.size() > 0 && !(left.lpNorm<Eigen::Infinity>() <= 1e3 * tolerance * scale)) {
    throw base::InputError(
        fmt::format(
            "the constraints contradict each other: no velocities satisfy all of them at the "
            "start; violated: {}",
            worst_rows(system, left)),
        "two drives may act on the same motion, or a drive on a motion that other joints forbid");
  }
}

void solve_accelerations(System& system, State& state, solvers::LinearSolver& solver,
                         bool is_redundant) {
  AccelerationOptions options;
  if (is_redundant) {
    VectorXd r, phi;
    system.update(state);
    system.compute_residual(state, r, phi);
    options.regularization = redundancy_regularization(system);
  }
  solve_acceleration_equations(system, state, options, solver);
}

}  // namespace solidyn::system
