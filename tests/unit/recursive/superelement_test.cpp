// Superelements on hinges, against absolute coordinates, in which they follow their carriers.
#include <gmock/gmock.h>

#include <algorithm>

#include "mechanisms.h"
#include "random_beam.h"
#include "random_superelement.h"
#include "solidyn/analyses/minimal_coordinates.h"
#include "solidyn/base/error.h"
#include "solidyn/math/dense.h"
#include "solidyn/recursive/composite_bodies.h"
#include "solidyn/recursive/dynamics_derivatives.h"
#include "solidyn/recursive/frame_mobility.h"
#include "solidyn/recursive/linearise.h"
#include "solidyn/recursive/mechanism.h"
#include "solidyn/system/accelerations.h"
#include "solidyn/system/mass_centre.h"

namespace solidyn {
namespace {

using bodies::BodyIndex;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using joints::JointType;
using recursive::Mechanism;
using system::State;
using testing_support::add_joint;
using testing_support::make_reduced_cloud;
using testing_support::random_vector;

constexpr double kSameAsAbsolute = 1e-9;  // of the largest
// What differences with kStepOfSlopes are exact to.
constexpr double kStepOfSlopes = 1e-3, kExactSlopes = 1e-8;
constexpr int kInterfaces = 3, kInternal = 2;

// Where the first interface is; the second is on an arm that carries a load on a ball, the third on
// a massless node, from which a bob hangs.
enum class First { on_ground, on_hinged_node, on_free_node };
// Whether a joint between load and bob closes a loop through the body.
enum class Loop { none, one };

struct Case {
  First first;
  Loop loop;
};

class Machine {
 public:
  explicit Machine(const Case& c)
      : cloud_(14, 6 * kInterfaces - 4, 3),
        reduced_(reduction::to_interface_coordinates(make_reduced_cloud(cloud_, kInterfaces),
                                                     kInternal)) {
    std::mt19937 g(17);
    pose_.q_WB = testing_support::random_rotation(g);
    pose_.p_WB = random_vector(g, 3);
    const bodies::FrameIndex first =
        c.first == First::on_ground ? system.add_frame(frame_of(bodies::kGround, {}, 0)) : node(0);
    if (c.first == First::on_hinged_node)
      add_joint(system, "pivot", JointType::revolute, bodies::kGround, {}, nodes_.back(),
                at_interface(0), place(0), Vector3d(0.3, -0.5, 0.8));
    system::InitialMotion arm_pose;
    arm_pose.p_WB = place(1) + Vector3d(0.2, -0.3, 0.1);
    arm_pose.q_WB = Eigen::Quaterniond(0.5, 0.1, -0.7, 0.5).normalized();
    const BodyIndex arm = system.add_body(rigid("arm", 2.0), arm_pose);
    const bodies::FrameIndex second = system.add_frame(frame_of(arm, arm_pose, 1));
    const bodies::FrameIndex third = node(2);
    body = system.add_body(
        std::make_unique<bodies::Superelement>(
            "body", reduced_, std::vector<bodies::FrameIndex>{first, second, third}),
        {});
    const BodyIndex load = add_on(arm, arm_pose, "load", JointType::spherical, Vector3d(1, 2, 1));
    const BodyIndex bob =
        add_on(nodes_.back(), at_interface(2), "bob", JointType::universal, Vector3d(-1, 1, 2));
    if (c.loop == Loop::one)
      add_joint(system, "loop", JointType::spherical, load, poses_[0], bob, poses_[1],
                Vector3d(0.4, 0.3, -0.2));
    system.set_gravity(Vector3d(0.3, -9.81, 1.7));
    system.finalize();
    state = system.make_state();
    system.update(state);
  }

  // Somewhere near, in any motion.
  void move(Mechanism& mechanism, VectorXd& q, VectorXd& u, double by) {
    std::mt19937 g(5);
    mechanism.tree().find_coordinates(state, q, u);
    mechanism.tree().advance(random_vector(g, u.size(), by), q);
    u = random_vector(g, u.size(), 1.0);
    mechanism.project(q, u, state);
  }

