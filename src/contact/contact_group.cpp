#include "solidyn/contact/contact_group.h"

#include <algorithm>
#include <limits>

#include "contact/broad_phase.h"

namespace solidyn::contact {
namespace {

using bodies::Kinematics;
using Eigen::Vector3d;

constexpr double kInfinite = std::numeric_limits<double>::infinity();
// Of the smallest member: how far apart two are at most that are near without moving.
constexpr double kSkin = 0.05;

// In the shape's frame; infinite of what has no end. Hollow shapes touch what is inside, and bores
// are those of bodies that go on outwards.
Bounds local_bounds(const Shape& shape) {
  const auto about_origin = [](const Vector3d& half) { return Bounds(-half, half); };
  if (const auto* sphere = std::get_if<Sphere>(&shape))
    return about_origin(Vector3d::Constant(sphere->radius));
  if (const auto* box = std::get_if<Box>(&shape)) return about_origin(0.5 * box->size);
  if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    const double r = capsule->radius;
    return about_origin({r, r, r + 0.5 * capsule->length});
  }
  if (const auto* polyhedron = std::get_if<Polyhedron>(&shape)) {
    Bounds bounds;
    for (const Vector3d& x : polyhedron->points) bounds.extend(x);
    return bounds;
  }
  const auto* cylinder = std::get_if<Cylinder>(&shape);
  if (cylinder && cylinder->side == Side::outer)
    return about_origin({cylinder->radius, cylinder->radius, 0.5 * cylinder->length});
  return about_origin(Vector3d::Constant(kInfinite));
}

// Of points 0.
double size_of(const Bounds& local) { return local.sizes().minCoeff(); }

}  // namespace

ContactGroup::ContactGroup(std::vector<Shape> shapes, std::vector<Member> members, int n_first,
                           std::set<Pair> ignored)
    : shapes_(std::move(shapes)),
      members_(std::move(members)),
      n_first_(n_first),
      is_one_set_(n_first == static_cast<int>(members_.size())),
      ignored_(std::move(ignored)),
      skin_(kInfinite) {
  for (const Shape& shape : shapes_) local_.push_back(local_bounds(shape));
  for (int i = 0; i < size(); ++i) {
    if (is_unbounded(i))
      unbounded_.push_back(i);
    else if (size_of(local_[members_[i].shape]) > 0.0)
      skin_ = std::min(skin_, kSkin * size_of(local_[members_[i].shape]));
  }
  if (skin_ == kInfinite) skin_ = 0.0;
  std::set<int> kinds_first, kinds_second;
  for (int i = 0; i < size(); ++i) {
    if (i < n_first_) kinds_first.insert(members_[i].shape);
    if (i >= n_first_ || is_one_set_) kinds_second.insert(members_[i].shape);
  }
  for (const int a : kinds_first)
    for (const int b : kinds_second) geometries_[{a, b}] = make_geometry(shapes_[a], shapes_[b]);
}

std::vector<bodies::BodyIndex> ContactGroup::bodies() const {
  std::set<bodies::BodyIndex> distinct;
  for (const Member& member : members_)
    if (member.end.body != bodies::kGround) distinct.insert(member.end.body);
  return {distinct.begin(), distinct.end()};
}

bool ContactGroup::is_unbounded(int i) const {
  return !local_[members_[i].shape].sizes().allFinite();
}

double ContactGroup::reach(int i) const {
  const Bounds& local = local_[members_[i].shape];
  return local.min().cwiseAbs().cwiseMax(local.max().cwiseAbs()).norm();
}

const PairGeometry& ContactGroup::geometry(Pair pair) const {
  return *geometries_.at({members_[pair.first].shape, members_[pair.second].shape});
}

bool ContactGroup::may_touch(Pair pair) const {
  return members_[pair.first].end.body != members_[pair.second].end.body && !ignored_.count(pair);
}

std::vector<Bounds> ContactGroup::bounds(const Kinematics& k) const {
  std::vector<Bounds> boxes;
  boxes.reserve(members_.size());
  for (const Member& member : members_) {
    const Bounds& local = local_[member.shape];
    const bodies::FrameMotion& f = k.frames[member.end.frame];
    if (!local.sizes().allFinite()) {
      boxes.push_back(local);
      continue;
    }
    const Vector3d centre = f.p + f.R * local.center();
    Vector3d half = 0.5 * local.sizes();
    if (!std::get_if<Sphere>(&shapes_[member.shape])) half = f.R.cwiseAbs() * half;
    boxes.emplace_back(centre - half, centre + half);
  }
  return boxes;
}

