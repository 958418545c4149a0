// Which pairs of a group are near, against all pairs; which are never looked at.
#include "solidyn/contact/contact_group.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "random_bodies.h"
#include "solidyn/base/error.h"
#include "solidyn/math/rotation.h"

namespace solidyn::contact {
namespace {

using bodies::BodyIndex;
using bodies::FrameIndex;
using Eigen::Vector3d;
using MemberPair = ContactGroup::Pair;

ContactGroup::Member on_body(int body, int shape, int frame) {
  return {{FrameIndex(frame), body < 0 ? bodies::kGround : BodyIndex(body), body < 0 ? 0 : 6},
          shape};
}

std::vector<ContactGroup::Member> one_each(int n, int shape = 0) {
  std::vector<ContactGroup::Member> members;
  for (int i = 0; i < n; ++i) members.push_back(on_body(i, shape, i));
  return members;
}

bodies::Kinematics scattered_frames(int n, double size, std::mt19937& generator) {
  bodies::Kinematics k;
  k.frames.resize(n);
  for (const FrameIndex f : k.frames.indices()) {
    k.frames[f].p = testing_support::random_vector(generator, 3, size);
    k.frames[f].R = testing_support::random_rotation(generator).toRotationMatrix();
  }
  return k;
}

TEST(ContactGroup, FindsThePairsOfBallsThatAreNearEachOther) {
  std::mt19937 generator(3);
  const int n = 300;
  const ContactGroup group({Sphere{0.1}}, one_each(n), n);
  const bodies::Kinematics k = scattered_frames(n, 1.0, generator);
  const std::vector<MemberPair> near = group.near(k, 0.02);
  EXPECT_TRUE(std::is_sorted(near.begin(), near.end()));
  int n_touching = 0;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) {
      const double gap = (k.frames[FrameIndex(i)].p - k.frames[FrameIndex(j)].p).norm() - 0.2;
      const bool is_found = std::binary_search(near.begin(), near.end(), MemberPair(i, j));
      if (gap < 0.02) {
        EXPECT_TRUE(is_found) << i << " " << j;
      }
      if (gap > std::sqrt(3.0) * 0.02 + 1e-12) {
        EXPECT_FALSE(is_found) << i << " " << j;
      }
      n_touching += gap < 0.0;
    }
  EXPECT_GT(n_touching, 50);
  EXPECT_LT(near.size(), 20u * n_touching);
}

TEST(ContactGroup, HasTheSmallestGapOfAllItsPairs) {
  std::mt19937 generator(4);
  for (const double size : {0.5, 5.0, 500.0}) {
    const int n = 40;
    const ContactGroup group(
        {Sphere{0.1}, Box{{0.2, 0.3, 0.1}}},
        [&] {
          auto members = one_each(n);
          for (int i = 20; i < n; ++i) members[i].shape = 1;
          return members;
        }(),
        20);
    const bodies::Kinematics k = scattered_frames(n, size, generator);
    double smallest = 1e9;
    for (int i = 0; i < 20; ++i)
      for (int j = 20; j < n; ++j)
        smallest = std::min(smallest, group.geometry({i, j}).at(group.link({i, j}).pair(k), 0).gap);
    EXPECT_DOUBLE_EQ(group.smallest_gap(k), smallest) << size;
  }
}

TEST(ContactGroup, LeavesOutPairsOfOneBodyAndIgnoredOnes) {
  bodies::Kinematics k;
  k.frames.resize(4);  // all at one place
  std::vector<ContactGroup::Member> members = {on_body(0, 0, 0), on_body(0, 0, 1), on_body(1, 0, 2),
                                               on_body(2, 0, 3)};
  const ContactGroup one_set({Sphere{0.1}}, members, 4, {{0, 2}});
  EXPECT_EQ(one_set.near(k, 0.0), (std::vector<MemberPair>{{0, 3}, {1, 2}, {1, 3}, {2, 3}}));
  const ContactGroup two_sets({Sphere{0.1}}, members, 2, {{0, 2}});
  EXPECT_EQ(two_sets.near(k, 0.0), (std::vector<MemberPair>{{0, 3}, {1, 2}, {1, 3}}));
  EXPECT_EQ(one_set.bodies(), (std::vector<BodyIndex>{BodyIndex(0), BodyIndex(1), BodyIndex(2)}));
}

// A plane is near to what reaches to it, and to what is behind it.
TEST(ContactGroup, FindsWhatReachesToAPlane) {
  bodies::Kinematics k;
  k.frames.resize(4);
  k.frames[FrameIndex(0)].R = math::exp_rotation(Vector3d(M_PI / 2.0, 0.0, 0.0));  // z is -y
  k.frames[FrameIndex(1)].p = Vector3d(9.0, -0.1, 5.0);
  k.frames[FrameIndex(2)].p = Vector3d(9.0, -0.3, 5.0);
  k.frames[FrameIndex(3)].p = Vector3d(9.0, 7.0, 5.0);
  const std::vector<ContactGroup::Member> members = {on_body(-1, 0, 0), on_body(0, 1, 1),
                                                     on_body(1, 1, 2), on_body(2, 1, 3)};
  const ContactGroup group({Plane{}, Sphere{0.1}}, members, 1);
  EXPECT_EQ(group.near(k, 0.0), (std::vector<MemberPair>{{0, 1}, {0, 3}}));
  EXPECT_NEAR(group.smallest_gap(k), -7.1, 1e-12);
}

TEST(ContactGroup, RefusesShapesThatMakeNoPair) {
  EXPECT_THROW(ContactGroup({Cylinder{0.1, 1.0}}, one_each(2), 2), base::InputError);
}

}  // namespace
}  // namespace solidyn::contact
