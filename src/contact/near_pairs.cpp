#include "solidyn/contact/near_pairs.h"

#include <algorithm>

#include "contact/broad_phase.h"

namespace solidyn::contact {
namespace {

using bodies::FramePair;
using bodies::Kinematics;
using Eigen::Vector3d;
using Pair = ContactGroup::Pair;

// A step may be longer than the last by this until boxes are left.
constexpr double kLongerStep = 1.5;

// Whether the largest balls inside of their boxes came to touch on their way, or they touch now.
bool have_met(const ContactGroup& group, Pair pair, const std::vector<Bounds>& before,
              const std::vector<Bounds>& bounds, const Kinematics& k) {
  const PairGeometry& geometry = group.geometry(pair);
  const FramePair f = group.link(pair).pair(k);
  for (int i = 0; i < geometry.n_points(); ++i)
    if (geometry.at(f, i).gap < 0.0) return true;
  const auto [a, b] = pair;
  if (!bounds[a].sizes().allFinite() || !bounds[b].sizes().allFinite()) return false;
  const Vector3d first = before[b].center() - before[a].center(),
                 last = bounds[b].center() - bounds[a].center(), way = last - first;
  const double length = way.squaredNorm();
  const double at = length > 0.0 ? std::clamp(-first.dot(way) / length, 0.0, 1.0) : 0.0;
  const double balls = 0.5 * (bounds[a].sizes().minCoeff() + bounds[b].sizes().minCoeff());
  return (first + at * way).norm() < balls;
}

}  // namespace

bool NearPairs::holds(Pair pair) const {
  return std::binary_search(pairs.begin(), pairs.end(), pair);
}

bool NearPairs::bound(const std::vector<Bounds>& bounds) const {
  if (is_empty()) return false;
  for (std::size_t i = 0; i < bounds.size(); ++i)
    if (bounds[i].sizes().allFinite() && !boxes[i].contains(bounds[i])) return false;
  return true;
}

bool NearPairs::bound_for(double h, const ContactGroup& group, const Kinematics& k,
                          const std::vector<Bounds>& bounds) const {
  return !is_empty() && bound(reached(group, k, bounds, h));
}

// Only where a box was left.
std::optional<Pair> NearPairs::missed(const ContactGroup& group, const Kinematics& k) const {
  const std::vector<Bounds> bounds = group.bounds(k);
  if (is_empty() || bound(bounds)) return {};
  std::vector<Bounds> swept = bounds;
  for (int i = 0; i < group.size(); ++i) swept[i].extend(boxes[i]);
  for (const Pair& pair : group.near(swept, k))
    if (!holds(pair) && have_met(group, pair, boxes, bounds, k)) return pair;
  return {};
}

void NearPairs::append_boxes(std::vector<double>& memory) const {
  for (const Bounds& box : boxes) {
    memory.insert(memory.end(), box.min().data(), box.min().data() + 3);
    memory.insert(memory.end(), box.max().data(), box.max().data() + 3);
  }
}

void NearPairs::read_boxes(const double* at, int n) {
  boxes.clear();
  boxes.reserve(n);
  for (int i = 0; i < n; ++i, at += kBox)
    boxes.emplace_back(Vector3d(at[0], at[1], at[2]), Vector3d(at[3], at[4], at[5]));
}

// By what shapes go in h at their speeds.
std::vector<Bounds> NearPairs::reached(const ContactGroup& group, const Kinematics& k,
                                       const std::vector<Bounds>& bounds, double h) {
  std::vector<Bounds> boxes = bounds;
  for (int i = 0; i < group.size(); ++i) {
    if (!bounds[i].sizes().allFinite()) continue;
    const bodies::FrameMotion& f = k.frames[group.member(i).end.frame];
    const double speed = f.v.norm() + f.w.norm() * group.reach(i);
    boxes[i] = grown(bounds[i], h * speed);
  }
  return boxes;
}

// By the margin, and by what a shape goes in a step that may be somewhat longer than the last.
NearPairs near_pairs_ahead(const ContactGroup& group, const Kinematics& k,
                           const std::vector<Bounds>& bounds, double t, double h) {
  NearPairs near{t, NearPairs::reached(group, k, bounds, kLongerStep * h), {}};
  for (Bounds& box : near.boxes)
    if (box.sizes().allFinite()) box = grown(box, 0.5 * group.skin());
  near.pairs = group.near(near.boxes, k);
  return near;
}

}  // namespace solidyn::contact
