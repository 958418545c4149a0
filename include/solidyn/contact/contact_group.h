#pragma once
#include <Eigen/Geometry>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "solidyn/contact/geometry.h"

namespace solidyn::contact {

/// Axis-parallel, in W, m.
using Bounds = Eigen::AlignedBox3d;

/// Shapes of which many may touch: those of one set those of another, or each those of its own set;
/// never two on one body, nor pairs that are to be ignored. Which pairs are near each other a tree
/// of their bounding boxes finds (Boost's R-tree), so that pairs far apart cost nothing. What pairs
/// do when they touch, a law says: penalty contact::GroupForce, or contact::SetValuedGroup. Local.
/// Proved by tests/unit/contact/contact_group_test.cpp.
class ContactGroup {
 public:
  struct Member {
    bodies::FrameLink::End end;
    int shape = 0;  ///< of `shapes`
  };
  /// Members, the first of them before the second; ordered by both.
  using Pair = std::pair<int, int>;

  /// @param n_first members of the first set, which come first; all of them: one set
  /// @throws base::InputError for shapes that make no pair, as make_geometry()
  ContactGroup(std::vector<Shape> shapes, std::vector<Member> members, int n_first,
               std::set<Pair> ignored = {});

  int size() const { return static_cast<int>(members_.size()); }
  const Member& member(int i) const { return members_[i]; }
  /// Distinct, without the ground.
  std::vector<bodies::BodyIndex> bodies() const;
  /// What may be between two members at most without being near: a twentieth of the smallest size.
  double skin() const { return skin_; }
  /// From a member's origin to where it reaches, m; infinite of planes and bores.
  double reach(int i) const;

  const PairGeometry& geometry(Pair pair) const;
  bodies::FrameLink link(Pair pair) const {
    return {members_[pair.first].end, members_[pair.second].end};
  }

  std::vector<Bounds> bounds(const bodies::Kinematics& kinematics) const;
  /// Pairs whose boxes overlap, in order; of planes those that reach to it within `skin`, and no
  /// balls that cannot touch while they stay in their boxes.
  std::vector<Pair> near(const std::vector<Bounds>& boxes,
                         const bodies::Kinematics& kinematics) const;
  /// The pairs that may be within `margin` of each other.
  std::vector<Pair> near(const bodies::Kinematics& kinematics, double margin) const;
  /// m, of all pairs; infinite where there is none.
  double smallest_gap(const bodies::Kinematics& kinematics) const;

 private:
  bool may_touch(Pair pair) const;
  bool is_near_plane(Pair pair, const std::vector<Bounds>& boxes,
                     const bodies::Kinematics& kinematics) const;
  bool are_balls_apart(Pair pair, const std::vector<Bounds>& boxes) const;
  bool is_unbounded(int i) const;

  std::vector<Shape> shapes_;
  std::vector<Bounds> local_;  // of shapes, in their frames
  std::vector<Member> members_;
  int n_first_;
  bool is_one_set_;
  std::set<Pair> ignored_;
  double skin_;
  std::vector<int> unbounded_;                                               // members
  std::map<std::pair<int, int>, std::unique_ptr<PairGeometry>> geometries_;  // by shapes
};

}  // namespace solidyn::contact
