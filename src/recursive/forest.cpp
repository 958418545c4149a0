#include "solidyn/recursive/forest.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>

#include "recursive/refusals.h"
#include "recursive/short_loops.h"
#include "solidyn/base/disjoint_sets.h"
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

// The speed of the hinge whose coordinate a driven row is: the row sees it as one, and the others
// not at all, wherever the hinge is. -1: none.
int driven_speed(const joints::Joint& drive, const joints::Joint& joint,
                 const bodies::Kinematics& k) {
  const joints::Hinge& hinge = *joint.hinge();
  const bool is_along = drive.n_rows() == 1 && drive.primitives()[0].is_driven() &&
                        drive.frame_A() == joint.frame_A() && drive.frame_B() == joint.frame_B();
  // A quaternion has no coordinate that follows a law, and a screw's turns are not in its pose.
  if (!is_along || hinge.turns_freely() || hinge.kind() == joints::Hinge::Kind::screw) return -1;
  constexpr double kExact = 1e-9;
  int speed = -1;
  for (const double at : {0.0, 0.4}) {
    const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(hinge.n_coordinates() + 1, at, 2.0 * at);
    joints::HingeMotion relative;
    hinge.compute(q.data(), q.data(), relative);
    bodies::FrameMotion A = k.frames[joint.frame_A()], B = A;
    B.p = A.p + A.R * relative.p;
    B.R = A.R * relative.R;
    const bodies::Row12 J = bodies::value_of(drive.primitives()[0].coordinate(), {A, B, 0.0}).J;
    int seen = -1;
    for (int i = 0; i < hinge.n_speeds(); ++i) {
      const Eigen::Vector3d v = A.R * relative.H.col(i).head<3>();
      const Eigen::Vector3d w = relative.R.transpose() * relative.H.col(i).tail<3>();
      const double share = J.segment<3>(6).dot(v) + J.segment<3>(9).dot(w);
      if (std::abs(share) < kExact) continue;
      if (seen >= 0 || std::abs(share - 1.0) > kExact) return -1;
      seen = i;
    }
    if (seen < 0 || (speed >= 0 && seen != speed)) return -1;
    speed = seen;
  }
  return speed;
}

// Joints that are to be cut although they are hinges of no loop, one after the other.
void refuse_cuts_of_no_loop(const system::System& system) {
  const int ground = system.bodies().size();
  base::DisjointSets<> connected(ground + 1);
  const auto ends = [&](const joints::Joint& joint) {
    const auto node = [&](BodyIndex body) {
      return body == bodies::kGround ? ground : body.value();
    };
    return std::pair(node(joint.link().body_A()), node(joint.link().body_B()));
  };
  std::vector<const joints::Joint*> cuts;
  for (const ConstraintIndex c : system.constraints()) {
    const joints::Joint* joint = system.constraint(c).as_joint();
    if (!joint || !joint->hinge()) continue;
    const auto [a, b] = ends(*joint);
    if (joint->is_cut())
      cuts.push_back(joint);
    else
      connected.join(a, b);
  }
  std::vector<std::string> of_no_loop;
  for (const joints::Joint* cut : cuts) {
    const auto [a, b] = ends(*cut);
    if (connected.root(a) == connected.root(b)) continue;
    of_no_loop.push_back(cut->name());
    connected.join(a, b);
  }
  if (!of_no_loop.empty()) refuse_cuts(of_no_loop);
}

// Bodies that, with all that they carry, have no mass, and that may move.
void refuse_massless_branches(const system::System& system, const Forest& forest) {
  std::vector<double> mass(forest.branches.size(), 0.0);
  std::vector<bodies::BodyIndex> lost;
  for (std::size_t i = forest.branches.size(); i-- > 0;) {
    const Branch& branch = forest.branches[i];
    mass[i] += system.body(branch.body).mass();
    if (branch.parent >= 0) mass[branch.parent] += mass[i];
    if (mass[i] == 0.0 && branch.hinge.n_speeds() > static_cast<int>(branch.drives.size()))
      lost.push_back(branch.body);
  }
  if (!lost.empty()) refuse_massless_bodies(system, lost);
}

}  // namespace

Forest find_forest(const system::System& system) {
  refuse_what_is_not_relative(system);
  refuse_cuts_of_no_loop(system);
  Forest forest;
  forest.branches = depth_first(Search(system).run());
  std::vector<bool> is_hinge(system.constraints().size(), false);
  for (Branch& branch : forest.branches) {
    forest.depth = std::max(forest.depth, branch.depth);
    if (branch.joint == bodies::kNoConstraint)
      ++forest.n_roots;
    else
      is_hinge[branch.joint.value()] = true;
  }
  for (const ConstraintIndex c : system.constraints()) {
    if (is_hinge[c.value()]) continue;
    bool is_along_hinge = false;
    if (const joints::Joint* drive = system.constraint(c).as_joint())
      for (Branch& branch : forest.branches) {
        if (branch.joint == bodies::kNoConstraint) continue;
        const joints::Joint& joint = *system.constraint(branch.joint).as_joint();
        const int speed = driven_speed(*drive, joint, system.kinematics());
        const bool is_taken =
            std::any_of(branch.drives.begin(), branch.drives.end(),
                        [&](const Branch::Drive& other) { return other.speed == speed; });
        if (speed < 0 || is_taken) continue;
        branch.drives.push_back({c, speed});
        is_along_hinge = true;
        break;
      }
    if (!is_along_hinge) forest.closures.push_back(c);
  }
  refuse_massless_branches(system, forest);
  return forest;
}

std::string describe(const system::System& system, const Forest& forest) {
  const auto count = [](int n) { return n > 0 ? std::to_string(n) : std::string("none"); };
  int n_driven = 0;
  for (const Branch& branch : forest.branches) n_driven += static_cast<int>(branch.drives.size());
  std::string text = fmt::format(
      "recursive: {} bodies on hinges, {} free in the world, at most {} hinges from the ground; coordinates that follow drives: {}; closures: {}",
      forest.branches.size(), count(forest.n_roots), forest.depth, count(n_driven),
      count(static_cast<int>(forest.closures.size())));
  for (std::size_t i = 0; i < forest.closures.size(); ++i)
    text += (i ? ", " : " (") + system.constraint(forest.closures[i]).name();
  if (!forest.closures.empty()) text += ")";
  return text + "\n";
}

}  // namespace solidyn::recursive
