// Many loops, local ones and others: where they are cut, and that the sweeps close them.
#include <gmock/gmock.h>

#include "linkages.h"
#include "mechanisms.h"
#include "random_bodies.h"
#include "random_trees.h"
#include "recursive/closure_order.h"
#include "recursive/short_loops.h"
#include "solidyn/base/error.h"
#include "solidyn/recursive/mechanism.h"
#include "solidyn/system/connect.h"

namespace solidyn {
namespace {

using bodies::BodyIndex;
using Eigen::VectorXd;
using joints::Hinge;
using joints::JointType;
using recursive::ClosureOrder;
using recursive::Mechanism;
using recursive::ShortLoops;
using system::State;
using testing_support::RandomTree;

// A ladder grown from its foot upwards: left rail 0 1 2 ..., right rail n n+1 ..., rungs between.
TEST(ShortLoops, OfALadderAreItsCells) {
  const int n = 60;
  ShortLoops loops(2 * n, 3 * n);
  loops.add_branch(3 * 0 + 2, 0, n, 1);
  for (int i = 1; i < n; ++i) {
    loops.add_branch(3 * i, i - 1, i, 1);
    loops.add_branch(3 * i + 1, n + i - 1, n + i, 1);
    loops.add_cut(3 * i + 2, i, n + i, 1);
  }
  int n_cuts = 0, n_long = 0;
  for (int edge = 0; edge < 3 * n; ++edge) {
    if (!loops.is_cut(edge)) continue;
    ++n_cuts;
    n_long += loops.loop(edge).size() > 3;
    EXPECT_LE(loops.loop(edge).size(), 5u) << edge;
  }
  EXPECT_EQ(n_cuts, n - 1);
  EXPECT_LE(n_long, 2);
}

// Where rungs leave more free than rails they stay cut: fewer rows matter more than short loops.
TEST(ShortLoops, KeepTheKindOfEdgeThatIsCut) {
  const int n = 10;
  ShortLoops loops(2 * n, 3 * n);
  loops.add_branch(2, 0, n, 2);
  for (int i = 1; i < n; ++i) {
    loops.add_branch(3 * i, i - 1, i, 1);
    loops.add_branch(3 * i + 1, n + i - 1, n + i, 1);
    loops.add_cut(3 * i + 2, i, n + i, 2);
  }
  for (int edge = 2; edge < 3 * n; ++edge)
    EXPECT_EQ(loops.is_cut(edge), edge % 3 == 2 && !loops.is_branch(edge));
}

// Links in a row; closures between each and the next but one, and one from the last to the ground.
TEST(ClosureOrder, EndsRowsWhereOneLinkCarriesAll) {
  const int n = 8;
  std::vector<recursive::Link> links(n);
  for (int i = 0; i < n; ++i) links[i].parent = i - 1;
  std::vector<ClosureOrder::Closure> closures;
  for (int i = 0; i + 2 < n; ++i) closures.push_back({{i, i + 2}, false});
  closures.push_back({{n - 1}, true});
  const ClosureOrder order(links, closures);
  for (int i = 0; i < n; ++i) EXPECT_LE(order.through(i).size(), 4u);
  for (int i = 0; i + 2 < n; ++i) EXPECT_TRUE(order.ends_at(i, i));
  EXPECT_TRUE(order.ends_at(n - 2, -1));
  EXPECT_EQ(order.last_group(-1) - order.first_group(-1), 1);
}

// @param allowed  of multipliers; absolute ones are regularised
void expect_same_as_absolute(system::System& system, const State& start, const State& expected,
                             double allowed = 1e-8) {
  State state = start.clone();
  system.update(state);
  Mechanism mechanism(system);
  VectorXd q, u;
  mechanism.tree().find_coordinates(state, q, u);
  state.a.setZero();
  state.lambda.setZero();
  mechanism.compute_state(q, u, state);
  const auto differ = [](const VectorXd& a, const VectorXd& b) {
    return (a - b).lpNorm<Eigen::Infinity>() / (1.0 + b.lpNorm<Eigen::Infinity>());
  };
  EXPECT_LT(differ(state.a, expected.a), 1e-9);
  EXPECT_LT(differ(state.lambda, expected.lambda), allowed);
}

// Three rows of each loop depend on others, in the parallelogram one more, in Bricard's loop one.
TEST(Loops, WithDependentRowsShareForcesAsAbsoluteCoordinatesDo) {
  std::vector<std::unique_ptr<system::System>> linkages;
  linkages.push_back(testing_support::make_four_bars(12));
  linkages.push_back(testing_support::make_five_bar_parallelogram());
  linkages.push_back(testing_support::make_bricard());
  for (const auto& linkage : linkages) {
    SCOPED_TRACE(linkage->bodies().size());
    const State expected = testing_support::start(*linkage);
    expect_same_as_absolute(*linkage, expected, expected);
  }
}

// A chain, its bodies with modes in turn, and closures between neighbours at some distance, inside
// each other and across: ends behind bodies with modes, coupled groups, the ground.
TEST(Loops, InsideEachOtherAreClosed) {
  for (unsigned seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow_with_loops(random, seed);
    random.set_in_motion();
    const State expected = random.absolute_accelerations();
    expect_same_as_absolute(random.system(), random.state(), expected);
    if (HasFailure()) return;
  }
}

// A joint beside another one that says all of its rows: what carries both of its bodies moves them
// by round-off alone, and the hinge between them not at all.
TEST(Loops, OfRowsThatNothingMovesAreDependent) {
  const std::pair<Hinge::Kind, JointType> pairs[] = {
      {Hinge::Kind::prismatic, JointType::orientation},
      {Hinge::Kind::prismatic, JointType::perpendicular_axes},
      {Hinge::Kind::fixed, JointType::constant_velocity}};
  for (unsigned seed = 1; seed <= 12; ++seed)
    for (const auto& [hinge, type] : pairs) {
      SCOPED_TRACE(testing::Message() << seed << " " << joints::joint_rows(type).names.front());
      RandomTree random(seed);
      RandomTree::Options options;
      options.n_modes = seed % 3;
      const BodyIndex arm = random.add_body(bodies::kGround, Hinge::Kind::universal, options);
      options.n_modes = seed % 2;
      const BodyIndex bar = random.add_body(arm, hinge, options);
      const auto rows = joints::joint_rows(type);
      random.system().add_constraint(std::make_unique<joints::Joint>(
          "beside", random.system().link(random.frame_A(), random.frame_B()), rows.primitives,
          rows.names, rows.hinge));
      random.add_body(bar, Hinge::Kind::revolute);
      random.set_in_motion();
      const State expected = random.absolute_accelerations(true);
      expect_same_as_absolute(random.system(), random.state(), expected, 1e-7);
      if (HasFailure()) return;
    }
}

TEST(Forest, RefusesACutOfNoLoop) {
  RandomTree random(2);
  const BodyIndex first = random.add_body(bodies::kGround, Hinge::Kind::spherical);
  random.add_body(first, Hinge::Kind::revolute);
  const auto A = random.add_frame(first), B = random.add_frame_at(bodies::kGround, A);
  const auto rows = joints::joint_rows(JointType::revolute);
  const auto add_cut = [&](const std::string& name, bodies::FrameIndex a, bodies::FrameIndex b) {
    auto joint = std::make_unique<joints::Joint>(name, random.system().link(a, b), rows.primitives,
                                                 rows.names, rows.hinge);
    joint->cut();
    random.system().add_constraint(std::move(joint));
  };
  add_cut("pin", A, B);
  const BodyIndex third = random.add_body(first, Hinge::Kind::free);
  const auto C = random.add_frame(first), D = random.add_frame_at(third, C);
  add_cut("lost", C, D);
  random.system().finalize();
  random.system().update(random.state() = random.system().make_state());
  try {
    recursive::find_forest(random.system());
    FAIL() << "nothing was thrown";
  } catch (const base::InputError& e) {
    ASSERT_EQ(e.diagnostics().size(), 1u);
    EXPECT_THAT(e.what(), testing::HasSubstr("lost: `cut: true`, but no loop"));
    EXPECT_FALSE(e.diagnostics()[0].remedy.empty());
  }
}

}  // namespace
}  // namespace solidyn
