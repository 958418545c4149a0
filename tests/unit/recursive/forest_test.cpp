#include "solidyn/recursive/forest.h"

#include <gmock/gmock.h>

#include "linkages.h"
#include "mechanisms.h"
#include "random_trees.h"
#include "solidyn/base/error.h"
#include "solidyn/joints/linear_condition.h"

namespace solidyn {
namespace {

using bodies::BodyIndex;
using joints::Hinge;
using joints::JointType;
using recursive::Forest;
using testing_support::RandomTree;

TEST(Forest, CutsTheJointFarthestFromTheGround) {
  const auto bars = testing_support::make_four_bars(1);
  const system::State state = testing_support::start(*bars);
  bars->update(state);
  const Forest forest = recursive::find_forest(*bars);
  EXPECT_EQ(forest.n_roots, 0);
  EXPECT_EQ(forest.depth, 2);
  ASSERT_EQ(forest.closures.size(), 1u);
  EXPECT_THAT(recursive::describe(*bars, forest), testing::HasSubstr("closures: 1 (right 0)"));
}

TEST(Forest, CutsTheJointThatLeavesMostFree) {
  RandomTree random(2);
  const BodyIndex first = random.add_body(bodies::kGround, Hinge::Kind::spherical);
  const BodyIndex second = random.add_body(first, Hinge::Kind::revolute);
  const auto A = random.add_frame(second), B = random.add_frame_at(bodies::kGround, A);
  const auto rows = joints::joint_rows(JointType::revolute);
  random.system().add_constraint(std::make_unique<joints::Joint>(
      "pin", random.system().link(A, B), rows.primitives, rows.names, rows.hinge));
  random.set_in_motion();
  const Forest forest = recursive::find_forest(random.system());
  ASSERT_EQ(forest.closures.size(), 1u);
  EXPECT_EQ(random.system().constraint(forest.closures[0]).name(), "joint 0");
}

// Fast spins of a body leave what carries it slow. Vibrations turn with their body.
TEST(Forest, TurnsInTheAxesOfTheCarrierAndBesideModesInThoseOfTheBody) {
  for (const int n_modes : {0, 2})
    for (const bool is_reversed : {false, true}) {
      SCOPED_TRACE(testing::Message() << n_modes << " modes, reversed: " << is_reversed);
      RandomTree random(3);
      random.add_body(bodies::kGround, Hinge::Kind::spherical, {n_modes, is_reversed, false});
      random.set_in_motion();
      const recursive::Branch branch = recursive::find_forest(random.system()).branches.front();
      ASSERT_EQ(branch.is_reversed, is_reversed);
      const bool turns_in_body =
          (branch.hinge.turns_in() == Hinge::TurnAxes::B) != branch.is_reversed;
      EXPECT_EQ(turns_in_body, n_modes > 0);
    }
}

// Each branch follows what carries it, and no other branch stands between it and its carrier's.
TEST(Forest, KeepsBranchesTogether) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    RandomTree random(seed);
    grow(random, false);
    random.set_in_motion();
    const Forest forest = recursive::find_forest(random.system());
    const int n = static_cast<int>(forest.branches.size());
    std::vector<int> last(n);  // of all that a branch carries
    for (int i = n - 1; i >= 0; --i) {
      last[i] = std::max(last[i], i);
      const int parent = forest.branches[i].parent;
      ASSERT_LT(parent, i);
      if (parent >= 0) last[parent] = std::max(last[parent], last[i]);
    }
    std::vector<int> size(n, 1);
    for (int i = n - 1; i >= 0; --i)
      if (forest.branches[i].parent >= 0) size[forest.branches[i].parent] += size[i];
    for (int i = 0; i < n; ++i) EXPECT_EQ(last[i] - i + 1, size[i]) << seed;
  }
}