  system::System system;
  State state;
  BodyIndex body;

 private:
  static std::unique_ptr<bodies::Body> rigid(const std::string& name, double mass) {
    Matrix3d inertia;
    inertia << 0.9, 0.1, -0.2, 0.1, 0.7, 0.15, -0.2, 0.15, 1.1;
    return bodies::make_rigid_body(name, mass, Vector3d(0.1, 0.2, 0.3), inertia);
  }
  Vector3d place(int k) const { return pose_.p_WB + pose_.q_WB * reduced_.body.interfaces[k].x_B; }
  system::InitialMotion at_interface(int k) const {
    system::InitialMotion motion = pose_;
    motion.p_WB = place(k);
    return motion;
  }
  // Its axes are the body's where nothing deforms.
  bodies::Frame frame_of(BodyIndex carrier, const system::InitialMotion& pose, int k) const {
    const Matrix3d R = pose.q_WB.toRotationMatrix();
    bodies::Frame frame;
    frame.body = carrier;
    frame.x_B = R.transpose() * (place(k) - pose.p_WB);
    frame.R_BF = R.transpose() * pose_.q_WB.toRotationMatrix();
    return frame;
  }
  bodies::FrameIndex node(int k) {
    nodes_.push_back(system.add_body(bodies::make_virtual_body("node"), at_interface(k)));
    return system.add_frame(frame_of(nodes_.back(), at_interface(k), k));
  }
  BodyIndex add_on(BodyIndex carrier, const system::InitialMotion& at, const std::string& name,
                   JointType type, const Vector3d& axis) {
    system::InitialMotion pose;
    pose.p_WB = at.p_WB + Vector3d(0.3, 0.4, -0.2);
    poses_.push_back(pose);
    const BodyIndex added = system.add_body(rigid(name, 1.5), pose);
    add_joint(system, "joint of " + name, type, carrier, at, added, pose,
              at.p_WB + Vector3d(0.2, -0.1, 0.1), axis);
    return added;
  }

