// The penalty force of a group is that of a contact for each of its pairs, in steps and in memory.
#include "solidyn/contact/group_force.h"

#include <gtest/gtest.h>

#include "ball.h"
#include "random_bodies.h"

namespace solidyn::contact {
namespace {

using bodies::BodyIndex;
using bodies::FrameIndex;
using Eigen::VectorXd;

NormalLaw law() {
  NormalLaw law;
  law.stiffness = 1e5;
  law.dissipation = 0.3;
  return law;
}
const Friction kFriction{0.3, 0.3, 1.0, 1e-2};

// Balls that fall onto a plane and each other.
struct Heap {
  explicit Heap(int n, bool is_group) {
    system = std::make_unique<system::System>();
    system->set_gravity(Vector3d(0.0, 0.0, -9.81));
    std::mt19937 generator(7);
    std::vector<FrameIndex> frames;
    for (int i = 0; i < n; ++i) {
      Body ball;
      ball.position = Vector3d(0.23 * (i % 3), 0.24 * (i / 3 % 3), 0.12 + 0.24 * (i / 9)) +
                      testing_support::random_vector(generator, 3, 0.01);
      ball.velocity = testing_support::random_vector(generator, 3, 0.5);
      frames.push_back(add_frame(*system, add_ball(*system, ball), Eigen::Matrix3d::Identity()));
    }
    const FrameIndex ground = add_frame(*system, bodies::kGround, Eigen::Matrix3d::Identity());
    if (is_group)
      add_groups(frames, ground);
    else
      add_pairs(frames, ground);
    system->finalize();
  }
  void add_groups(const std::vector<FrameIndex>& frames, FrameIndex ground) {
    std::vector<ContactGroup::Member> balls, all = {{system->end_at(ground), 0}};
    for (const FrameIndex f : frames) {
      balls.push_back({system->end_at(f), 0});
      all.push_back({system->end_at(f), 1});
    }
    const int n = static_cast<int>(frames.size());
    add(std::make_shared<ContactGroup>(std::vector<Shape>{Plane{}, Sphere{0.1}}, all, 1));
    add(std::make_shared<ContactGroup>(std::vector<Shape>{Sphere{0.1}}, balls, n));
  }
  void add(std::shared_ptr<const ContactGroup> group) {
    system->add_force(
        std::make_unique<GroupForce>("heap", std::move(group), law(), kFriction, 0.3));
  }
  void add_pairs(const std::vector<FrameIndex>& frames, FrameIndex ground) {
    for (const FrameIndex f : frames) add(ground, Plane{}, f, Sphere{0.1});
    for (std::size_t i = 0; i < frames.size(); ++i)
      for (std::size_t j = i + 1; j < frames.size(); ++j)
        add(frames[i], Sphere{0.1}, frames[j], Sphere{0.1});
  }
  void add(FrameIndex a, const Shape& A, FrameIndex b, const Shape& B) {
    system->add_force(std::make_unique<ContactForce>("pair", system->link(a, b),
                                                     make_geometry(A, B), law(), kFriction, 0.3));
  }
  std::unique_ptr<system::System> system;
};

// Until round-off has grown: after a few collisions the heap is chaotic.
TEST(GroupForce, MovesAHeapAsAContactOfEachPairDoes) {
  Heap group(18, true), pairs(18, false);
  constexpr double kDuration = 0.035;
  std::vector<VectorXd> positions;
  run(*group.system, kDuration, 5e-4, 0.0,
      [&](const system::State& s) { positions.push_back(s.q); });
  std::size_t i = 0;
  double largest = 0.0;
  run(*pairs.system, kDuration, 5e-4, 0.0, [&](const system::State& s) {
    largest = std::max(largest, (s.q - positions[i++]).lpNorm<Eigen::Infinity>());
  });
  EXPECT_EQ(i, positions.size());
  EXPECT_LT(largest, 1e-8);
  EXPECT_GT((positions.back() - positions.front()).norm(), 0.05);
}

TEST(GroupForce, GoesOnToTheLastBitFromWhatItRemembers) {
  Heap first(18, true), second(18, true);
  std::vector<system::State> states;
  run(*first.system, 0.05, 5e-4, 0.0, [&](const system::State& s) { states.push_back(s.clone()); });
  const system::State& last = states.back();
  EXPECT_GT(last.memory.size(), 18 * 6 + 19 * 6);
  EXPECT_TRUE(first.system->is_memory(last.memory));
  VectorXd damaged = last.memory.head(last.memory.size() - 1);
  EXPECT_FALSE(first.system->is_memory(damaged));
  // The same forces, and the same memory of the same state, by a system that has seen no other.
  VectorXd r_1, r_2, phi;
  first.system->update(last);
  first.system->compute_residual(last, r_1, phi);
  second.system->update(last);
  second.system->compute_residual(last, r_2, phi);
  EXPECT_EQ(r_1, r_2);
  system::State again = last.clone(), other = last.clone();
  first.system->accept(again);
  second.system->accept(other);
  EXPECT_EQ(again.memory, other.memory);
}

// Two balls that fly towards each other from beyond their boxes, and through.
TEST(GroupForce, ObjectsToAStepInWhichShapesPassThroughEachOther) {
  bodies::Kinematics k;
  k.frames.resize(2);
  const std::vector<ContactGroup::Member> members = {{{FrameIndex(0), BodyIndex(0), 6}, 0},
                                                     {{FrameIndex(1), BodyIndex(1), 6}, 0}};
  GroupForce force("balls",
                   std::make_shared<ContactGroup>(std::vector<Shape>{Sphere{0.1}}, members, 2),
                   law(), {}, 0.1);
  auto& ball = k.frames[FrameIndex(1)];
  ball.p = Vector3d(1.0, 0.0, 0.0);
  force.follow(k);
  std::vector<double> memory;
  force.append_memory(k, 0.0, memory);
  force.recall(Eigen::Map<VectorXd>(memory.data(), static_cast<Eigen::Index>(memory.size())));
  ball.p.x() = 0.9;
  force.follow(k);
  EXPECT_EQ(force.rejection(k, 0.1), "");
  ball.p.x() = -1.0;
  force.follow(k);
  EXPECT_NE(force.rejection(k, 0.1).find("passed through each other"), std::string::npos);
  ball.p = Vector3d(-1.0, 2.0, 0.0);
  force.follow(k);
  EXPECT_EQ(force.rejection(k, 0.1), "");
  ball.p = Vector3d(0.15, 0.0, 0.0);
  force.follow(k);
  EXPECT_EQ(force.n_near(), 1);
  EXPECT_NE(force.rejection(k, 0.1).find("was missed"), std::string::npos);
}

}  // namespace
}  // namespace solidyn::contact