TEST(Forest, HasTheHeaviestBodyFree) {
  RandomTree random(4);
  RandomTree::Options flexible;
  flexible.n_modes = 2;  // of eight masses of 0.1 to 1.1 kg, where a rigid one has 1.5
  random.add_body(bodies::kGround, Hinge::Kind::free);
  const BodyIndex heavy = random.add_body(BodyIndex(0), Hinge::Kind::spherical, flexible);
  random.set_in_motion();
  const Forest forest = recursive::find_forest(random.system());
  ASSERT_GT(random.system().body(heavy).mass(), 1.5);
  EXPECT_EQ(forest.n_roots, 1);
  EXPECT_EQ(forest.branches[0].body, heavy);
  EXPECT_TRUE(forest.branches[1].joint != bodies::kNoConstraint);
}

TEST(Forest, NamesAMasslessBodyThatNoHingeHolds) {
  RandomTree random(6);
  RandomTree::Options massless;
  massless.is_massless = true;
  random.add_body(bodies::kGround, Hinge::Kind::revolute);
  random.add_body(bodies::kGround, Hinge::Kind::free, massless);
  const auto A = random.add_frame(BodyIndex(1)), B = random.add_frame_at(BodyIndex(0), A);
  for (const JointType type : {JointType::point_on_plane, JointType::perpendicular_axes}) {
    const auto rows = joints::joint_rows(type);
    random.system().add_constraint(std::make_unique<joints::Joint>(
        "tie", random.system().link(A, B), rows.primitives, rows.names, rows.hinge));
  }
  random.system().finalize();
  random.system().update(random.state() = random.system().make_state());
  try {
    recursive::find_forest(random.system());
    FAIL() << "nothing was thrown";
  } catch (const base::InputError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("`massless`"));
    EXPECT_FALSE(e.diagnostics()[0].remedy.empty());
  }
}

// Multipliers that fix a body's frame hold rigid modes, which move what the hinge would.
TEST(Forest, NamesABodyWhoseFrameIsFixedByMultipliers) {
  RandomTree::Options flexible;
  flexible.n_modes = 8;
  for (const bool has_multipliers : {false, true}) {
    RandomTree random(5);
    const BodyIndex arm = random.add_body(bodies::kGround, Hinge::Kind::revolute, flexible);
    if (has_multipliers)
      random.system().add_constraint(std::make_unique<joints::LinearCondition>(
          "reference conditions of arm", arm, Eigen::MatrixXd::Identity(6, 8),
          std::vector<std::string>(6, "row")));
    random.system().finalize();
    random.system().update(random.state() = random.system().make_state());
    if (!has_multipliers) {
      EXPECT_NO_THROW(recursive::find_forest(random.system()));
      continue;
    }
    try {
      recursive::find_forest(random.system());
      FAIL() << "nothing was thrown";
    } catch (const recursive::NotRelative& e) {
      EXPECT_THAT(e.reason(), testing::HasSubstr("has its reference conditions by multipliers"));
      EXPECT_THAT(e.diagnostics()[0].remedy, testing::HasSubstr("orthogonal_modes"));
    }
  }
}

// A virtual body at the end of an arm, whatever it turns on.
TEST(Forest, NamesAMasslessBodyThatCarriesNothing) {
  RandomTree::Options massless;
  massless.is_massless = true;
  for (const bool carries : {true, false}) {
    RandomTree random(4);
    const BodyIndex arm = random.add_body(bodies::kGround, Hinge::Kind::revolute);
    random.add_body(arm, Hinge::Kind::fixed, massless);
    const BodyIndex last = random.add_body(arm, Hinge::Kind::revolute, massless);
    if (carries) random.add_body(last, Hinge::Kind::revolute);
    random.system().finalize();
    random.system().update(random.state() = random.system().make_state());
    if (carries) {
      EXPECT_NO_THROW(recursive::find_forest(random.system()));
      continue;
    }
    try {
      recursive::find_forest(random.system());
      FAIL() << "nothing was thrown";
    } catch (const base::InputError& e) {
      ASSERT_EQ(e.diagnostics().size(), 1u);
      EXPECT_THAT(e.what(), testing::HasSubstr("no mass, carries none, and moves on its hinge"));
      EXPECT_FALSE(e.diagnostics()[0].remedy.empty());
    }
  }
}

}  // namespace
}  // namespace solidyn