// Whether the other of the two, of which one is a plane, reaches down to it.
bool ContactGroup::is_near_plane(Pair pair, const std::vector<Bounds>& boxes,
                                 const Kinematics& k) const {
  for (const auto& [plane, other] : {pair, Pair(pair.second, pair.first)}) {
    if (!std::get_if<Plane>(&shapes_[members_[plane].shape])) continue;
    const bodies::FrameMotion& f = k.frames[members_[plane].end.frame];
    const Vector3d n = f.R.col(2);
    const double half = 0.5 * n.cwiseAbs().dot(boxes[other].sizes());
    if (!(n.dot(boxes[other].center() - f.p) - half <= skin_)) return false;
  }
  return true;
}

// Whether both are balls that cannot touch while they stay in their boxes, whose corners overlap.
bool ContactGroup::are_balls_apart(Pair pair, const std::vector<Bounds>& boxes) const {
  double reach = 0.0;
  for (const int i : {pair.first, pair.second}) {
    const auto* sphere = std::get_if<Sphere>(&shapes_[members_[i].shape]);
    if (!sphere || sphere->side == Side::inner) return false;
    const Vector3d way = 0.5 * boxes[i].sizes() - Vector3d::Constant(sphere->radius);
    reach += sphere->radius + way.norm();
  }
  return (boxes[pair.first].center() - boxes[pair.second].center()).norm() > reach;
}

std::vector<ContactGroup::Pair> ContactGroup::near(const std::vector<Bounds>& boxes,
                                                   const Kinematics& k) const {
  std::vector<Bounds> bounded = boxes;
  for (const int i : unbounded_) bounded[i].setEmpty();
  std::vector<Pair> found;
  if (is_one_set_) {
    found = overlapping(bounded);
  } else {
    const auto split = bounded.begin() + n_first_;
    found = overlapping({bounded.begin(), split}, {split, bounded.end()});
    for (Pair& pair : found) pair.second += n_first_;
  }
  const auto is_in_second = [&](int i) { return is_one_set_ || i >= n_first_; };
  for (const int i : unbounded_)
    for (int j = 0; j < size(); ++j) {
      const Pair pair(std::min(i, j), std::max(i, j));
      const bool is_counted = is_unbounded(j) && j < i;
      if (i == j || is_counted || pair.first >= n_first_ || !is_in_second(pair.second)) continue;
      if (is_near_plane(pair, boxes, k)) found.push_back(pair);
    }
  found.erase(std::remove_if(found.begin(), found.end(),
                             [&](const Pair& pair) {
                               return !may_touch(pair) || are_balls_apart(pair, boxes);
                             }),
              found.end());
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<ContactGroup::Pair> ContactGroup::near(const Kinematics& k, double margin) const {
  std::vector<Bounds> boxes = bounds(k);
  for (Bounds& box : boxes) box = grown(box, 0.5 * margin);
  return near(boxes, k);
}

// Pairs that are not near by some margin are farther apart than it.
double ContactGroup::smallest_gap(const Kinematics& k) const {
  const std::size_t n_all = is_one_set_
                                ? members_.size() * (members_.size() - 1) / 2
                                : static_cast<std::size_t>(n_first_) * (members_.size() - n_first_);
  double margin = std::max(skin_, 1e-6);
  for (;;) {
    const std::vector<Pair> pairs = near(k, margin);
    double smallest = kInfinite;
    for (const Pair& pair : pairs) {
      const PairGeometry& pair_geometry = geometry(pair);
      const bodies::FramePair f = link(pair).pair(k);
      for (int i = 0; i < pair_geometry.n_points(); ++i)
        smallest = std::min(smallest, pair_geometry.at(f, i).gap);
    }
    if (smallest <= margin || pairs.size() >= n_all || margin > 1e12) return smallest;
    margin = std::max(4.0 * margin, std::min(smallest, 1e12));
  }
}

}  // namespace solidyn::contact