  testing_support::MassCloud cloud_;
  reduction::InterfaceBody reduced_;
  system::InitialMotion pose_;
  std::vector<BodyIndex> nodes_;
  std::vector<system::InitialMotion> poses_;
};

class RecursiveSuperelement : public testing::TestWithParam<Case> {};

// Accelerations and reactions of both, in a motion and deformation that is not small.
TEST_P(RecursiveSuperelement, MovesAsInAbsoluteCoordinates) {
  Machine machine(GetParam());
  Mechanism mechanism(machine.system);
  VectorXd q, u;
  machine.move(mechanism, q, u, 0.1);
  State found = machine.state.clone();
  mechanism.compute_state(q, u, found);
  State expected = found.clone();
  expected.a.setZero();
  expected.lambda.setZero();
  const auto solver =
      solvers::make_linear_solver(solvers::Preset::automatic, machine.system.layout().n_unknowns());
  machine.system.set_pattern(*solver);
  system::solve_acceleration_equations(machine.system, expected, {}, *solver);
  EXPECT_LT((found.a - expected.a).lpNorm<Eigen::Infinity>(),
            kSameAsAbsolute * expected.a.lpNorm<Eigen::Infinity>());
  ASSERT_GT(expected.lambda.lpNorm<Eigen::Infinity>(), 1.0);
  EXPECT_LT((found.lambda - expected.lambda).lpNorm<Eigen::Infinity>(),
            kSameAsAbsolute * expected.lambda.lpNorm<Eigen::Infinity>());
}

TEST_P(RecursiveSuperelement, CoordinatesComeBackFromTheStateOfTheSystem) {
  Machine machine(GetParam());
  Mechanism mechanism(machine.system);
  VectorXd q, u, q_found, u_found;
  machine.move(mechanism, q, u, 0.1);
  machine.system.update(machine.state);
  mechanism.tree().find_coordinates(machine.state, q_found, u_found);
  EXPECT_LT((q_found.cwiseAbs() - q.cwiseAbs()).lpNorm<Eigen::Infinity>(), 1e-12);
  EXPECT_LT((u_found - u).lpNorm<Eigen::Infinity>(), 1e-11);
  // Internal coordinates are those of the system, number for number.
  const recursive::Link& k = mechanism.tree().link_of(machine.body);
  const recursive::Modes& m = mechanism.tree().modes()[k.modes];
  EXPECT_EQ(m.n, 6 * (kInterfaces - 1) + kInternal);
  EXPECT_EQ(VectorXd(machine.state.q.segment<kInternal>(
                machine.system.layout().elastic_offset(machine.body))),
            VectorXd(q.segment(k.q + k.hinge.n_coordinates(), m.n).tail<kInternal>()));
}

// The tangent of implicit steps, by differences of fourth order.
TEST_P(RecursiveSuperelement, DerivativesAreExact) {
  Machine machine(GetParam());
  Mechanism mechanism(machine.system);
  recursive::StepEquations equations(mechanism);
  VectorXd q, u, du;
  machine.move(mechanism, q, u, 0.1);
  State state = machine.state.clone();
  mechanism.compute_accelerations(q, u, state, du);
  const auto residual = [&](VectorXd at_q, VectorXd at_u, VectorXd at_du) {
    equations.evaluate(at_q, at_u, at_du, state);
    return equations.residual();
  };
  residual(q, u, du);
  recursive::DynamicsDerivatives derivatives(equations);
  derivatives.evaluate(q, u, du, state);
  const auto slope = [](const auto& f) -> VectorXd {
    return (f(-2 * kStepOfSlopes) - f(2 * kStepOfSlopes) +
            8.0 * (f(kStepOfSlopes) - f(-kStepOfSlopes))) /
           (12.0 * kStepOfSlopes);
  };
  const auto expect_column = [](const MatrixXd& found, int j, const VectorXd& expected,
                                const char* what) {
    EXPECT_LT((found.col(j) - expected).lpNorm<Eigen::Infinity>(),
              kExactSlopes * (1.0 + found.cwiseAbs().maxCoeff()))
        << what << " " << j;
  };
  for (int j = 0; j < u.size(); ++j) {
    const VectorXd e = VectorXd::Unit(u.size(), j);
    expect_column(derivatives.by_q(), j, slope([&](double h) {
                    VectorXd at = q;
                    mechanism.tree().advance(h * e, at);
                    return residual(at, u, du);
                  }),
                  "q");
    expect_column(derivatives.by_u(), j,
                  slope([&](double h) { return residual(q, u + h * e, du); }), "u");
    expect_column(derivatives.by_du(), j,
                  slope([&](double h) { return residual(q, u, du + h * e); }), "du");
  }
}

// Eigenvalues about the same state, which is frozen in neither.
TEST_P(RecursiveSuperelement, HasTheModesOfAbsoluteCoordinates) {
  Machine machine(GetParam());
  machine.system.set_gravity(Vector3d::Zero());
  const State state = machine.state.clone();
  const auto values = [](const system::Linearisation& l) {
    const auto m = analyses::make_minimal_coordinates(l);
    const VectorXd squares = math::general_spectrum(analyses::state_matrix(m)).values.cwiseAbs2();
    std::vector<double> sizes(squares.begin(), squares.end());
    std::sort(sizes.begin(), sizes.end());
    return sizes;
  };
  const std::vector<double> found = values(recursive::linearise(machine.system, state,
                                                                system::IncrementAxes::body)),
                            expected = values(system::linearise(machine.system, state,
                                                                system::IncrementAxes::body));
  ASSERT_EQ(found.size(), expected.size());
  ASSERT_GT(expected.back(), 1.0);
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], 1e-8 * expected.back()) << i;
}

