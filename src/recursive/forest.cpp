#include "solidyn/recursive/forest.h"

#include <fmt/format.h>

#include <algorithm>

#include "recursive/forest_search.h"
#include "recursive/refusals.h"
#include "solidyn/base/disjoint_sets.h"
#include "solidyn/joints/joint.h"

namespace solidyn::recursive {
namespace {

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
  forest.branches = find_branches(system);
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
