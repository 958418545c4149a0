#include "linkages.h"

#include <numeric>

#include "mechanisms.h"
#include "random_trees.h"
#include "solidyn/bodies/modal_body.h"

namespace solidyn::testing_support {
namespace {

using Eigen::Vector3d;
using joints::JointType;
using system::InitialMotion;

struct JointPlace {
  std::string name;
  bodies::BodyIndex body_A, body_B;
  Vector3d point, axis = Vector3d::UnitZ();
  JointType type = JointType::revolute;
};

class Linkage {
 public:
  Linkage() { system_->set_gravity(Vector3d(0, -9.81, 0)); }

  bodies::BodyIndex add_rod(const std::string& name, const Vector3d& from, const Vector3d& to,
                            const Vector3d& v = Vector3d::Zero(),
                            const Vector3d& w = Vector3d::Zero()) {
    const double length = (to - from).norm();
    InitialMotion pose;
    pose.p_WB = 0.5 * (from + to);
    pose.q_WB = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitX(), to - from);
    pose.v_WB = v;
    pose.w_WB_B = pose.q_WB.conjugate() * w;
    const double across = length * length * length / 12.0;
    const Vector3d inertia(1e-3 * across, across, across);
    poses_.push_back(pose);
    return system_->add_body(
        bodies::make_rigid_body(name, length, Vector3d::Zero(), inertia.asDiagonal()), pose);
  }

  void add_joints(const std::vector<JointPlace>& joints, std::vector<int> order = {}) {
    if (order.empty()) {
      order.resize(joints.size());
      std::iota(order.begin(), order.end(), 0);
    }
    const auto pose = [&](bodies::BodyIndex body) {
      return body == bodies::kGround ? InitialMotion{} : poses_[body];
    };
    for (int i : order) {
      const JointPlace& j = joints[i];
      add_joint(*system_, j.name, j.type, j.body_A, pose(j.body_A), j.body_B, pose(j.body_B),
                j.point, j.axis);
    }
  }

  void add_drive(bodies::BodyIndex body, const Vector3d& point, const std::string& angle) {
    const joints::JointRows rows =
        joints::rotation_drive_rows(math::TimeFunction::expression(angle));
    const auto A = system_->add_frame(frame_at(bodies::kGround, {}, point));
    const auto B = system_->add_frame(frame_at(body, poses_[body], point));
    system_->add_constraint(
        std::make_unique<joints::Joint>("drive", system_->link(A, B), rows.primitives, rows.names));
  }

  void rub(double coefficient) { add_friction(*system_, coefficient); }

  std::unique_ptr<system::System> take() {
    system_->finalize();
    return std::move(system_);
  }

 private:
  std::unique_ptr<system::System> system_ = std::make_unique<system::System>();
  base::IndexedVector<bodies::BodyIndex, InitialMotion> poses_;
};

}  // namespace

std::unique_ptr<system::System> make_four_bars(int n, const std::vector<int>& order,
                                               double friction) {
  Linkage linkage;
  std::vector<JointPlace> joints;
  std::vector<bodies::BodyIndex> crank, coupler;
  const Vector3d up(0, 1, 0);
  for (int i = 0; i <= n; ++i) {
    const Vector3d foot(i, 0, 0);
    crank.push_back(linkage.add_rod("crank " + std::to_string(i), foot, foot + up,
                                    Vector3d(0.5, 0, 0), Vector3d(0, 0, -1)));
  }
  for (int i = 0; i < n; ++i) {
    const Vector3d end = Vector3d(i, 0, 0) + up;
    coupler.push_back(linkage.add_rod("coupler " + std::to_string(i), end, end + Vector3d::UnitX(),
                                      Vector3d(1, 0, 0)));
  }
  for (int i = 0; i <= n; ++i) {
    const Vector3d foot(i, 0, 0);
    const std::string number = std::to_string(i);
    joints.push_back({"pivot " + number, bodies::kGround, crank[i], foot});
    if (i > 0)
      joints.push_back({"right " + std::to_string(i - 1), coupler[i - 1], crank[i], foot + up});
    if (i < n) joints.push_back({"left " + number, crank[i], coupler[i], foot + up});
  }
  linkage.add_joints(joints, order);
  if (friction > 0.0) linkage.rub(friction);
  return linkage.take();
}

std::unique_ptr<system::System> make_driven_parallelogram(const std::string& angle) {
  Linkage linkage;
  const Vector3d A(0, 0, 0), B(0, 1, 0), C(1, 1, 0), D(1, 0, 0), z(0, 0, 1);
  const auto left = linkage.add_rod("left", A, B), coupler = linkage.add_rod("coupler", B, C),
             right = linkage.add_rod("right", D, C);
  linkage.add_joints({{"pivot left", bodies::kGround, left, A},
                      {"pin left", left, coupler, B, z, JointType::spherical},
                      {"pin right", coupler, right, C, z, JointType::cylindrical},
                      {"pivot right", bodies::kGround, right, D}});
  linkage.add_drive(left, A, angle);
  return linkage.take();
}

std::unique_ptr<system::System> make_five_bar_parallelogram() {
  Linkage linkage;
  const Vector3d across(0.6, 0.8, 0);
  std::vector<JointPlace> joints;
  for (int i = 0; i < 3; ++i) {
    const Vector3d foot(i, 0, 0);
    const std::string number = std::to_string(i + 1);
    const auto crank = linkage.add_rod("crank " + number, foot, foot + across);
    joints.push_back({"pivot " + number, bodies::kGround, crank, foot});
    joints.push_back({"pin " + number, crank, bodies::BodyIndex(3), foot + across});
  }
  linkage.add_rod("coupler", across, across + Vector3d(2, 0, 0));
  linkage.add_joints(joints);
  return linkage.take();
}

std::unique_ptr<system::System> make_bricard() {
  const std::array<Vector3d, 6> corners = {Vector3d(0, 0, 0),  Vector3d(1, 0, 0),
                                           Vector3d(1, 0, -1), Vector3d(1, 1, -1),
                                           Vector3d(0, 1, -1), Vector3d(0, 1, 0)};
  Linkage linkage;
  std::vector<JointPlace> joints;
  std::vector<bodies::BodyIndex> rods;
  // Rod i leads from corner i to corner i + 1; the last edge is the ground.
  for (int i = 0; i < 5; ++i)
    rods.push_back(linkage.add_rod("rod " + std::to_string(i + 1), corners[i], corners[i + 1]));
  for (int i = 0; i < 6; ++i) {
    const Vector3d before = corners[i] - corners[(i + 5) % 6];
    const Vector3d after = corners[(i + 1) % 6] - corners[i];
    joints.push_back({"joint " + std::to_string(i + 1), i > 0 ? rods[i - 1] : bodies::kGround,
                      i < 5 ? rods[i] : bodies::kGround, corners[i], before.cross(after)});
  }
  linkage.add_joints(joints);
  return linkage.take();
}

}  // namespace solidyn::testing_support