// What forces on its interfaces and on what it carries feel, and its momentum.
TEST_P(RecursiveSuperelement, HasTheMobilityAndMomentumOfAbsoluteCoordinates) {
  Machine machine(GetParam());
  system::System& system = machine.system;
  Mechanism mechanism(system);
  VectorXd q, u;
  machine.move(mechanism, q, u, 0.1);
  State state = machine.state.clone();
  system.update(state);
  const bodies::FrameIndex last(static_cast<int>(system.kinematics().frames.size()) - 1);
  const std::vector<bodies::FrameIndex> frames = {bodies::FrameIndex(1), last};
  const auto solver =
      solvers::make_linear_solver(solvers::Preset::automatic, system.layout().n_unknowns());
  system.set_pattern(*solver);
  const MatrixXd expected =
      system::frame_mobility(system, state, frames, system::TwistAxes::world, *solver);
  recursive::Tree tree(system);
  tree.compute_motion(q.data(), u.data());
  const MatrixXd found = recursive::frame_mobility(tree, state.t, frames, system::TwistAxes::world);
  EXPECT_LT((found - expected).norm(), kSameAsAbsolute * expected.norm());

  const recursive::CentroidalMomentum momentum = centroidal_momentum(tree);
  const recursive::Vector6d h = momentum.A * u;
  const system::MassCentre of_bodies = find_mass_centre(system);
  EXPECT_LT((momentum.centre - of_bodies.p).norm(), kSameAsAbsolute * of_bodies.p.norm());
  EXPECT_LT((h.head<3>() - of_bodies.mass * of_bodies.v).norm(), kSameAsAbsolute * h.norm());
  EXPECT_LT((h.tail<3>() - of_bodies.angular_momentum).norm(), kSameAsAbsolute * h.norm());
}

INSTANTIATE_TEST_SUITE_P(Carriers, RecursiveSuperelement,
                         testing::Values(Case{First::on_ground, Loop::none},
                                         Case{First::on_hinged_node, Loop::none},
                                         Case{First::on_hinged_node, Loop::one},
                                         Case{First::on_free_node, Loop::none}));

// With a remedy.
void expect_refusal(system::System& system, const testing::Matcher<std::string>& reason) {
  system.finalize();
  const State state = system.make_state();
  system.update(state);
  try {
    recursive::find_forest(system);
    FAIL() << "nothing was thrown";
  } catch (const recursive::NotRelative& e) {
    EXPECT_THAT(e.reason(), reason);
    EXPECT_FALSE(e.diagnostics()[0].remedy.empty());
  }
}

// Two interfaces on one body: nothing is there that could be cut.
TEST(SuperelementInForest, IsRefusedWhereInterfacesAloneCloseALoop) {
  const testing_support::MassCloud cloud(14, 8, 3);
  const auto reduced = reduction::to_interface_coordinates(make_reduced_cloud(cloud, 2), 1);
  for (const bool on_ground : {true, false}) {
    system::System system;
    BodyIndex carrier = bodies::kGround;
    if (!on_ground)
      carrier = system.add_body(
          bodies::make_rigid_body("plate", 1.0, Vector3d::Zero(), Matrix3d::Identity()), {});
    std::vector<bodies::FrameIndex> frames;
    for (const reduction::ReducedInterface& i : reduced.body.interfaces) {
      bodies::Frame frame;
      frame.body = carrier;
      frame.x_B = i.x_B;
      frames.push_back(system.add_frame(frame));
    }
    system.add_body(std::make_unique<bodies::Superelement>("bridge", reduced, frames), {});
    expect_refusal(system, testing::HasSubstr("`bridge` closes a loop"));
  }
}

// Nodes hang on nothing, and a superelement by its carriers alone.
TEST(SuperelementInForest, IsRefusedOnANodeOfABeam) {
  const testing_support::MassCloud cloud(14, 8, 3);
  const auto reduced = reduction::to_interface_coordinates(make_reduced_cloud(cloud, 2), 1);
  system::System system;
  const BodyIndex node =
      testing_support::RandomBeam(3).add_to(system, bodies::ElementStrains::eliminated).front();
  std::vector<bodies::FrameIndex> frames;
  for (const BodyIndex carrier : {bodies::kGround, node}) {
    bodies::Frame frame;
    frame.body = carrier;
    frames.push_back(system.add_frame(frame));
  }
  system.add_body(std::make_unique<bodies::Superelement>("bridge", reduced, frames), {});
  expect_refusal(system, testing::Eq("`bridge` has an interface on a node of a beam"));
}

}  // namespace
}  // namespace solidyn
