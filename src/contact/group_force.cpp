#include "solidyn/contact/group_force.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "contact/broad_phase.h"

namespace solidyn::contact {
namespace {

using bodies::FramePair;
using bodies::Kinematics;
using Eigen::Vector3d;
using Eigen::VectorXd;

// What is remembered: when, how many pairs, the boxes, then of each pair its members and what its
// force remembers.
constexpr int kHead = 2, kBox = 6, kMembers = 2;
// A step may be longer than the last by this until boxes are left.
constexpr double kLongerStep = 1.5;

// A geometry that the group owns.
class Borrowed final : public PairGeometry {
 public:
  explicit Borrowed(const PairGeometry& geometry) : geometry_(geometry) {}
  int n_points() const override { return geometry_.n_points(); }
  ContactPoint at(const FramePair& f, int point) const override { return geometry_.at(f, point); }

 private:
  const PairGeometry& geometry_;
};

}  // namespace

GroupForce::GroupForce(std::string name, std::shared_ptr<const ContactGroup> group,
                       const NormalLaw& law, const Friction& friction, double resolution)
    : Force(std::move(name), group->bodies()),
      group_(std::move(group)),
      law_(law),
      friction_(friction),
      resolution_(resolution) {}

std::unique_ptr<ContactForce> GroupForce::make_force(Pair pair) const {
  return std::make_unique<ContactForce>(name(), group_->link(pair),
                                        std::make_unique<Borrowed>(group_->geometry(pair)), law_,
                                        friction_, resolution_);
}

bool GroupForce::are_in_boxes(const std::vector<Bounds>& bounds) const {
  if (boxes_.empty()) return false;
  for (std::size_t i = 0; i < bounds.size(); ++i)
    if (bounds[i].sizes().allFinite() && !boxes_[i].contains(bounds[i])) return false;
  return true;
}

// Forces of pairs that stay keep what they remember. @return whether there are others now
bool GroupForce::set_near(const std::vector<Pair>& pairs) {
  const bool is_same =
      pairs.size() == near_.size() &&
      std::equal(pairs.begin(), pairs.end(), near_.begin(),
                 [](const Pair& pair, const Near& near) { return pair == near.pair; });
  if (is_same) return false;
  std::vector<Near> now;
  now.reserve(pairs.size());
  auto old = near_.begin();
  for (const Pair& pair : pairs) {
    while (old != near_.end() && old->pair < pair) ++old;
    const bool stays = old != near_.end() && old->pair == pair;
    now.push_back({pair, stays ? std::move(old->force) : make_force(pair)});
  }
  near_ = std::move(now);
  parts_.clear();
  for (const Near& near : near_) parts_.push_back(near.force.get());
  return true;
}

// Boxes that are left say no more which pairs are near: those of the state itself join.
bool GroupForce::follow(const Kinematics& k) {
  std::vector<Pair> pairs = remembered_;
  std::vector<Bounds> bounds = group_->bounds(k);
  if (!are_in_boxes(bounds)) {
    const std::vector<Pair> here = group_->near(k, group_->skin());
    std::vector<Pair> both;
    std::set_union(pairs.begin(), pairs.end(), here.begin(), here.end(), std::back_inserter(both));
    pairs = std::move(both);
  }
  const bool has_changed = set_near(pairs);
  if (!has_changed) return false;
  // Those that are new remember nothing.
  const VectorXd memory = memory_;
  memory_.resize(0);
  recall(memory);
  return true;
}

void GroupForce::recall(const Eigen::Ref<const VectorXd>& memory) {
  if (memory.size() == memory_.size() && (memory.array() == memory_.array()).all()) return;
  memory_ = memory;
  remembered_.clear();
  boxes_.clear();
  for (const Near& near : near_) near.force->recall(VectorXd::Zero(near.force->n_memory()));
  if (memory_.size() == 0) return;
  accepted_at_ = memory_[0];
  const int n_pairs = static_cast<int>(memory_[1]);
  const double* at = memory_.data() + kHead;
  for (int i = 0; i < group_->size(); ++i, at += kBox)
    boxes_.emplace_back(Vector3d(at[0], at[1], at[2]), Vector3d(at[3], at[4], at[5]));
  auto near = near_.begin();
  for (int p = 0; p < n_pairs; ++p) {
    const Pair pair(static_cast<int>(at[0]), static_cast<int>(at[1]));
    at += kMembers;
    remembered_.push_back(pair);
    while (near != near_.end() && near->pair < pair) ++near;
    const int n = ContactForce::n_memory_of(group_->geometry(pair).n_points());
    if (near != near_.end() && near->pair == pair)
      near->force->recall(Eigen::Map<const VectorXd>(at, n));
    at += n;
  }
}

// By the margin, and by what a shape goes in a step that may be somewhat longer than the last.
std::vector<Bounds> GroupForce::look_ahead(const std::vector<Bounds>& bounds, const Kinematics& k,
                                           double h) const {
  std::vector<Bounds> boxes = bounds;
  for (int i = 0; i < group_->size(); ++i) {
    if (!bounds[i].sizes().allFinite()) continue;
    const bodies::FrameMotion& f = k.frames[group_->member(i).end.frame];
    const double speed = f.v.norm() + f.w.norm() * group_->reach(i);
    const Vector3d by = Vector3d::Constant(0.5 * group_->skin() + kLongerStep * h * speed);
    boxes[i] = Bounds(bounds[i].min() - by, bounds[i].max() + by);
  }
  return boxes;
}

void GroupForce::append_memory(const Kinematics& k, double t, std::vector<double>& memory) const {
  const std::vector<Bounds> bounds = group_->bounds(k);
  std::vector<Bounds> boxes = boxes_;
  std::vector<Pair> pairs = remembered_;
  if (!are_in_boxes(bounds)) {
    const double h = boxes_.empty() ? 0.0 : t - accepted_at_;
    boxes = look_ahead(bounds, k, std::max(h, 0.0));
    pairs = group_->near(boxes, k);
  }
  memory.insert(memory.end(), {t, static_cast<double>(pairs.size())});
  for (const Bounds& box : boxes) {
    memory.insert(memory.end(), box.min().data(), box.min().data() + 3);
    memory.insert(memory.end(), box.max().data(), box.max().data() + 3);
  }
  auto near = near_.begin();
  for (const Pair& pair : pairs) {
    memory.insert(memory.end(),
                  {static_cast<double>(pair.first), static_cast<double>(pair.second)});
    while (near != near_.end() && near->pair < pair) ++near;
    const bool is_known = near != near_.end() && near->pair == pair;
    const std::unique_ptr<ContactForce> made = is_known ? nullptr : make_force(pair);
    const ContactForce& force = is_known ? *near->force : *made;
    VectorXd of_pair = VectorXd::Zero(force.n_memory());
    force.remember(k, t, of_pair);
    memory.insert(memory.end(), of_pair.data(), of_pair.data() + of_pair.size());
  }
}

// Pairs that were not near may have met, or passed through each other, only where a box was left.
std::string GroupForce::rejection(const Kinematics& k, double t) const {
  for (const Near& near : near_) {
    std::string reason = near.force->rejection(k, t);
    if (!reason.empty()) return reason;
  }
  const std::vector<Bounds> bounds = group_->bounds(k);
  if (boxes_.empty() || are_in_boxes(bounds)) return {};
  std::vector<Bounds> swept = bounds;
  for (int i = 0; i < group_->size(); ++i) swept[i].extend(boxes_[i]);
  for (const Pair& pair : group_->near(swept, k)) {
    if (std::binary_search(remembered_.begin(), remembered_.end(), pair)) continue;
    if (have_met(pair, bounds, k))
      return fmt::format(
          "{} was missed: within one step two shapes met, or passed through each other, that had been too far apart to be looked at",
          name());
  }
  return {};
}

// Whether the largest balls inside of their boxes came to touch on their way, or they touch now.
bool GroupForce::have_met(Pair pair, const std::vector<Bounds>& bounds, const Kinematics& k) const {
  const PairGeometry& geometry = group_->geometry(pair);
  const FramePair f = group_->link(pair).pair(k);
  for (int i = 0; i < geometry.n_points(); ++i)
    if (geometry.at(f, i).gap < 0.0) return true;
  const auto [a, b] = pair;
  if (!bounds[a].sizes().allFinite() || !bounds[b].sizes().allFinite()) return false;
  const Vector3d before = boxes_[b].center() - boxes_[a].center(),
                 after = bounds[b].center() - bounds[a].center(), way = after - before;
  const double length = way.squaredNorm();
  const double at = length > 0.0 ? std::clamp(-before.dot(way) / length, 0.0, 1.0) : 0.0;
  const double balls = 0.5 * (bounds[a].sizes().minCoeff() + bounds[b].sizes().minCoeff());
  return (before + at * way).norm() < balls;
}

double GroupForce::energy(const Kinematics& k, double t) const {
  double sum = 0.0;
  for (const Near& near : near_) sum += near.force->energy(near.force->pair(k), t);
  return sum;
}

double GroupForce::power(const Kinematics& k, double t) const {
  double sum = 0.0;
  for (const Near& near : near_) sum += near.force->power(near.force->pair(k), t);
  return sum;
}

std::optional<double> GroupForce::gap(const Kinematics& k) const {
  const double smallest = group_->smallest_gap(k);
  if (!std::isfinite(smallest)) return {};
  return smallest;
}

void GroupForce::add_slips(const Kinematics& k, std::vector<forces::Slip>& slips) const {
  for (const Near& near : near_) near.force->add_slips(k, slips);
}

ContactState GroupForce::state(const Kinematics& k) const {
  std::vector<ContactState> states;
  for (const Near& near : near_) states.push_back(near.force->state(near.force->pair(k)));
  ContactState sum = states.empty() ? ContactState() : combined(states);
  sum.gap = group_->smallest_gap(k);
  return sum;
}

}  // namespace solidyn::contact
