#include "solidyn/recursive/forest.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <tuple>

#include "recursive/refusals.h"
#include "solidyn/joints/joint.h"

namespace solidyn::recursive {
namespace {

// Bodies as they are reached: by joints with a hinge, those that leave least free first.
class Search {
 public:
  explicit Search(const system::System& system)
      : system_(system), reached_(system.bodies().size(), -1), joints_of_(system.bodies().size()) {
    for (const ConstraintIndex c : system.constraints()) {
      const joints::Joint* joint = system.constraint(c).as_joint();
      if (!joint || !joint->hinge()) continue;
      for (const BodyIndex body : joint->bodies()) joints_of_[body].push_back(c);
      if (joint->bodies().size() == 1) offer(c, -1);
    }
  }

  std::vector<Branch> run() {
    for (grow(); static_cast<int>(branches_.size()) < system_.bodies().size(); grow()) add_root();
    return std::move(branches_);
  }

 private:
  // Speeds of the hinge, depth of what it would hang on, joint; and the branch it would hang on.
  using Offer = std::tuple<int, int, int, int>;

  void offer(ConstraintIndex c, int parent) {
    const joints::Hinge& hinge = *system_.constraint(c).as_joint()->hinge();
    offers_.emplace(hinge.n_speeds(), parent < 0 ? 0 : branches_[parent].depth, c.value(), parent);
  }

  void grow() {
    while (!offers_.empty()) {
      const auto [n, depth, c, parent] = offers_.top();
      offers_.pop();
      hang(ConstraintIndex(c), parent);
    }
  }

  void hang(ConstraintIndex c, int parent) {
    const joints::Joint& joint = *system_.constraint(c).as_joint();
    const BodyIndex inboard = parent < 0 ? bodies::kGround : branches_[parent].body;
    Branch branch;
    branch.is_reversed = joint.link().body_A() != inboard;
    branch.body = branch.is_reversed ? joint.link().body_A() : joint.link().body_B();
    if (reached_[branch.body] >= 0) return;
    branch.parent = parent;
    branch.hinge = *joint.hinge();
    branch.joint = c;
    branch.inboard_frame = branch.is_reversed ? joint.frame_B() : joint.frame_A();
    branch.outboard_frame = branch.is_reversed ? joint.frame_A() : joint.frame_B();
    add(std::move(branch));
  }

  void add_root() {
    Branch root;
    double heaviest = -1.0;
    for (const BodyIndex body : system_.bodies()) {
      if (reached_[body] >= 0 || !(system_.body(body).mass() > heaviest)) continue;
      heaviest = system_.body(body).mass();
      root.body = body;
    }
    if (heaviest == 0.0) refuse_lost_frame(system_.body(root.body));
    add(std::move(root));
  }

  void add(Branch branch) {
    branch.depth = branch.parent < 0 ? 1 : branches_[branch.parent].depth + 1;
    const int index = static_cast<int>(branches_.size());
    reached_[branch.body] = index;
    const BodyIndex body = branch.body;
    branches_.push_back(std::move(branch));
    for (const ConstraintIndex c : joints_of_[body]) offer(c, index);
  }

  const system::System& system_;
  std::vector<Branch> branches_;
  base::IndexedVector<BodyIndex, int> reached_;  // branch of each body, -1
  base::IndexedVector<BodyIndex, std::vector<ConstraintIndex>> joints_of_;
  std::priority_queue<Offer, std::vector<Offer>, std::greater<>> offers_;
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
