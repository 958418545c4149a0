// Where things stand: rotations in each of their forms, places by name, selections of nodes, and
// the frames that joints, forces and contacts get from points and directions of the world.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include <cmath>

#include "model/bodies/flexible_entry.h"
#include "model/joints/catalogue.h"
#include "model/places/axes.h"
#include "model/sensors/sensor_entry.h"
#include "rigid_entry_of.h"
#include "solidyn/math/dense.h"
#include "solidyn/model/build.h"
#include "solidyn/model/load.h"

namespace solidyn::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const char* const kModel = R"(solidyn: 1
units: {angle: deg}
bodies:
  box: {type: rigid, mass: 1, inertia: [1, 1, 1], pose: {position: [1, 2, 3]}, frames: {pin: {position: [0.5, 0, 0]}}}
  wheel: {type: rigid, mass: 1, inertia: [1, 1, 1]}
joints:
  hinge: {type: revolute, between: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1]}
analyses:
  - dynamics: {duration: 1, step: 1e-3}
)";

ModelDescription parse(const std::vector<std::string>& overrides = {}) {
  return parse_model(kModel, "model.yaml", std::string(SOLIDYN_SOURCE_DIR) + "/tests/unit/model",
                     overrides);
}

std::string error_with(const std::vector<std::string>& overrides) {
  try {
    const ModelDescription model = parse(overrides);
    build(PETSC_COMM_SELF, model, {});
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

// ---- rotations

Matrix3d rotation_of(const std::string& rotation) {
  return rigid(parse({"bodies.box.pose={rotation: {" + rotation + "}}"}), 0)
      .pose.rotation.toRotationMatrix();
}
Matrix3d turn(double degrees, const Vector3d& axis) {
  return Eigen::AngleAxisd(degrees * M_PI / 180.0, axis.normalized()).toRotationMatrix();
}

TEST(Rotations, AreTheSameInEachForm) {
  const Matrix3d R = turn(50.0, {1, 2, -2});
  const double half = 25.0 * M_PI / 180.0, s = std::sin(half) / 3.0;
  EXPECT_LT((rotation_of("axis: [1, 2, -2], angle: 50") - R).norm(), 1e-14);
  EXPECT_LT((rotation_of("axis: [-1, -2, 2], angle: -50") - R).norm(), 1e-14);
  EXPECT_LT((rotation_of(fmt::format("vector: [{}, {}, {}]", 50.0 / 3, 100.0 / 3, -100.0 / 3)) - R)
                .norm(),
            1e-14);
  EXPECT_LT(
      (rotation_of(fmt::format("quaternion: [{}, {}, {}, {}]", std::cos(half), s, 2 * s, -2 * s)) -
       R)
          .norm(),
      1e-14);
  EXPECT_LT((rotation_of("vector: [0, 0, 0]") - Matrix3d::Identity()).norm(), 1e-15);
}

// Each about the axes as the one before has left them.
TEST(Rotations, OfEulerAnglesAreAboutTurnedAxes) {
  EXPECT_LT(
      (rotation_of("euler_xyz: [20, 30, 40]") -
       turn(20, Vector3d::UnitX()) * turn(30, Vector3d::UnitY()) * turn(40, Vector3d::UnitZ()))
          .norm(),
      1e-14);
}

TEST(Rotations, OfQuaternionsAreNormalisedWhereTheyAreNearlySo) {
  EXPECT_LT(
      (rotation_of("quaternion: [0.7071, 0, 0, 0.7071]") - turn(90, Vector3d::UnitZ())).norm(),
      1e-14);
  EXPECT_THAT(
      error_with({"bodies.box.pose={rotation: {quaternion: [1, 1, 0, 0]}}"}),
      HasSubstr(
          "bodies.box.pose.rotation.quaternion has the norm 1.41421: a rotation must have norm 1"));
}

TEST(Rotations, AreGivenInOneWay) {
  EXPECT_THAT(error_with({"bodies.box.pose={rotation: {vector: [0, 0, 1], euler_xyz: [0, 0, 1]}}"}),
              HasSubstr("has both `vector` and `euler_xyz`"));
  EXPECT_THAT(error_with({"bodies.box.pose={rotation: {axis: [0, 0, 1]}}"}),
              HasSubstr("bodies.box.pose.rotation.axis is given without `angle`"));
  EXPECT_THAT(error_with({"bodies.box.pose={rotation: {}}"}),
              HasSubstr("bodies.box.pose.rotation is empty"));
}

// ---- places by name

TEST(Places, AreTheGroundABodyOrAFrameOfIt) {
  const auto of = [](const std::string& place) {
    return parse({"sensors.s={type: position, of: " + place + "}"}).sensors.at(0)->name;
  };
  EXPECT_EQ(of("box"), "s");
  EXPECT_EQ(of("box.pin"), "s");
  EXPECT_THAT(error_with({"sensors.s={type: position, of: ground}"}),
              HasSubstr("sensors.s.of: the ground does not move"));
  EXPECT_THAT(
      error_with({"sensors.s={type: position, of: bax}"}),
      AllOf(HasSubstr("sensors.s.of: there is no body `bax`"), HasSubstr("did you mean `box`?")));
  EXPECT_THAT(error_with({"sensors.s={type: position, of: box.pan}"}),
              AllOf(HasSubstr("sensors.s.of: body `box` has no frame `pan`"),
                    HasSubstr("did you mean `box.pin`?")));
  EXPECT_THAT(error_with({"sensors.s={type: position, of: wheel.pin}"}),
              HasSubstr("define it under bodies.wheel.frames"));
}

// A body whose type is wrong may have any place: one complaint is enough.
TEST(Places, OfABodyOfUnknownTypeAreNotDoubted) {
  const std::string said =
      error_with({"bodies.box.type=rigd", "sensors.s={type: position, of: box.other}"});
  EXPECT_THAT(said, HasSubstr("unknown type `rigd`"));
  EXPECT_THAT(said, Not(HasSubstr("other")));
}

TEST(PlaceTexts, AreThoseOfTheFile) {
  EXPECT_EQ(PlaceDescription().text(), "ground");
  EXPECT_EQ(place_on("rod", "end").text(), "rod.end");
  EXPECT_TRUE(place_on("rod", "end").has_own_pose());
  EXPECT_FALSE(PlaceDescription().has_own_pose());
}

// ---- selections of nodes

mesh::NodeSelection selection(const std::string& nodes) {
  const ModelDescription model = parse(
      {"units={length: mm}",
       "materials={steel: {youngs_modulus: 2e8, poissons_ratio: 0.3, density: 8e-6}}",
       "bodies.rod={type: corotational, mesh: rod.msh, material: steel, interfaces: {end: {nodes: {" +
           nodes + "}}}}"});
  return model.find_body("rod")->flexible()->interfaces.at(0).nodes;
}
std::string refused_selection(const std::string& nodes) {
  try {
    selection(nodes);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(NodeSelections, AreGivenInOneOfFourWays) {
  const auto near = std::get<mesh::NodesNear>(selection("near: [100, 200, 300], radius: 5"));
  EXPECT_TRUE(near.point.isApprox(Vector3d(0.1, 0.2, 0.3)));
  EXPECT_DOUBLE_EQ(near.radius, 0.005);
  EXPECT_EQ(std::get<mesh::NodesNear>(selection("near: [0, 0, 0]")).radius, 0.0);
  EXPECT_EQ(std::get<mesh::NodesInSet>(selection("in_set: end_face")).set, "end_face");
  const auto box =
      std::get<mesh::NodesInBox>(selection("in_box: {low: [0, 0, -10], high: [1, 2, 3]}"));
  EXPECT_DOUBLE_EQ(box.low.z(), -0.01);
  const auto cylinder = std::get<mesh::NodesInCylinder>(
      selection("in_cylinder: {point: [1, 0, 0], axis: [0, 0, 5], radius: 4, length: 6}"));
  EXPECT_TRUE(cylinder.axis.isApprox(Vector3d::UnitZ()));
  EXPECT_DOUBLE_EQ(cylinder.length, 0.006);
}

TEST(NodeSelections, ThatSelectNothingAreRefused) {
  EXPECT_THAT(refused_selection(""), HasSubstr("nodes is empty"));
  EXPECT_THAT(refused_selection("in_set: a, near: [0, 0, 0]"), HasSubstr("has both"));
  EXPECT_THAT(refused_selection("radius: 3"), HasSubstr("nodes.radius is given without `near`"));
  EXPECT_THAT(refused_selection("in_box: {low: [0, 5, 0], high: [1, 2, 3]}"),
              HasSubstr("in_box.low exceeds `high` in some coordinate"));
  EXPECT_THAT(refused_selection("in_box: {low: [0, 5, 0]}"), HasSubstr("in_box.high is missing"));
  EXPECT_THAT(
      refused_selection("in_cylinder: {point: [1, 0, 0], axis: [0, 0, 0], radius: 4, length: 6}"),
      HasSubstr("expected a direction"));
  EXPECT_THAT(
      refused_selection("in_cylinder: {point: [1, 0, 0], axis: [0, 0, 1], radius: 0, length: 6}"),
      HasSubstr("radius is 0: it must be > 0"));
}

// ---- axes from directions

bool is_rotation(const Matrix3d& R) {
  return (R.transpose() * R - Matrix3d::Identity()).norm() < 1e-12 && R.determinant() > 0.0;
}

TEST(AxesAlong, HaveTheirZAlongTheAxisAndXTowardsTheReference) {
  for (const Vector3d& axis : {Vector3d(1, 0, 0), Vector3d(0, -2, 0), Vector3d(0.9, 0.1, -0.4),
                               Vector3d(0.95, 0.2, 0.2)}) {
    const Matrix3d any = axes_along(axis, std::nullopt);
    EXPECT_TRUE(is_rotation(any));
    EXPECT_LT((any.col(2) - axis.normalized()).norm(), 1e-15);
    const Vector3d reference(0.3, 0.5, 1.7);
    const Matrix3d R = axes_along(axis, reference);
    EXPECT_TRUE(is_rotation(R));
    EXPECT_LT((R.col(2) - axis.normalized()).norm(), 1e-15);
    EXPECT_GT(R.col(0).dot(reference), 0.0);
    EXPECT_NEAR(R.col(1).dot(reference), 0.0, 1e-14);  // in the plane of axis and reference
  }
  EXPECT_EQ(axes_along(std::nullopt, Vector3d(1, 2, 3)), Matrix3d::Identity());
}

/// Of every type what it needs beside axis and reference; the box's origin is at (1, 2, 3).
const std::map<std::string, std::string> kKeys = {
    {"revolute", "at: [1, 1, 1]"},
    {"cylindrical", "at: [1, 1, 1]"},
    {"prismatic", "at: [1, 1, 1]"},
    {"planar", "at: [1, 1, 1]"},
    {"universal", "at: [1, 1, 1]"},
    {"constant_velocity", "at: [1, 1, 1]"},
    {"screw", "at: [1, 1, 1], pitch: 0.1"},
    {"point_on_line", "at: [1, 1, 1]"},
    {"point_on_plane", "at: [1, 1, 1]"},
    {"parallel_axes", ""},
    {"rolling", "at: [1, 2, 3], radius: 0.5, normal: [0.48, -0.6, 0.64]"},
    {"rotation_drive", "at: [1, 1, 1], angle: 0"},
    {"translation_drive", "at: [1, 1, 1], translation: 0"}};

struct JointFrames {
  bodies::FrameMotion A, B;
  Eigen::VectorXd phi;
  Eigen::MatrixXd G;
};

JointFrames frames_of(const std::string& type, const std::string& directions) {
  const std::string keys = kKeys.at(type);
  const ModelDescription model = parse({"joints.more={type: " + type + ", between: [wheel, box], " +
                                        directions + (keys.empty() ? "" : ", ") + keys + "}"});
  const auto built = build(PETSC_COMM_SELF, model, {});
  system::System& system = built->system;
  const system::State state = system.make_state();
  system.update(state);
  JointFrames found;
  const auto [A, B] = built->joint_frames.at("more");
  found.A = system.kinematics().frames[A], found.B = system.kinematics().frames[B];
  Eigen::VectorXd phi;
  system.compute_constraints(state, phi);
  const auto index = built->joints.at("more");
  const int first = system.layout().constraint_offset(index), n = system.constraint(index).n_rows();
  found.phi = phi.segment(first, n);
  found.G = Eigen::MatrixXd(system.sparse_G()).middleRows(first, n);
  return found;
}

class JointWithAnAxis : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, JointWithAnAxis, testing::ValuesIn([] {
                           std::vector<std::string> types;
                           for (const auto& [type, keys] : kKeys) types.push_back(type);
                           return types;
                         }()),
                         [](const auto& info) { return info.param; });

// Whatever its reference, a joint has axes, stands as drawn, and holds as many directions as it
// says: a reference along the normal of a rolling disc's plane once left it without the two that
// resist slip.
TEST_P(JointWithAnAxis, HasAxesAndHoldsAllItsRowsWithEveryReference) {
  for (const char* reference : {"", ", reference: [1, 0, 0]", ", reference: [0, 1, 0]",
                                ", reference: [0, 0.2, 1]", ", reference: [-0.3, 1, 0.7]"}) {
    SCOPED_TRACE(reference);
    const JointFrames frames =
        frames_of(GetParam(), std::string("axis: [0.6, 0, 0.8]") + reference);
    EXPECT_TRUE(is_rotation(frames.A.R));
    EXPECT_TRUE(is_rotation(frames.B.R));
    EXPECT_LT(frames.phi.norm(), 1e-14);
    const Eigen::MatrixXd gram = frames.G * frames.G.transpose();
    EXPECT_GT(math::symmetric_eigenvalues(gram)[0], 1e-3);  // its rows are independent
  }
}

TEST_P(JointWithAnAxis, RefusesAReferenceThatGivesNoDirection) {
  const bool is_rolling = GetParam() == "rolling";
  const std::string along =
      is_rolling ? "reference: [0.48, -0.6, 0.64]" : "reference: [0.6, 0, 0.8]";
  const std::string keys = kKeys.at(GetParam());
  EXPECT_THAT(error_with({"joints.more={type: " + GetParam() +
                          ", between: [wheel, box], axis: [0.6, 0, 0.8], " + along +
                          (keys.empty() ? "" : ", ") + keys + "}"}),
              HasSubstr(is_rolling ? "joints.more.reference is parallel to the normal of the plane"
                                   : "joints.more.reference is parallel to the axis"));
}

TEST(JointFrames, StandAtTheGivenPointWithZAlongTheAxis) {
  for (const auto& [type, keys] : kKeys) {
    if (type == "rolling" || type == "parallel_axes") continue;
    SCOPED_TRACE(type);
    const JointFrames frames = frames_of(type, "axis: [0.6, 0, 0.8], reference: [0, 1, 0]");
    EXPECT_LT((frames.A.R.col(2) - Vector3d(0.6, 0, 0.8)).norm(), 1e-14);
    EXPECT_LT((frames.A.R.col(0) - Vector3d::UnitY()).norm(), 1e-14);
    EXPECT_LT((frames.B.p - Vector3d(1, 1, 1)).norm(), 1e-14);
    EXPECT_LT((frames.A.p - frames.B.p).norm(), 1e-14);
  }
}

// Of a bend of 30 degrees: each frame has its shaft, and the arms of a cross are across both.
TEST(JointFrames, OfBentShaftsHaveBothShafts) {
  const std::string bend =
      fmt::format("axis: [0, 0, 1], second_axis: [{}, 0, {}], reference: [0, 1, 0]",
                  std::sin(M_PI / 6), std::cos(M_PI / 6));
  for (const char* type : {"universal", "constant_velocity"}) {
    const JointFrames frames = frames_of(type, bend);
    EXPECT_LT((frames.A.R.col(2) - Vector3d::UnitZ()).norm(), 1e-14) << type;
    EXPECT_LT((frames.B.R.col(2) - Vector3d(0.5, 0, std::sqrt(0.75))).norm(), 1e-14) << type;
    EXPECT_LT(frames.phi.norm(), 1e-14) << type;
  }
  const JointFrames cross = frames_of("universal", bend);
  EXPECT_NEAR(cross.A.R.col(0).dot(cross.B.R.col(1)), 0.0, 1e-14);
  EXPECT_THAT(
      error_with(
          {"joints.more={type: universal, between: [wheel, box], at: [0, 0, 0], axis: [0, 0, 1], second_axis: [1, 0, 0]}"}),
      HasSubstr("joints.more.second_axis is at 90 degrees to the axis"));
}

TEST(JointFrames, OfARollingDiscAreItsPlanesAndItsOwn) {
  const JointFrames frames = frames_of("rolling", "axis: [0.8, 0.64, 0]");
  EXPECT_LT((frames.A.R.col(2) - Vector3d(0.48, -0.6, 0.64).normalized()).norm(), 1e-14);
  EXPECT_LT((frames.B.R.col(2) - Vector3d(0.8, 0.64, 0).normalized()).norm(), 1e-14);
  EXPECT_LT((frames.B.p - Vector3d(1, 2, 3)).norm(), 1e-14);
  EXPECT_NEAR((frames.A.p - frames.B.p).norm(), 0.5, 1e-14);  // the plane is where the disc touches
}

// ---- where a place is not told

TEST(DefaultPoints, AreTheOriginsOfNamedPlaces) {
  const ModelDescription model =
      parse({"joints.more={type: spherical, between: [wheel, box.pin]}"});
  const auto built = build(PETSC_COMM_SELF, model, {});
  const system::State state = built->system.make_state();
  built->system.update(state);
  const auto [A, B] = built->joint_frames.at("more");
  EXPECT_LT((built->system.kinematics().frames[A].p - Vector3d(1.5, 2, 3)).norm(), 1e-14);
  EXPECT_LT((built->system.kinematics().frames[B].p - Vector3d(1.5, 2, 3)).norm(), 1e-14);
  EXPECT_THAT(error_with({"joints.more={type: spherical, between: [wheel, box]}"}),
              HasSubstr("joints.more.at is missing"));
}

TEST(ContactShapes, StandWhereTheyAreDrawn) {
  const ModelDescription model = parse(
      {"contacts.c={between: [ground, box], first: {shape: plane, at: [0, 0, 2], axis: [0, 0, 1]}, second: {shape: sphere, radius: 0.25, at: [1, 2, 2.5]}, law: {type: hertz, stiffness: 1e6}}"});
  const auto built = build(PETSC_COMM_SELF, model, {});
  const system::State state = built->system.make_state();
  built->system.update(state);
  double gap = 1e9;
  for (const auto i : built->system.forces())
    gap = std::min(gap, built->system.force(i).gap(built->system.kinematics()).value_or(1e9));
  EXPECT_NEAR(gap, 0.25, 1e-14);
}

}  // namespace
}  // namespace solidyn::model
