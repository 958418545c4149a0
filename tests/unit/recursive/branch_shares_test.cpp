// How the branches of trees are dealt out to ranks.
#include "solidyn/recursive/branch_shares.h"

#include <gmock/gmock.h>

#include "random_trees.h"

namespace solidyn {
namespace {

using bodies::BodyIndex;
using joints::Hinge;
using recursive::BranchShares;
using recursive::Link;
using recursive::share_branches;
using recursive::Tree;
using testing_support::RandomTree;

// Each link is in the trunk or in one branch, and a branch has all that hangs on its first link.
void expect_whole(const Tree& tree, const BranchShares& shares, int n_ranks) {
  const int n = static_cast<int>(tree.links().size());
  std::vector<int> owner(n, -2);
  for (const int i : shares.trunk) owner[i] = -1;
  for (const BranchShares::Branch& branch : shares.branches) {
    EXPECT_GE(branch.rank, 0);
    EXPECT_LT(branch.rank, n_ranks);
    for (int i = branch.begin; i < branch.end; ++i) {
      EXPECT_EQ(owner[i], -2) << i;
      owner[i] = branch.begin;
    }
  }
  for (int i = 0; i < n; ++i) {
    ASSERT_NE(owner[i], -2) << i;
    const int parent = tree.links()[i].parent;
    if (owner[i] != i && owner[i] >= 0) {
      EXPECT_EQ(owner[parent], owner[i]) << i;
    } else if (parent >= 0) {
      EXPECT_EQ(owner[parent], -1) << i;
    }
  }
  EXPECT_LE(shares.longest, shares.whole * (1.0 + 1e-12));
}

TEST(BranchShares, HaveEachLinkOnce) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow(random, seed % 2 == 0);
    random.set_in_motion();
    const Tree tree(random.system());
    for (const int n_ranks : {1, 2, 3, 4, 7}) {
      const BranchShares shares = share_branches(tree, n_ranks);
      expect_whole(tree, shares, n_ranks);
    }
    EXPECT_TRUE(share_branches(tree, 1).trunk.empty());
  }
}

// A hub with arms of as many links.
TEST(BranchShares, GiveArmsOfAHubToRanks) {
  RandomTree random(1);
  const BodyIndex hub = random.add_body(bodies::kGround, Hinge::Kind::free);
  for (int arm = 0; arm < 6; ++arm) {
    BodyIndex last = hub;
    for (int i = 0; i < 5; ++i) last = random.add_body(last, Hinge::Kind::revolute);
  }
  random.set_in_motion();
  const Tree tree(random.system());
  for (const int n_ranks : {2, 3, 6}) {
    const BranchShares shares = share_branches(tree, n_ranks);
    expect_whole(tree, shares, n_ranks);
    EXPECT_THAT(shares.trunk, testing::ElementsAre(0));
    std::vector<int> arms(n_ranks, 0);
    for (const BranchShares::Branch& branch : shares.branches) {
      ++arms[branch.rank];
      EXPECT_EQ(branch.end - branch.begin, 5);
    }
    EXPECT_THAT(arms, testing::Each(6 / n_ranks));
  }
}

// Three branches do not go evenly to two ranks: one of them is cut further.
TEST(BranchShares, CutUntilRanksHaveAsMuch) {
  RandomTree random(4);
  const BodyIndex hub = random.add_body(bodies::kGround, Hinge::Kind::revolute);
  for (int branch = 0; branch < 3; ++branch) {
    const BodyIndex first = random.add_body(hub, Hinge::Kind::revolute);
    for (int i = 0; i < 20; ++i) random.add_body(first, Hinge::Kind::revolute);
  }
  random.set_in_motion();
  const Tree tree(random.system());
  const BranchShares shares = share_branches(tree, 2);
  expect_whole(tree, shares, 2);
  EXPECT_LT(shares.longest, 0.55 * shares.whole);
}

TEST(BranchShares, LeaveAChainOnOneRank) {
  RandomTree random(2);
  BodyIndex last = bodies::kGround;
  for (int i = 0; i < 20; ++i) last = random.add_body(last, Hinge::Kind::revolute);
  random.set_in_motion();
  const Tree tree(random.system());
  const BranchShares shares = share_branches(tree, 4);
  EXPECT_TRUE(shares.trunk.empty());
  ASSERT_EQ(shares.branches.size(), 1u);
  EXPECT_EQ(shares.longest, shares.whole);
  EXPECT_EQ(describe(shares, 4),
            "1 branch on 4 ranks, on the fullest 1.00 of the work of the sweeps");
}

// Few flexible bodies outweigh many rigid ones.
TEST(BranchShares, CountModes) {
  RandomTree random(3);
  const BodyIndex hub = random.add_body(bodies::kGround, Hinge::Kind::revolute);
  for (int arm = 0; arm < 2; ++arm) random.add_body(hub, Hinge::Kind::revolute, {10, false, false});
  for (int arm = 0; arm < 10; ++arm) random.add_body(hub, Hinge::Kind::revolute);
  random.set_in_motion();
  const Tree tree(random.system());
  std::vector<int> flexible(2, 0);
  for (const BranchShares::Branch& branch : share_branches(tree, 2).branches)
    flexible[branch.rank] += tree.links()[branch.begin].modes >= 0;
  EXPECT_THAT(flexible, testing::Each(1));
}

}  // namespace
}  // namespace solidyn
