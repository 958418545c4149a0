#include "solidyn/contact/group_force.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "contact/borrowed_geometry.h"

namespace solidyn::contact {
namespace {

using bodies::Kinematics;
using Eigen::VectorXd;

// What is remembered: when, how many pairs, the boxes, then of each pair its members and what its
// force remembers.
constexpr int kHead = 2, kMembers = 2;

}  // namespace

GroupForce::GroupForce(std::string name, std::shared_ptr<const ContactGroup> group,
                       const NormalLaw& law, const Friction& friction, double resolution)
    : GroupContact(std::move(name), std::move(group)),
      law_(law),
      friction_(friction),
      resolution_(resolution) {}

std::unique_ptr<ContactForce> GroupForce::make_force(Pair pair) const {
  return std::make_unique<ContactForce>(name(), group().link(pair),
                                        std::make_unique<BorrowedGeometry>(group().geometry(pair)),
                                        law_, friction_, resolution_);
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
  std::vector<Pair> pairs = remembered_.pairs;
  if (!remembered_.bound(group().bounds(k))) {
    const std::vector<Pair> here = group().near(k, group().skin());
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
  remembered_ = {};
  for (const Near& near : near_) near.force->recall(VectorXd::Zero(near.force->n_memory()));
  if (memory_.size() == 0) return;
  remembered_.t = memory_[0];
  const int n_pairs = static_cast<int>(memory_[1]);
  const double* at = memory_.data() + kHead;
  remembered_.read_boxes(at, group().size());
  at += NearPairs::kBox * group().size();
  auto near = near_.begin();
  for (int p = 0; p < n_pairs; ++p) {
    const Pair pair(static_cast<int>(at[0]), static_cast<int>(at[1]));
    at += kMembers;
    remembered_.pairs.push_back(pair);
    while (near != near_.end() && near->pair < pair) ++near;
    const int n = ContactForce::n_memory_of(group().geometry(pair).n_points());
    if (near != near_.end() && near->pair == pair)
      near->force->recall(Eigen::Map<const VectorXd>(at, n));
    at += n;
  }
}

void GroupForce::append_memory(const Kinematics& k, double t, std::vector<double>& memory) const {
  const std::vector<Bounds> bounds = group().bounds(k);
  NearPairs now = remembered_;
  const double h = remembered_.is_empty() ? 0.0 : std::max(t - remembered_.t, 0.0);
  if (!now.bound_for(h, group(), k, bounds)) now = near_pairs_ahead(group(), k, bounds, t, h);
  memory.insert(memory.end(), {t, static_cast<double>(now.pairs.size())});
  now.append_boxes(memory);
  auto near = near_.begin();
  for (const Pair& pair : now.pairs) {
    memory.insert(memory.end(),
                  {static_cast<double>(pair.first), static_cast<double>(pair.second)});
    while (near != near_.end() && near->pair < pair) ++near;
    const bool is_known = near != near_.end() && near->pair == pair;
    const std::unique_ptr<ContactForce> made = is_known ? nullptr : make_force(pair);
    const ContactForce& force = is_known ? *near->force : *made;
    VectorXd of_pair = force.recalled();  // the speed of impact lasts while they touch
    force.remember(k, t, of_pair);
    memory.insert(memory.end(), of_pair.data(), of_pair.data() + of_pair.size());
  }
}

std::string GroupForce::rejection(const Kinematics& k, double t) const {
  for (const Near& near : near_) {
    std::string reason = near.force->rejection(k, t);
    if (!reason.empty()) return reason;
  }
  if (!remembered_.missed(group(), k)) return {};
  return fmt::format(
      "{} was missed: within one step two shapes met, or passed through each other, that had been too far apart to be looked at",
      name());
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

void GroupForce::add_slips(const Kinematics& k, std::vector<forces::Slip>& slips) const {
  for (const Near& near : near_) near.force->add_slips(k, slips);
}

ContactState GroupForce::state(const Kinematics& k) const {
  std::vector<ContactState> states;
  for (const Near& near : near_) states.push_back(near.force->state(near.force->pair(k)));
  ContactState sum = states.empty() ? ContactState() : combined(states);
  sum.gap = group().smallest_gap(k);
  return sum;
}

}  // namespace solidyn::contact
