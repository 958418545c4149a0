// Forces from accelerations, and the mass matrix of composite bodies, against the articulated
// sweeps.
#include "solidyn/recursive/inverse_dynamics.h"

#include <gmock/gmock.h>

#include "random_bodies.h"
#include "random_trees.h"
#include "solidyn/recursive/articulated_bodies.h"
#include "solidyn/recursive/composite_bodies.h"

namespace solidyn {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using recursive::ArticulatedBodies;
using recursive::Link;
using recursive::Tree;
using testing_support::random_vector;
using testing_support::RandomTree;

constexpr unsigned kInverted = 100;  // trees

// A random tree in motion with its sweeps.
struct MovingTree {
  MovingTree(unsigned seed, bool is_flexible) : random(seed) {
    grow(random, is_flexible);
    random.set_in_motion();
    tree = std::make_unique<Tree>(random.system());
    tree->find_coordinates(random.state(), q, u);
    tree->compute_motion(q.data(), u.data());
  }
  void add_forces(ArticulatedBodies& bodies, const VectorXd& f) {
    for (Link& k : tree->links())
      bodies.add_force(k, f.segment(random.system().layout().velocity_offset(k.body),
                                    random.system().layout().n_velocities(k.body)));
  }
  RandomTree random;
  std::unique_ptr<Tree> tree;
  VectorXd q, u;
};

class InverseDynamics : public testing::TestWithParam<bool> {};

// P-RECURSIVE (4.2) after (7.1).
TEST_P(InverseDynamics, LeavesNothingOfForwardDynamics) {
  const Vector3d gravity(1.0, -2.0, -9.81);
  for (unsigned seed = 1; seed <= kInverted; ++seed) {
    SCOPED_TRACE(seed);
    MovingTree moving(seed, GetParam());
    const VectorXd f =
        random_vector(moving.random.generator(), moving.random.system().layout().n_velocities());
    ArticulatedBodies bodies(*moving.tree);
    bodies.factorise();
    bodies.set_inertia_forces(gravity);
    moving.add_forces(bodies, f);
    VectorXd du = VectorXd::Zero(moving.tree->n_speeds()), T;
    bodies.solve(ArticulatedBodies::Bias::motion, du);
    recursive::InverseDynamics inverse(*moving.tree);
    bodies.set_forces_to_zero();
    moving.add_forces(bodies, f);
    inverse.compute(gravity, du, T);
    double size = 1.0;
    for (const Link& k : moving.tree->links()) size = std::max(size, k.f.norm());
    EXPECT_LT(T.lpNorm<Eigen::Infinity>(), 1e-10 * size);
    // What is asked for in addition is what the mass matrix makes of it.
    const VectorXd more = random_vector(moving.random.generator(), moving.tree->n_speeds());
    inverse.compute(gravity, du + more, T);
    const MatrixXd M = composite_mass_matrix(*moving.tree);
    EXPECT_LT((T - M * more).lpNorm<Eigen::Infinity>(), 1e-9 * size);
    if (HasFailure()) return;
  }
}

// Links one after the other, or all motion first.
TEST_P(InverseDynamics, IsTheSameInOneSweep) {
  const Vector3d gravity(1.0, -2.0, -9.81);
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    MovingTree moving(seed, GetParam());
    const VectorXd du = random_vector(moving.random.generator(), moving.tree->n_speeds());
    ArticulatedBodies(*moving.tree).set_forces_to_zero();
    recursive::InverseDynamics inverse(*moving.tree);
    VectorXd expected, T;
    inverse.compute(gravity, du, expected);
    moving.tree->compute_motion(VectorXd(0.5 * moving.q).data(), moving.u.data());
    inverse.compute_alone(moving.q.data(), moving.u.data(), gravity, du, T);
    EXPECT_LT((T - expected).norm(), 1e-13 * expected.norm());
    // So are accelerations.
    ArticulatedBodies bodies(*moving.tree);
    VectorXd all = VectorXd::Zero(moving.tree->n_speeds()), one = all;
    bodies.factorise();
    bodies.set_inertia_forces(gravity);
    bodies.solve(ArticulatedBodies::Bias::motion, all);
    moving.tree->compute_motion(VectorXd(0.5 * moving.q).data(), moving.u.data());
    bodies.move(moving.q.data(), moving.u.data(), gravity);
    bodies.eliminate();
    bodies.solve(ArticulatedBodies::Bias::motion, one);
    EXPECT_LT((one - all).norm(), 1e-12 * all.norm());
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, InverseDynamics, testing::Bool(),
                         [](const auto& info) { return info.param ? "Flexible" : "Rigid"; });

class CompositeBodies : public testing::TestWithParam<bool> {};

// P-RECURSIVE (5.5) against columns of (4.2).
TEST_P(CompositeBodies, HaveTheMassMatrixOfInverseDynamics) {
  for (unsigned seed = 1; seed <= kInverted; ++seed) {
    SCOPED_TRACE(seed);
    MovingTree moving(seed, GetParam());
    const int n = moving.tree->n_speeds();
    const MatrixXd M = composite_mass_matrix(*moving.tree);
    ArticulatedBodies(*moving.tree).set_forces_to_zero();
    recursive::InverseDynamics inverse(*moving.tree);
    VectorXd at_rest, T;
    inverse.compute(Vector3d::Zero(), VectorXd::Zero(n), at_rest);
    MatrixXd columns(n, n);
    for (int i = 0; i < n; ++i) {
      inverse.compute(Vector3d::Zero(), VectorXd::Unit(n, i), T);
      columns.col(i) = T - at_rest;
    }
    EXPECT_LT((M - M.transpose()).norm(), 1e-13 * M.norm());
    EXPECT_LT((M - columns).norm(), 1e-12 * (M.norm() + at_rest.norm()));
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, CompositeBodies, testing::Bool(),
                         [](const auto& info) { return info.param ? "Flexible" : "Rigid"; });

}  // namespace
}  // namespace solidyn
