// Sweeps over random trees against dense matrices and against absolute coordinates.
#include <gmock/gmock.h>

#include "random_bodies.h"
#include "random_trees.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/recursive/articulated_bodies.h"
#include "solidyn/system/connect.h"
#include "tree_matrices.h"

namespace solidyn {
namespace {

using bodies::BodyIndex;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using joints::Hinge;
using recursive::ArticulatedBodies;
using recursive::Link;
using recursive::Tree;
using system::State;
using testing_support::jacobian;
using testing_support::mass_of_bodies;
using testing_support::random_vector;
using testing_support::RandomTree;

constexpr int kTrees = 100;

class RandomTrees : public testing::TestWithParam<bool> {
 protected:
  template <class Claim>
  void for_all(const Claim& claim) {
    for (unsigned seed = 1; seed <= kTrees; ++seed) {
      RandomTree random(seed);
      grow(random, GetParam());
      random.set_in_motion();
      SCOPED_TRACE(seed);
      claim(random);
      if (HasFailure()) return;
    }
  }
};

TEST_P(RandomTrees, CoordinatesGivePosesAndVelocitiesBack) {
  for_all([](RandomTree& random) {
    Tree tree(random.system());
    VectorXd q, u;
    tree.find_coordinates(random.state(), q, u);
    State state = random.state().clone();
    state.q.setConstant(0.1);
    state.v.setZero();
    tree.compute_motion(q.data(), u.data());
    tree.write(state);
    for (const BodyIndex i : random.system().bodies()) {  // quaternions of either sign
      auto Q = state.q.segment<4>(random.system().layout().configuration_offset(i) + 3);
      if (Q.dot(random.state().q.segment<4>(random.system().layout().configuration_offset(i) + 3)) <
          0.0)
        Q = -Q;
    }
    EXPECT_LT((state.q - random.state().q).lpNorm<Eigen::Infinity>(), 1e-11);
    EXPECT_LT((state.v - random.state().v).lpNorm<Eigen::Infinity>(),
              1e-11 * (1.0 + state.v.lpNorm<Eigen::Infinity>()));
  });
}

TEST_P(RandomTrees, BiasIsTheRateOfTheJacobian) {
  for_all([](RandomTree& random) {
    constexpr double kStep = 1e-5;
    Tree tree(random.system());
    VectorXd q, u;
    tree.find_coordinates(random.state(), q, u);
    State state = random.state().clone();
    const auto velocities_at = [&](double t) {
      VectorXd moved = q;
      tree.advance(t * u, moved);
      tree.compute_motion(moved.data(), u.data());
      tree.write(state);
      return state.v;
    };
    const VectorXd rate = (velocities_at(kStep) - velocities_at(-kStep)) / (2.0 * kStep);
    velocities_at(0.0);
    // Accelerations with du = 0: those of the tree less what du does.
    ArticulatedBodies bodies(tree);
    bodies.factorise();
    bodies.set_inertia_forces(Eigen::Vector3d::Zero());
    VectorXd du = VectorXd::Zero(tree.n_speeds());
    bodies.solve(ArticulatedBodies::Bias::motion, du);
    VectorXd a(state.v.size());
    for (const Link& k : tree.links())
      bodies.write_acceleration(k, a.segment(random.system().layout().velocity_offset(k.body),
                                             random.system().layout().n_velocities(k.body)));
    a -= jacobian(tree, q, state) * du;
    EXPECT_LT((a - rate).lpNorm<Eigen::Infinity>(), 1e-6 * (1.0 + rate.lpNorm<Eigen::Infinity>()));
  });
}

// P-RECURSIVE (3.45) and (6.6): M = J^T M_b J, and the sweeps are its inverse.
TEST_P(RandomTrees, SweepsInvertTheMassMatrix) {
  for_all([](RandomTree& random) {
    Tree tree(random.system());
    VectorXd q, u;
    tree.find_coordinates(random.state(), q, u);
    State state = random.state().clone();
    random.system().update(random.state());
    const MatrixXd M_b = mass_of_bodies(random.system());
    const MatrixXd J = jacobian(tree, q, state), M = J.transpose() * M_b * J;
    tree.compute_motion(q.data(), u.data());
    ArticulatedBodies bodies(tree);
    bodies.factorise();
    const VectorXd f = random_vector(random.generator(), static_cast<int>(state.v.size()));
    bodies.set_forces_to_zero();
    for (Link& k : tree.links())
      bodies.add_force(k, f.segment(random.system().layout().velocity_offset(k.body),
                                    random.system().layout().n_velocities(k.body)));
    VectorXd du = VectorXd::Zero(tree.n_speeds());
    bodies.solve(ArticulatedBodies::Bias::none, du);
    const VectorXd rhs = J.transpose() * f;
    EXPECT_LT((M * du + rhs).norm(), 1e-10 * rhs.norm());
  });
}

INSTANTIATE_TEST_SUITE_P(Modes, RandomTrees, testing::Bool(),
                         [](const auto& info) { return info.param ? "Flexible" : "Rigid"; });

// All its mass is on the axis that it turns about.
TEST(ArticulatedBodies, NameAHingeAboutWhichNothingHasInertia) {
  system::System system;
  const BodyIndex point = system.add_body(
      bodies::make_rigid_body("point", 1.0, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Zero()), {});
  bodies::Frame on_ground, on_body;
  on_body.body = point;
  system::add_joint(system, "pin", joints::JointType::revolute,
                    {system.add_frame(on_ground), system.add_frame(on_body)});
  system.finalize();
  State state = system.make_state();
  system.update(state);
  Tree tree(system);
  VectorXd q, u;
  tree.find_coordinates(state, q, u);
  tree.compute_motion(q.data(), u.data());
  ArticulatedBodies bodies(tree);
  try {
    bodies.factorise();
    FAIL() << "nothing was thrown";
  } catch (const base::ComputationError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("about a hinge of the body `point` (pin)"));
  }
}

}  // namespace
}  // namespace solidyn
