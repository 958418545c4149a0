#include "solidyn/contact/set_valued_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "contact/borrowed_geometry.h"

namespace solidyn::contact {
namespace {

using bodies::Kinematics;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using forces::SetValuedPoint;

// What is remembered: a head, then the points. The head: when, for how long a step, how many pairs,
// the boxes, and of each pair its members.
constexpr int kHead = 3, kMembers = 2;
// Of the step that was looked ahead for: a shorter one, as after a rejection, says little of the
// next.
constexpr double kForgets = 0.8;

}  // namespace

SetValuedGroup::SetValuedGroup(std::string name, std::shared_ptr<const ContactGroup> group,
                               Options options)
    : GroupContact(std::move(name), std::move(group)), o_(std::move(options)) {}

std::unique_ptr<SetValuedContact> SetValuedGroup::make_contact(Pair pair) const {
  const Vector3d surface =
      o_.surface_velocities.empty() ? Vector3d::Zero() : o_.surface_velocities[pair.first];
  return std::make_unique<SetValuedContact>(
      name(), o_.label, group().link(pair),
      std::make_unique<BorrowedGeometry>(group().geometry(pair)), o_.law, surface);
}

// Contacts of pairs that stay keep their geometry.
void SetValuedGroup::set_near() {
  std::vector<Near> now;
  now.reserve(remembered_.pairs.size());
  auto old = near_.begin();
  for (const Pair& pair : remembered_.pairs) {
    while (old != near_.end() && old->pair < pair) ++old;
    const bool stays = old != near_.end() && old->pair == pair;
    now.push_back({pair, stays ? std::move(old->contact) : make_contact(pair)});
  }
  near_ = std::move(now);
  points_.clear();
  for (std::size_t i = 0; i < near_.size(); ++i)
    for (int k = 0; k < near_[i].contact->n_points(); ++k)
      points_.push_back({static_cast<int>(i), k});
  ++version_;
}

Index SetValuedGroup::size_of_head() const {
  return kHead + NearPairs::kBox * static_cast<Index>(group().size()) +
         kMembers * static_cast<Index>(remembered_.pairs.size());
}

int SetValuedGroup::memory_offset(int point) const {
  return static_cast<int>(size_of_head()) + point * SetValuedPoint::kSize;
}

// The head changes between steps, the points all the time.
void SetValuedGroup::recall(const Eigen::Ref<const VectorXd>& memory) {
  const Index head = memory_.size() == 0 ? 0 : size_of_head();
  const bool is_same_head =
      memory.size() == memory_.size() && memory.head(head) == memory_.head(head);
  if (is_same_head && memory == memory_) return;
  memory_ = memory;
  if (!is_same_head) {
    remembered_ = {};
    horizon_ = 0.0;
    if (memory_.size() > 0) {
      remembered_.t = memory_[0];
      horizon_ = memory_[1];
      remembered_.read_boxes(memory_.data() + kHead, group().size());
      const double* at = memory_.data() + kHead + NearPairs::kBox * group().size();
      for (int p = 0; p < static_cast<int>(memory_[2]); ++p, at += kMembers)
        remembered_.pairs.emplace_back(static_cast<int>(at[0]), static_cast<int>(at[1]));
    }
    const bool are_same =
        remembered_.pairs.size() == near_.size() &&
        std::equal(near_.begin(), near_.end(), remembered_.pairs.begin(),
                   [](const Near& near, const Pair& pair) { return near.pair == pair; });
    if (!are_same) set_near();
  }
  Index at = size_of_head();
  for (const Near& near : near_) {
    const int n = near.contact->n_memory();
    near.contact->recall(memory_.segment(at, n));
    at += n;
  }
}

bool SetValuedGroup::acts(const SetValuedContact& contact) const {
  if (contact.has_forces()) return true;
  for (int k = 0; k < contact.n_points(); ++k)
    if (contact.kept(k).phase == SetValuedPoint::Phase::closed) return true;
  return false;
}

bool SetValuedGroup::follow(const Kinematics&) {
  std::vector<const Force*> parts;
  for (const Near& near : near_)
    if (acts(*near.contact)) parts.push_back(near.contact.get());
  if (parts == parts_ && followed_ == version_) return false;
  parts_ = std::move(parts);
  followed_ = version_;
  return true;
}

// Whatever boxes say, a pair that is closed, or was hit in the step, is not forgotten.
std::vector<SetValuedGroup::Pair> SetValuedGroup::pairs_that_stay(
    const std::vector<Pair>& near) const {
  std::vector<Pair> acting, all;
  for (const Near& old : near_) {
    bool is_hit = false;
    for (int k = 0; k < old.contact->n_points(); ++k)
      is_hit = is_hit || !old.contact->kept(k).impulse.isZero(0.0);
    if (is_hit || acts(*old.contact)) acting.push_back(old.pair);
  }
  std::set_union(near.begin(), near.end(), acting.begin(), acting.end(), std::back_inserter(all));
  return all;
}

void SetValuedGroup::append_memory(const Kinematics& k, double t,
                                   std::vector<double>& memory) const {
  const std::vector<Bounds> bounds = group().bounds(k);
  NearPairs now = remembered_;
  const double h = remembered_.is_empty() ? o_.first_step : t - remembered_.t;
  const double horizon = std::max(h, kForgets * horizon_);
  if (!now.bound_for(horizon, group(), k, bounds)) {
    now = near_pairs_ahead(group(), k, bounds, t, horizon);
    now.pairs = pairs_that_stay(now.pairs);
  }
  now.t = t;
  memory.insert(memory.end(), {now.t, horizon, static_cast<double>(now.pairs.size())});
  now.append_boxes(memory);
  for (const Pair& pair : now.pairs)
    memory.insert(memory.end(),
                  {static_cast<double>(pair.first), static_cast<double>(pair.second)});
  auto near = near_.begin();
  for (const Pair& pair : now.pairs) {
    while (near != near_.end() && near->pair < pair) ++near;
    const bool is_known = near != near_.end() && near->pair == pair;
    const Index n_points = group().geometry(pair).n_points() * Index{1 + o_.law.n_moments()};
    VectorXd of_pair = VectorXd::Zero(n_points * SetValuedPoint::kSize);
    if (is_known) near->contact->remember(k, t, of_pair);
    memory.insert(memory.end(), of_pair.data(), of_pair.data() + of_pair.size());
  }
}

std::string SetValuedGroup::rejection(const Kinematics& k, double) const {
  const std::optional<Pair> pair = remembered_.missed(group(), k);
  if (!pair) return {};
  return fmt::format(
      "{} was missed: within one step `{}` and `{}` met, or passed through each other, which had been too far apart to be looked at",
      name(), o_.members[pair->first], o_.members[pair->second]);
}

double SetValuedGroup::power(const Kinematics& k, double t) const {
  double sum = 0.0;
  for (const Near& near : near_)
    if (acts(*near.contact)) sum += near.contact->power(near.contact->link().pair(k), t);
  return sum;
}

ContactState SetValuedGroup::state(const Kinematics& k) const {
  std::vector<ContactState> states;
  for (const Near& near : near_)
    states.push_back(near.contact->state(near.contact->link().pair(k)));
  ContactState sum = states.empty() ? ContactState() : combined(states);
  sum.gap = group().smallest_gap(k);
  return sum;
}

SetValuedPoint SetValuedGroup::kept(int point) const {
  return contact(point).kept(points_[point].number);
}

std::string SetValuedGroup::between(int point) const {
  const Pair pair = near_[points_[point].near].pair;
  return o_.members[pair.first] + " " + o_.members[pair.second];
}

std::string SetValuedGroup::name_of(int point) const {
  const Pair pair = near_[points_[point].near].pair;
  const std::string name =
      fmt::format("{} ({} and {})", o_.label, o_.members[pair.first], o_.members[pair.second]);
  const std::string place =
      contact(point).n_places() == 1 ? name : fmt::format("{}, point {}", name, number(point) + 1);
  return place + contact(point).suffix_of(points_[point].number);
}

const forces::SetValuedLaw& SetValuedGroup::law_of(int point) const {
  return contact(point).law_of(points_[point].number);
}

int SetValuedGroup::contact_of(int point) const {
  const int of_pair = contact(point).contact_of(points_[point].number);
  return of_pair < 0 ? -1 : point - points_[point].number + of_pair;
}

const std::vector<bodies::BodyIndex>* SetValuedGroup::bodies_of(int point) const {
  return &contact(point).bodies();
}

bool SetValuedGroup::exists(const Kinematics& k, int point) const {
  return contact(point).exists(k, points_[point].number);
}

double SetValuedGroup::gap(const Kinematics& k, int point) const {
  return contact(point).gap(k, points_[point].number);
}

Eigen::Matrix3d SetValuedGroup::axes(const Kinematics& k, int point) const {
  return contact(point).axes(k, points_[point].number);
}

Vector3d SetValuedGroup::normal(const Kinematics& k, int point) const {
  return contact(point).normal(k, points_[point].number);
}

Vector3d SetValuedGroup::velocity(const Kinematics& k, int point) const {
  return contact(point).velocity(k, points_[point].number);
}

Vector3d SetValuedGroup::acceleration(const Kinematics& k, int point) const {
  return contact(point).acceleration(k, points_[point].number);
}

void SetValuedGroup::directions(const Kinematics& k, int point, Eigen::Ref<MatrixXd> W) const {
  contact(point).directions(k, points_[point].number, W);
}

}  // namespace solidyn::contact
