// Joints with clearance, from the model file: where a body comes to rest in them.
#include <gtest/gtest.h>

#include "solidyn/analyses/dynamics.h"
#include "solidyn/model/build.h"
#include "solidyn/model/load.h"

namespace solidyn::contact {
namespace {

using Eigen::Vector3d;

constexpr double kClearance = 1e-4, kStiffness = 1e8, kWeight = 9.81;

// A disc of 1 kg held by the joint, under gravity, until it has come to rest.
struct Rest {
  Vector3d p;
  Eigen::Quaterniond q;
};
Rest rest_of(const std::string& joint, const std::string& gravity) {
  const std::string text = R"(
solidyn: 1
gravity: )" + gravity + R"(
bodies:
  disc: {type: rigid, mass: 1, inertia: [1e-3, 1e-3, 1e-3]}
contacts:
  bearing:
    between: [ground, disc]
    at: [0, 0, 0]
    radius: 0.01
    clearance: 1e-4
    law: {type: kelvin_voigt, stiffness: 1e8, damping: 1e4, damping_depth: 1e-9}
    friction: {static: 0.1}
)" + joint + R"(
analyses:
  - dynamics: {duration: 0.4, step: 1e-4, adaptive: {tolerance: 1e-7, minimum_step: 1e-9, maximum_step: 1e-3}}
)";
  const model::ModelDescription description = model::parse_model(text, "model.yaml", ".", {});
  const auto built = model::build(MPI_COMM_SELF, description, {});
  const auto& analysis = std::get<model::DynamicsDescription>(description.analyses[0]);
  analyses::Dynamics dynamics(built->system, model::dynamics_options(analysis, description.solver));
  dynamics.start();
  while (!dynamics.is_done()) dynamics.advance();
  const Eigen::VectorXd& q = dynamics.state().q;
  EXPECT_LT(dynamics.state().v.head<3>().norm(), 1e-5);
  return {q.head<3>(), Eigen::Quaterniond(q[3], q[4], q[5], q[6])};
}

// Each of the ends carries half of the weight.
TEST(PinInBush, RestsAtItsBottom) {
  for (const char* type : {"revolute", "cylindrical"}) {
    const Rest rest =
        rest_of(std::string("    type: ") + type + "\n    axis: [0, 0, 1]\n    length: 0.02\n",
                "[0, -9.81, 0]");
    EXPECT_NEAR(rest.p.y(), -kClearance - 0.5 * kWeight / kStiffness, 1e-9) << type;
    EXPECT_NEAR(rest.p.x(), 0.0, 1e-8) << type;
    EXPECT_LT(rest.q.vec().head<2>().norm(), 1e-8) << type;
  }
}

TEST(PinInBush, IsHeldAlongItsAxisByTheCollarsOfARevoluteJoint) {
  const char* joint =
      "    type: revolute\n    axis: [0, 0, 1]\n    length: 0.02\n    axial_clearance: ";
  const Rest down = rest_of(std::string(joint) + "2e-4\n", "[0, 0, -9.81]");
  EXPECT_NEAR(down.p.z(), -2e-4 - kWeight / kStiffness, 1e-9);
  const Rest up = rest_of(std::string(joint) + "2e-4\n", "[0, 0, 9.81]");
  EXPECT_NEAR(up.p.z(), 2e-4 + kWeight / kStiffness, 1e-9);
}

TEST(BallInSocket, RestsAtItsBottom) {
  const Rest rest = rest_of("    type: spherical\n", "[-9.81, 0, 0]");
  EXPECT_NEAR(rest.p.x(), -kClearance - kWeight / kStiffness, 1e-9);
  EXPECT_LT(rest.p.tail<2>().norm(), 1e-8);
}

}  // namespace
}  // namespace solidyn::contact
