// Which points a group has in a state, what it keeps of them, and steps that have missed a pair.
#include "solidyn/contact/set_valued_group.h"

#include <gtest/gtest.h>

namespace solidyn::contact {
namespace {

using bodies::BodyIndex;
using bodies::FrameIndex;
using Eigen::Vector3d;
using Eigen::VectorXd;
using forces::SetValuedPoint;
using Phase = SetValuedPoint::Phase;

constexpr double kRadius = 0.1;

ContactGroup::Member ball(int i) { return {{FrameIndex(i), BodyIndex(i), 6}, 0}; }

// Balls 0, 1, 2 ... in the frames of the same number.
struct Balls {
  explicit Balls(int n) : n(n) { k.frames.resize(n); }
  Vector3d& place(int i) { return k.frames[FrameIndex(i)].p; }
  Vector3d& velocity(int i) { return k.frames[FrameIndex(i)].v; }
  SetValuedGroup make(std::vector<Vector3d> surfaces = {}, double first_step = 0.0) const {
    std::vector<ContactGroup::Member> members;
    SetValuedGroup::Options options;
    for (int i = 0; i < n; ++i) {
      members.push_back(ball(i));
      options.members.push_back("ball" + std::to_string(i));
    }
    options.law.static_coefficient = options.law.dynamic_coefficient = 0.3;
    options.label = "heap";
    options.surface_velocities = std::move(surfaces);
    options.first_step = first_step;
    return {"contact heap",
            std::make_shared<ContactGroup>(std::vector<Shape>{Sphere{kRadius}}, members, n),
            options};
  }
  int n;
  bodies::Kinematics k;
};

VectorXd memory_of(const SetValuedGroup& group, const bodies::Kinematics& k, double t) {
  std::vector<double> memory;
  group.append_memory(k, t, memory);
  return Eigen::Map<VectorXd>(memory.data(), static_cast<Eigen::Index>(memory.size()));
}

void accept(SetValuedGroup& group, const bodies::Kinematics& k, double t) {
  group.recall(memory_of(group, k, t));
  group.follow(k);
}

SetValuedPoint pressing(const Vector3d& force) {
  SetValuedPoint point;
  point.phase = Phase::closed;
  point.sticks = true;
  point.force = force;
  return point;
}

// Three in a row that almost touch, and one that is far away.
Balls row() {
  Balls balls(4);
  balls.place(1).x() = 0.2001;
  balls.place(2).x() = 0.4002;
  balls.place(3) = Vector3d(0.0, 3.0, 0.0);
  return balls;
}

TEST(SetValuedGroup, HasThePointsOfThePairsThatAreNear) {
  Balls balls = row();
  SetValuedGroup group = balls.make();
  EXPECT_EQ(group.n_points(), 0);  // before a state was accepted
  accept(group, balls.k, 0.0);
  ASSERT_EQ(group.n_points(), 2);
  EXPECT_EQ(group.between(0), "ball0 ball1");
  EXPECT_EQ(group.name_of(1), "heap (ball1 and ball2)");
  EXPECT_EQ(group.label(), "heap");
  EXPECT_EQ(*group.bodies_of(1), (std::vector<BodyIndex>{BodyIndex(1), BodyIndex(2)}));
  EXPECT_NEAR(group.gap(balls.k, 0), 1e-4, 1e-15);
  EXPECT_TRUE(group.parts().empty());  // nothing presses
}

TEST(SetValuedGroup, KeepsItsPointsWhileShapesStayInTheirBoxes) {
  Balls balls = row();
  SetValuedGroup group = balls.make();
  accept(group, balls.k, 0.0);
  const int version = group.version();
  balls.place(1).x() += 1e-4;
  accept(group, balls.k, 1e-3);
  EXPECT_EQ(group.version(), version);
  balls.place(3) = Vector3d(0.2, 0.2001, 0.0);
  accept(group, balls.k, 2e-3);
  EXPECT_NE(group.version(), version);
  EXPECT_GT(group.n_points(), 2);
}

// Another one that is given the memory has the same points, forces and parts.
TEST(SetValuedGroup, IsKnownByWhatItRemembers) {
  Balls balls = row();
  SetValuedGroup first = balls.make(), second = balls.make();
  accept(first, balls.k, 0.0);
  VectorXd memory = memory_of(first, balls.k, 1e-3);
  const SetValuedPoint point = pressing({-3.0, 0.5, 0.25});
  point.write(memory.segment(first.memory_offset(1), SetValuedPoint::kSize));
  for (SetValuedGroup* group : {&first, &second}) {
    group->recall(memory);
    EXPECT_TRUE(group->follow(balls.k));
    ASSERT_EQ(group->n_points(), 2);
    EXPECT_EQ(group->kept(0).phase, Phase::open);
    EXPECT_EQ(group->kept(1).phase, Phase::closed);
    EXPECT_EQ(group->kept(1).force, point.force);
    ASSERT_EQ(group->parts().size(), 1u);
    EXPECT_EQ(group->parts().front()->bodies().front(), BodyIndex(1));
    EXPECT_FALSE(group->follow(balls.k));
  }
  EXPECT_EQ(memory_of(first, balls.k, 2e-3), memory_of(second, balls.k, 2e-3));
}

// A pair keeps what there is of it when others come and go.
TEST(SetValuedGroup, KeepsForcesOfAPairWhenOthersComeNear) {
  Balls balls = row();
  SetValuedGroup group = balls.make();
  accept(group, balls.k, 0.0);
  VectorXd memory = memory_of(group, balls.k, 0.0);
  pressing({-3.0, 0.0, 0.0}).write(memory.segment(group.memory_offset(1), SetValuedPoint::kSize));
  group.recall(memory);
  balls.place(3) = Vector3d(0.0, 0.2001, 0.0);  // near ball 0: comes before the pair (1, 2)
  accept(group, balls.k, 1e-3);
  ASSERT_GT(group.n_points(), 2);
  int n_closed = 0;
  for (int i = 0; i < group.n_points(); ++i) {
    if (group.kept(i).phase == Phase::open) continue;
    ++n_closed;
    EXPECT_EQ(group.between(i), "ball1 ball2");
    EXPECT_EQ(group.kept(i).force, Vector3d(-3.0, 0.0, 0.0));
  }
  EXPECT_EQ(n_closed, 1);
}

// Whatever boxes say.
TEST(SetValuedGroup, DoesNotForgetAPairThatIsClosed) {
  Balls balls = row();
  SetValuedGroup group = balls.make();
  accept(group, balls.k, 0.0);
  VectorXd memory = memory_of(group, balls.k, 0.0);
  pressing({-3.0, 0.0, 0.0}).write(memory.segment(group.memory_offset(1), SetValuedPoint::kSize));
  group.recall(memory);
  balls.place(2).x() = 5.0;
  accept(group, balls.k, 1e-3);
  ASSERT_EQ(group.n_points(), 2);
  EXPECT_EQ(group.kept(1).phase, Phase::closed);
  balls.place(2).x() = 9.0;
  memory = memory_of(group, balls.k, 2e-3);
  SetValuedPoint().write(memory.segment(group.memory_offset(1), SetValuedPoint::kSize));
  group.recall(memory);
  balls.place(2).x() = 12.0;
  accept(group, balls.k, 3e-3);
  EXPECT_EQ(group.n_points(), 1);
}

// Boxes are larger by what a ball goes in a step, once it is known how long that is.
TEST(SetValuedGroup, LooksAheadByASpeedAndAStep) {
  Balls balls(2);
  balls.place(1).x() = 1.0;
  balls.velocity(1).x() = -100.0;
  SetValuedGroup group = balls.make();
  accept(group, balls.k, 0.0);
  EXPECT_EQ(group.n_points(), 0);
  balls.place(1).x() = 0.9;
  accept(group, balls.k, 1e-3);  // 0.1 m in a step, and 0.7 m away: not within 0.15 m
  EXPECT_EQ(group.n_points(), 0);
  balls.place(1).x() = 0.34;
  accept(group, balls.k, 2e-3);
  EXPECT_EQ(group.n_points(), 1);
}

// Boxes that hold a state are made anew when they would not hold the next one: a step from there
// would miss whatever it meets.
TEST(SetValuedGroup, LooksAheadAgainBeforeBoxesAreLeft) {
  Balls balls(2);
  balls.place(1).x() = 0.5;
  balls.velocity(1).x() = -100.0;
  SetValuedGroup group = balls.make({}, 1e-3);
  accept(group, balls.k, 0.0);  // up to 0.15 m on
  EXPECT_EQ(group.n_points(), 0);
  balls.place(1).x() = 0.41;
  accept(group, balls.k, 1e-3);
  EXPECT_EQ(group.n_points(), 0);
  balls.velocity(1).x() = -250.0;
  accept(group, balls.k, 2e-3);
  EXPECT_EQ(group.n_points(), 1);
}

// Else bodies that meet in the first step would make it fail, in however many parts it is taken.
TEST(SetValuedGroup, LooksAheadByTheFirstStepBeforeThereWasOne) {
  Balls balls(2);
  balls.place(1).x() = 0.23;
  balls.velocity(0).x() = 30.0;
  for (const double step : {0.0, 1e-3}) {
    SetValuedGroup group = balls.make({}, step);
    accept(group, balls.k, 0.0);
    EXPECT_EQ(group.n_points(), step > 0.0 ? 1 : 0);
  }
}

TEST(SetValuedGroup, NamesThePairThatAStepHasMissed) {
  Balls balls(2);
  balls.place(1).x() = 1.0;
  SetValuedGroup group = balls.make();
  accept(group, balls.k, 0.0);
  balls.place(1).x() = 0.9;
  EXPECT_EQ(group.rejection(balls.k, 0.1), "");
  balls.place(1).x() = -1.0;
  EXPECT_NE(group.rejection(balls.k, 0.1).find("`ball0` and `ball1` met, or passed through"),
            std::string::npos);
  balls.place(1) = Vector3d(-1.0, 2.0, 0.0);
  EXPECT_EQ(group.rejection(balls.k, 0.1), "");
  balls.place(1) = Vector3d(0.15, 0.0, 0.0);
  EXPECT_NE(group.rejection(balls.k, 0.1).find("was missed"), std::string::npos);
}

TEST(SetValuedGroup, MovesTheSurfacesOfTheFirstOfEachPair) {
  Balls balls = row();
  SetValuedGroup group = balls.make(
      {Vector3d(0.0, 1.0, 0.0), Vector3d(0.0, 0.0, 2.0), Vector3d::Zero(), Vector3d::Zero()});
  EXPECT_TRUE(group.moves());
  EXPECT_FALSE(balls.make().moves());
  accept(group, balls.k, 0.0);
  const Vector3d first = group.axes(balls.k, 0) * group.velocity(balls.k, 0),
                 second = group.axes(balls.k, 1) * group.velocity(balls.k, 1);
  EXPECT_LT((first - Vector3d(0.0, -1.0, 0.0)).norm(), 1e-14);
  EXPECT_LT((second - Vector3d(0.0, 0.0, -2.0)).norm(), 1e-14);
}

}  // namespace
}  // namespace solidyn::contact
