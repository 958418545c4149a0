// One instant of reference problems E01, E02, E04 and E05, whose numbers come from the positions of
// point masses, by three paths: sweeps over articulated bodies, the mass matrix of composite bodies
// bordered by the rows of closures, and absolute coordinates.
#include <gmock/gmock.h>

#include <algorithm>

#include "random_trees.h"
#include "reference_tree.h"
#include "solidyn/math/rotation.h"
#include "solidyn/recursive/composite_bodies.h"
#include "solidyn/recursive/inverse_dynamics.h"
#include "solidyn/recursive/step_equations.h"
#include "solidyn/system/accelerations.h"
#include "tree_matrices.h"

namespace solidyn {
namespace {

using bodies::BodyIndex;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using joints::Hinge;
using Json = nlohmann::json;
using system::State;
using testing_support::matrix_of;
using testing_support::reference_data;
using testing_support::ReferenceTree;
using testing_support::vector_of;

constexpr double kSame = 1e-8;  // of the largest, as the pages ask
constexpr double kSameMass = 1e-9, kSamePath = 1e-10;

struct Answer {
  State state;
  VectorXd du;  // relative coordinates only
};

// The equations of implicit steps hold there too.
void expect_no_residual(recursive::Mechanism& mechanism, VectorXd q, VectorXd u,
                        const Answer& answer) {
  recursive::StepEquations equations(mechanism);
  State state = answer.state.clone();
  VectorXd du = answer.du;
  const double size = answer.state.lambda.lpNorm<Eigen::Infinity>();
  equations.evaluate(q, u, du, state);
  EXPECT_LT(equations.residual().lpNorm<Eigen::Infinity>(), 1e-11 * (1.0 + size));
  du[0] += 1.0;
  equations.evaluate(q, u, du, state);
  EXPECT_GT(equations.residual().lpNorm<Eigen::Infinity>(), 1e-3);
}

Answer recursive_answer(ReferenceTree& tree) {
  recursive::Mechanism mechanism(tree.system());
  VectorXd q, u;
  mechanism.tree().find_coordinates(tree.state(), q, u);
  Answer answer{tree.state().clone(), {}};
  mechanism.compute_accelerations(q, u, answer.state, answer.du);
  mechanism.compute_state(q, u, answer.state);
  expect_no_residual(mechanism, q, u, answer);
  return answer;
}

Answer absolute_answer(ReferenceTree& tree) {
  Answer answer{tree.state().clone(), {}};
  auto solver =
      solvers::make_linear_solver(solvers::Preset::automatic, tree.system().layout().n_unknowns());
  tree.system().set_pattern(*solver);
  answer.state.a.setZero();
  answer.state.lambda.setZero();
  system::solve_acceleration_equations(tree.system(), answer.state, {}, *solver);
  return answer;
}

void expect_same(const VectorXd& found, const VectorXd& expected, const std::string& what) {
  EXPECT_LT((found - expected).lpNorm<Eigen::Infinity>(),
            kSame * expected.lpNorm<Eigen::Infinity>())
      << what << "\n"
      << found.transpose() << "\n"
      << expected.transpose();
}

// Of forces, drives and loads, at the system's kinematics.
void add_forces(const system::System& system, recursive::Tree& tree,
                recursive::ArticulatedBodies& bodies) {
  for (const forces::ForceIndex i : system.forces()) {
    const forces::Force& force = system.force(i);
    int n = 0, at = 0;
    for (const BodyIndex body : force.bodies()) n += system.body(body).n_velocities();
    VectorXd r = VectorXd::Zero(n);
    force.add_residual(system.kinematics(), 0.0, r);
    for (const BodyIndex body : force.bodies()) {
      n = system.body(body).n_velocities();
      bodies.add_force(tree.link_of(body), r.segment(at, n));
      at += n;
    }
  }
}

// [M G^T; G 0] [du; lambda] = [-C; gamma - G J' u], without any articulated inertia.
struct DensePath {
  MatrixXd M, J;        // J: velocities of bodies by speeds of the tree
  VectorXd C;           // of velocities, gravity and all forces
  VectorXd du, lambda;  // lambda of closures
};

DensePath dense_path(ReferenceTree& reference) {
  system::System& system = reference.system();
  recursive::Tree tree(system);
  const int n = tree.n_speeds();
  VectorXd q, u;
  State state = reference.state().clone();
  tree.find_coordinates(state, q, u);
  DensePath path;
  path.J = testing_support::jacobian(tree, q, state);
  tree.compute_motion(q.data(), u.data());
  tree.write(state);
  system.update(state);
  VectorXd phi;
  system.compute_constraints(state, phi);
  system.update_accelerations();
  recursive::ArticulatedBodies bodies(tree);
  bodies.set_forces_to_zero();
  add_forces(system, tree, bodies);
  recursive::InverseDynamics(tree).compute(system.gravity(), VectorXd::Zero(n), path.C);
  VectorXd a(state.a.size()), nu, gamma;
  for (recursive::Modes& m : tree.modes()) m.ddq.setZero(m.n);
  for (const recursive::Link& k : tree.links())
    bodies.write_acceleration(k, a.segment(system.layout().velocity_offset(k.body),
                                           system.layout().n_velocities(k.body)));
  system.compute_rates(state, nu, gamma);
  path.M = composite_mass_matrix(tree);
  std::vector<int> rows;
  for (const bodies::ConstraintIndex c : tree.forest().closures)
    for (int i = 0; i < system.constraint(c).n_rows(); ++i)
      rows.push_back(system.layout().constraint_offset(c) + i);
  const int n_rows = static_cast<int>(rows.size());
  const MatrixXd all = system.sparse_G();
  MatrixXd bordered = MatrixXd::Zero(n + n_rows, n + n_rows);
  VectorXd right(n + n_rows);
  bordered.topLeftCorner(n, n) = path.M;
  right.head(n) = -path.C;
  for (int i = 0; i < n_rows; ++i) {
    bordered.block(n + i, 0, 1, n) = all.row(rows[i]) * path.J;
    bordered.block(0, n + i, n, 1) = bordered.block(n + i, 0, 1, n).transpose();
    right[n + i] = gamma[rows[i]] - all.row(rows[i]).dot(a);
  }
  const VectorXd x = bordered.partialPivLu().solve(right);
  path.du = x.head(n);
  path.lambda = x.tail(n_rows);
  return path;
}

// @param to_tree  speeds of the tree by those of the file
void expect_mass_matrix(const DensePath& path, const MatrixXd& to_tree, const Json& data) {
  const MatrixXd found = to_tree.transpose() * path.M * to_tree,
                 expected = matrix_of(data["mass_matrix"]);
  EXPECT_LT((found - expected).lpNorm<Eigen::Infinity>(),
            kSameMass * expected.lpNorm<Eigen::Infinity>());
}

// A file of E04's format: the speeds of its coordinates, whatever body is the root, give the
// velocities of all bodies.
MatrixXd speeds_of_file(Json data, const MatrixXd& J) {
  const std::size_t n = data["v"].size();
  MatrixXd V(J.rows(), static_cast<int>(n));
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> v(n, 0.0);
    v[i] = 1.0;
    data["v"] = v;
    ReferenceTree tree;
    tree.add_all(data);
    tree.finish();
    V.col(static_cast<int>(i)) = tree.state().v;
  }
  const MatrixXd to_tree = J.colPivHouseholderQr().solve(V);
  EXPECT_LT((J * to_tree - V).lpNorm<Eigen::Infinity>(), 1e-10);
  return to_tree;
}

// Position, velocity and acceleration of the frames of all bodies.
void expect_frames(ReferenceTree& tree, const State& state, const Json& frames) {
  double largest = 0.0;
  for (const Json& frame : frames)
    for (const char* key : {"acceleration", "angular_acceleration"})
      largest = std::max(largest, vector_of(frame[key]).lpNorm<Eigen::Infinity>());
  const system::Layout& layout = tree.system().layout();
  for (std::size_t i = 0; i < frames.size(); ++i) {
    SCOPED_TRACE("body " + std::to_string(i));
    const BodyIndex body(i);
    const int q = layout.configuration_offset(body), v = layout.velocity_offset(body);
    const Matrix3d R = matrix_of(frames[i]["rotation"]);
    EXPECT_LT((state.q.segment<3>(q) - vector_of(frames[i]["position"])).norm(), 1e-9);
    EXPECT_LT((state.v.segment<3>(v) - vector_of(frames[i]["velocity"])).norm(), 1e-8);
    EXPECT_LT((R * state.v.segment<3>(v + 3) - vector_of(frames[i]["angular_velocity"])).norm(),
              1e-8);
    EXPECT_LT((state.a.segment<3>(v) - vector_of(frames[i]["acceleration"])).norm(),
              kSame * largest);
    EXPECT_LT((R * state.a.segment<3>(v + 3) - vector_of(frames[i]["angular_acceleration"])).norm(),
              kSame * largest);
  }
}

/// @param cut  body whose hinge is cut; -1: what is found
void expect_reference(const std::string& file, int cut = -1) {
  const Json data = reference_data(file);
  ReferenceTree tree;
  tree.cut(cut);
  tree.add_all(data);
  tree.finish();
  const Answer answer = recursive_answer(tree);
  const DensePath path = dense_path(tree);
  EXPECT_LT((path.du - answer.du).lpNorm<Eigen::Infinity>(),
            kSamePath * answer.du.lpNorm<Eigen::Infinity>());
  if (cut < 0) expect_mass_matrix(path, speeds_of_file(data, path.J), data);
  const Answer absolute = absolute_answer(tree);
  for (const State* state : {&answer.state, &absolute.state}) {
    expect_frames(tree, *state, data["frames"]);
    if (!data.contains("loops")) continue;
    // M a + h = Q + G^T lambda there.
    expect_same(-state->lambda.tail(4), vector_of(data["closure_forces"]), "closures");
  }
  if (data.contains("loops") && cut < 0)
    expect_same(-path.lambda, vector_of(data["closure_forces"]), "closures of the dense path");
}

// E04: a hinge of every kind on a free base, of which any body may be the root.
TEST(HingesOfEveryKind, RigidTreeHasTheReferenceAccelerations) {
  expect_reference("e04_rigid.json");
}
TEST(HingesOfEveryKind, FlexibleTreeHasTheReferenceAccelerations) {
  expect_reference("e04_flexible.json");
}

// The ball between bodies 1 and 3 has known accelerations, in the same sweeps.
TEST(HingesOfEveryKind, PrescribedBallNeedsTheReferenceTorque) {
  const Json data = reference_data("e04_prescribed.json");
  ReferenceTree reference;
  reference.add_all(data);
  reference.finish();
  system::System& system = reference.system();
  recursive::Tree tree(system);
  const auto& branches = tree.forest().branches;
  const auto ball = std::find_if(branches.begin(), branches.end(), [&](const auto& branch) {
    return branch.joint != bodies::kNoConstraint &&
           system.constraint(branch.joint).name() == "hinge 3";
  });
  ASSERT_NE(ball, branches.end());
  const int link = static_cast<int>(ball - branches.begin());
  tree.prescribe(link);
  VectorXd q, u, known = VectorXd::Zero(tree.n_speeds());
  tree.find_coordinates(reference.state(), q, u);
  const recursive::Link& k = tree.links()[link];
  // Those of the file are in the axes of the body, and the tree's there too beside modes, else in
  // the axes of what carries it.
  const bodies::Kinematics& kinematics = system.kinematics();
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  if (k.hinge.turns_in() == joints::Hinge::TurnAxes::A)
    R = kinematics.frames[branches[link].inboard_frame].R.transpose() *
        kinematics.frames[branches[link].outboard_frame].R;
  ASSERT_FALSE(k.is_reversed);
  Eigen::Vector3d of_file;
  for (int i = 0; i < 3; ++i) of_file[i] = data["prescribed"][std::to_string(10 + i)].get<double>();
  known.segment<3>(k.u) = R * of_file;
  recursive::ArticulatedBodies bodies(tree);
  bodies.move(q.data(), u.data(), system.gravity());
  bodies.eliminate();
  add_forces(system, tree, bodies);
  VectorXd du = known;
  bodies.solve(recursive::ArticulatedBodies::Bias::motion, du);
  EXPECT_EQ(du.segment<3>(k.u), known.segment<3>(k.u));
  State state = reference.state().clone();
  for (const recursive::Link& each : tree.links())
    bodies.write_acceleration(each, state.a.segment(system.layout().velocity_offset(each.body),
                                                    system.layout().n_velocities(each.body)));
  expect_frames(reference, state, data["frames"]);
  expect_same(R.transpose() * (tree.H(k).transpose() * k.f), vector_of(data["prescribed_needs"]),
              "torque");
}

// E05: a ball and a rod close two loops; that of the ball leads over the hinges of six bodies and
// the ground, of which any may be cut in place of the ball.
TEST(ClosedLoops, OfRigidBodiesHaveTheReferenceAccelerationsAndForces) {
  for (int cut = -1; cut < 6; ++cut) {
    SCOPED_TRACE(cut);
    expect_reference("e05_loops_rigid.json", cut);
  }
}
TEST(ClosedLoops, OfFlexibleBodiesHaveTheReferenceAccelerationsAndForces) {
  for (int cut = -1; cut < 6; ++cut) {
    SCOPED_TRACE(cut);
    expect_reference("e05_loops_flexible.json", cut);
  }
}

// Where the coordinates of the file are those of the tree, in another order.
void expect_all_paths(ReferenceTree& tree, const MatrixXd& to_tree, const VectorXd& efforts,
                      const VectorXd& accelerations, const Json& data) {
  expect_same(to_tree.transpose() * recursive_answer(tree).du, accelerations, "accelerations");
  const DensePath path = dense_path(tree);
  expect_same(to_tree.transpose() * path.du, accelerations, "accelerations by the mass matrix");
  expect_mass_matrix(path, to_tree, data);
  expect_same(to_tree.transpose() * path.C + efforts, vector_of(data["bias_including_gravity"]),
              "bias");
}

// E01: one-axis hinges along any axis. The file gives accelerations of the centres of mass.
void expect_rigid_tree(const std::string& file) {
  const Json data = reference_data(file);
  ReferenceTree tree;
  tree.system().set_gravity(vector_of(data["gravity"]));
  for (const Json& body : data["bodies"]) {
    Json plain = body;
    plain["inertia"] = body["inertia_com"];
    plain["nodes"] = {{0.0, 0.0, 0.0}};
    const BodyIndex index = tree.add_body(plain);
    const Matrix3d R = testing_support::axes_along(vector_of(body["axis"]));
    const int parent = body["parent"];
    const auto A = tree.add_frame(parent < 0 ? bodies::kGround : BodyIndex(parent), 0,
                                  vector_of(body["p_parent"]),
                                  math::exp_rotation(vector_of(body["rotvec0"])) * R);
    const auto B = tree.add_frame(index, 0, Vector3d::Zero(), R);
    const VectorXd q = VectorXd::Constant(1, body["q"]), u = VectorXd::Constant(1, body["qd"]),
                   tau = VectorXd::Constant(1, body["tau"]);
    tree.hang(testing_support::hinge_kind(body["type"]), A, B, q, u, VectorXd(0), VectorXd(0),
              [tau](double) { return tau; });
  }
  tree.finish();
  const VectorXd expected_du = vector_of(data["qdd"]);
  for (const Answer& answer : {recursive_answer(tree), absolute_answer(tree)}) {
    VectorXd found(6), expected(6);
    for (std::size_t i = 0; i < data["bodies"].size(); ++i) {
      const int at = tree.system().layout().velocity_offset(BodyIndex(i));
      const Eigen::Vector4d Q =
          answer.state.q.segment<4>(tree.system().layout().configuration_offset(BodyIndex(i)) + 3);
      const Matrix3d R = Eigen::Quaterniond(Q[0], Q[1], Q[2], Q[3]).toRotationMatrix();
      const Vector3d c = R * vector_of(data["bodies"][i]["com"]),
                     w = R * answer.state.v.segment<3>(at + 3),
                     alpha = R * answer.state.a.segment<3>(at + 3);
      found << answer.state.a.segment<3>(at) + alpha.cross(c) + w.cross(w.cross(c)), alpha;
      expected = vector_of(data["body_acceleration_com_linear_then_angular"][i]);
      EXPECT_LT((found - expected).norm(), 1e-6) << i;  // seven decimals are printed
    }
  }
  // Hinges hang on the ground, so that the coordinates are those of the file, branch by branch.
  const recursive::Forest forest = recursive::find_forest(tree.system());
  const int n = static_cast<int>(expected_du.size());
  MatrixXd to_tree = MatrixXd::Zero(n, n);
  for (int i = 0; i < n; ++i) to_tree(i, forest.branches[i].body.value()) = 1.0;
  VectorXd efforts(n);
  for (int i = 0; i < n; ++i) efforts[i] = data["bodies"][i]["tau"];
  expect_all_paths(tree, to_tree, efforts, expected_du, data);
}

TEST(RigidTrees, BranchingOneHasTheReferenceAccelerations) { expect_rigid_tree("e01_tree7.json"); }
TEST(RigidTrees, ChainOfTwelveHasTheReferenceAccelerations) {
  expect_rigid_tree("e01_chain12.json");
}

// E02: the inboard node of free-free modes moves and turns with them; the printed joint map of
// P-RECURSIVE (3.15) has no lever arm for that.
void expect_flexible_chain(const std::string& file) {
  const Json data = reference_data(file);
  ReferenceTree tree;
  tree.system().set_gravity(vector_of(data["gravity"]));
  int before = -1, outboard = 0;
  for (const Json& body : data["bodies"]) {
    Json plain = body;
    plain["nodes"] = body["node_positions"];
    plain["masses"] = body["node_mass"];
    const BodyIndex index = tree.add_body(plain);
    const Matrix3d R = testing_support::axes_along(vector_of(body["hinge_axis"]));
    const auto A = tree.add_frame(before < 0 ? bodies::kGround : BodyIndex(before), outboard,
                                  Vector3d::Zero(), R);
    const auto B = tree.add_frame(index, body["inboard_node"], Vector3d::Zero(), R);
    const VectorXd torque = VectorXd::Constant(1, body["torque"]);
    tree.hang(Hinge::Kind::revolute, A, B, VectorXd::Constant(1, body["theta"]),
              VectorXd::Constant(1, body["beta"]), vector_of(body["eta"]),
              vector_of(body["etadot"]), [torque](double) { return torque; });
    before = index.value();
    outboard = body["outboard_node"];
  }
  tree.finish();
  const VectorXd expected = vector_of(data["accelerations"]);  // of modes, then of the hinge
  const int n = static_cast<int>(expected.size());
  MatrixXd to_tree = MatrixXd::Zero(n, n);
  VectorXd efforts = VectorXd::Zero(n);
  for (int i = 0; i < n; i += 3) {
    to_tree(i, i + 2) = to_tree(i + 1, i) = to_tree(i + 2, i + 1) = 1.0;
    efforts[i + 2] = data["bodies"][i / 3]["torque"];
  }
  expect_all_paths(tree, to_tree, efforts, expected, data);
  expect_same(absolute_answer(tree).state.a, recursive_answer(tree).state.a,
              "absolute coordinates");
}

TEST(FlexibleChains, WithCantileverModesHaveTheReferenceAccelerations) {
  expect_flexible_chain("e02_flexchain_cantilever.json");
}
TEST(FlexibleChains, WithFreeModesHaveTheReferenceAccelerations) {
  expect_flexible_chain("e02_flexchain_freefree.json");
}

}  // namespace
}  // namespace solidyn
