#include "recursive/forest_search.h"

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>

#include "recursive/refusals.h"
#include "recursive/short_loops.h"
#include "solidyn/joints/joint.h"

namespace solidyn::recursive {
namespace {

// Bodies as they are reached: by joints with a hinge, those that leave least free first.
class Search {
 public:
  explicit Search(const system::System& system)
      : system_(system),
        is_reached_(system.bodies().size(), false),
        depth_(system.bodies().size(), 0),
        joints_of_(system.bodies().size()),
        loops_(system.bodies().size() + 1, system.constraints().size()) {
    for (const ConstraintIndex c : system.constraints()) {
      const joints::Joint* joint = system.constraint(c).as_joint();
      if (joint && joint->n_rows() == 1 && joint->primitives()[0].is_driven())
        ++n_drives_[{joint->frame_A(), joint->frame_B()}];
    }
    for (const ConstraintIndex c : system.constraints()) {
      const joints::Joint* joint = system.constraint(c).as_joint();
      if (!joint || !joint->hinge() || joint->is_cut()) continue;
      for (const BodyIndex body : joint->bodies()) joints_of_[body].push_back(c);
      if (joint->bodies().size() == 1) offer(c, bodies::kGround);
    }
  }

  std::vector<Branch> run() {
    for (grow(); n_reached_ < system_.bodies().size(); grow()) add_root();
    return hang();
  }

 private:
  // Speeds that the hinge leaves free, depth of what it would hang on, joint; and the body it would
  // hang on.
  using Offer = std::tuple<int, int, int, BodyIndex>;

  const joints::Joint& joint(ConstraintIndex c) const { return *system_.constraint(c).as_joint(); }
  // What drives along it prescribe is not free; where the joint was cut they would be closures.
  int n_free(ConstraintIndex c) const {
    const auto drives = n_drives_.find({joint(c).frame_A(), joint(c).frame_B()});
    const int n = joint(c).hinge()->n_speeds();
    return drives == n_drives_.end() ? n : std::max(0, n - drives->second);
  }
  int node(BodyIndex body) const {
    return body == bodies::kGround ? system_.bodies().size() : body.value();
  }
  BodyIndex other_body(ConstraintIndex c, BodyIndex body) const {
    const bodies::FrameLink& link = joint(c).link();
    return link.body_A() == body ? link.body_B() : link.body_A();
  }

  void offer(ConstraintIndex c, BodyIndex inboard) {
    offers_.emplace(n_free(c), inboard == bodies::kGround ? 0 : depth_[inboard], c.value(),
                    inboard);
  }

  void grow() {
    while (!offers_.empty()) {
      const auto [n_free, depth, number, inboard] = offers_.top();
      offers_.pop();
      const ConstraintIndex c(number);
      const BodyIndex body = other_body(c, inboard);
      if (body == bodies::kGround || is_reached_[body]) {
        // Of a loop, or offered from its other side before.
        if (!loops_.is_branch(number) && !loops_.is_cut(number))
          loops_.add_cut(number, node(inboard), node(body), n_free);
        continue;
      }
      loops_.add_branch(number, node(inboard), node(body), n_free);
      reach(body, depth + 1);
    }
  }

  void reach(BodyIndex body, int depth) {
    is_reached_[body] = true;
    depth_[body] = depth;
    ++n_reached_;
    for (const ConstraintIndex c : joints_of_[body]) offer(c, body);
  }

  void add_root() {
    BodyIndex root;
    double heaviest = -1.0;
    for (const BodyIndex body : system_.bodies()) {
      if (is_reached_[body] || !(system_.body(body).mass() > heaviest)) continue;
      heaviest = system_.body(body).mass();
      root = body;
    }
    if (heaviest == 0.0) refuse_lost_frame(system_.body(root));
    roots_.push_back(root);
    reach(root, 1);
  }

  // The tree that is left when loops have been cut, from the ground and from the roots.
  std::vector<Branch> hang() {
    is_reached_ = base::IndexedVector<BodyIndex, char>(system_.bodies().size(), false);
    std::queue<std::pair<BodyIndex, int>> left;  // bodies, and their branches
    left.emplace(bodies::kGround, -1);
    std::vector<ConstraintIndex> on_ground;
    for (const ConstraintIndex c : system_.constraints())
      if (loops_.is_branch(c.value()) && joint(c).bodies().size() == 1) on_ground.push_back(c);
    for (const BodyIndex root : roots_) {
      Branch branch;
      branch.body = root;
      add(std::move(branch), left);
    }
    for (; !left.empty(); left.pop()) {
      const auto [body, index] = left.front();
      for (const ConstraintIndex c : body == bodies::kGround ? on_ground : joints_of_[body])
        if (loops_.is_branch(c.value())) hang(c, body, index, left);
    }
    return std::move(branches_);
  }

  void hang(ConstraintIndex c, BodyIndex inboard, int parent,
            std::queue<std::pair<BodyIndex, int>>& left) {
    const joints::Joint& joint = this->joint(c);
    Branch branch;
    branch.is_reversed = joint.link().body_A() != inboard;
    branch.body = other_body(c, inboard);
    if (branch.body == bodies::kGround || is_reached_[branch.body]) return;
    branch.parent = parent;
    branch.hinge = *joint.hinge();
    branch.joint = c;
    branch.inboard_frame = branch.is_reversed ? joint.frame_B() : joint.frame_A();
    branch.outboard_frame = branch.is_reversed ? joint.frame_A() : joint.frame_B();
    add(std::move(branch), left);
  }

  void add(Branch branch, std::queue<std::pair<BodyIndex, int>>& left) {
    branch.depth = branch.parent < 0 ? 1 : branches_[branch.parent].depth + 1;
    is_reached_[branch.body] = true;
    left.emplace(branch.body, static_cast<int>(branches_.size()));
    branches_.push_back(std::move(branch));
  }

  const system::System& system_;
  std::vector<Branch> branches_;
  base::IndexedVector<BodyIndex, char> is_reached_;
  base::IndexedVector<BodyIndex, int> depth_;
  base::IndexedVector<BodyIndex, std::vector<ConstraintIndex>> joints_of_;
  std::priority_queue<Offer, std::vector<Offer>, std::greater<>> offers_;
  std::map<std::pair<FrameIndex, FrameIndex>, int> n_drives_;
  ShortLoops loops_;
  std::vector<BodyIndex> roots_;
  int n_reached_ = 0;
};

// Each branch with all that it carries, one after the other.
std::vector<Branch> depth_first(const std::vector<Branch>& found) {
  const int n = static_cast<int>(found.size());
  std::vector<std::vector<int>> carried(n + 1);  // by parent + 1
  for (int i = n - 1; i >= 0; --i) carried[found[i].parent + 1].push_back(i);
  std::vector<Branch> branches;
  std::vector<int> place(n), left = carried[0];
  while (!left.empty()) {
    const int i = left.back();
    left.pop_back();
    place[i] = static_cast<int>(branches.size());
    branches.push_back(found[i]);
    if (found[i].parent >= 0) branches.back().parent = place[found[i].parent];
    left.insert(left.end(), carried[i + 1].begin(), carried[i + 1].end());
  }
  return branches;
}

}  // namespace

std::vector<Branch> find_branches(const system::System& system) {
  return depth_first(Search(system).run());
}

}  // namespace solidyn::recursive
