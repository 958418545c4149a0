#include "solidyn/recursive/forest.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "recursive/absolute_nodes.h"
#include "recursive/forest_search.h"
#include "recursive/refusals.h"
#include "solidyn/base/disjoint_sets.h"
#include "solidyn/bodies/element_body.h"
#include "solidyn/bodies/superelement.h"
#include "solidyn/joints/joint.h"

namespace solidyn::recursive {
namespace {

// A drive along a hinge: its row sees one speed, at the same rate wherever the hinge is, and the
// others not at all.
std::optional<Branch::Drive> drive_along(const system::System& system, ConstraintIndex c,
                                         const joints::Joint& joint) {
  const joints::Joint* drive = system.constraint(c).as_joint();
  const joints::Hinge& hinge = *joint.hinge();
  if (!drive || drive->n_rows() != 1 || !drive->primitives()[0].is_driven() ||
      drive->frame_A() != joint.frame_A() || drive->frame_B() != joint.frame_B())
    return {};
  constexpr double kExact = 1e-9;
  std::optional<Branch::Drive> found;
  for (const double at : {0.0, 0.4}) {
    const Eigen::VectorXd q = Eigen::VectorXd::LinSpaced(hinge.n_coordinates() + 1, at, 2.0 * at);
    joints::HingeMotion relative;
    hinge.compute(q.data(), q.data(), relative);
    bodies::FrameMotion A = system.kinematics().frames[joint.frame_A()], B = A;
    B.p = A.p + A.R * relative.p;
    B.R = A.R * relative.R;
    const bodies::Row12 J = bodies::value_of(drive->primitives()[0].coordinate(), {A, B, 0.0}).J;
    std::optional<Branch::Drive> here;
    for (int i = 0; i < hinge.n_speeds(); ++i) {
      const Eigen::Vector3d v = A.R * relative.H.col(i).head<3>();
      const Eigen::Vector3d w = relative.R.transpose() * relative.H.col(i).tail<3>();
      const double rate = J.segment<3>(6).dot(v) + J.segment<3>(9).dot(w);
      if (std::abs(rate) < kExact) continue;
      if (here) return {};
      here = {c, i, rate};
    }
    if (!here || (found && (found->speed != here->speed ||
                            std::abs(found->rate - here->rate) > kExact * std::abs(here->rate))))
      return {};
    found = here;
  }
  // A quaternion has no coordinate that follows a law.
  if (hinge.turns_freely() && found->speed >= hinge.n_translations()) return {};
  return found;
}

bool is_driven(const Branch& branch, int speed) {
  return std::any_of(branch.drives.begin(), branch.drives.end(),
                     [&](const Branch::Drive& drive) { return drive.speed == speed; });
}

// Joints that are to be cut although they are hinges of no loop, one after the other.
void refuse_cuts_of_no_loop(const system::System& system, const AbsoluteNodes& nodes) {
  const int ground = system.bodies().size();
  base::DisjointSets<> connected(ground + 1);
  const auto node = [&](BodyIndex body) { return body == bodies::kGround ? ground : body.value(); };
  const auto ends = [&](const joints::Joint& joint) {
    return std::pair(node(joint.link().body_A()), node(joint.link().body_B()));
  };
  const std::vector<bodies::Superelement*>& superelements = system.connectivity().superelements();
  for (std::size_t k = 0; k < superelements.size(); ++k)
    for (const FrameIndex f : superelements[k]->frames())
      connected.join(node(system.connectivity().body_of_superelement(static_cast<int>(k))),
                     node(system.kinematics().frame_definitions[f].body));
  std::vector<const joints::Joint*> cuts;
  for (const ConstraintIndex c : system.constraints()) {
    if (system.constraint(c).as_attachment()) {
      const std::vector<BodyIndex>& bodies = system.constraint(c).bodies();
      connected.join(node(bodies[0]), node(bodies[1]));
    }
    const joints::Joint* joint = system.constraint(c).as_joint();
    if (!joint || !joint->hinge()) continue;
    const auto [a, b] = ends(*joint);
    const bool is_hinge =
        !nodes.contains(joint->link().body_A()) && !nodes.contains(joint->link().body_B());
    if (joint->is_cut())
      cuts.push_back(joint);
    else if (is_hinge)
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
    if (branch.is_node()) continue;  // what it is part of says so
    mass[i] += system.body(branch.body).mass();
    if (branch.parent >= 0) mass[branch.parent] += mass[i];
    if (mass[i] == 0.0 && branch.hinge.n_speeds() > static_cast<int>(branch.drives.size()))
      lost.push_back(branch.body);
  }
  if (!lost.empty()) refuse_massless_bodies(system, lost);
}

}  // namespace

Forest find_forest(const system::System& system) {
  const AbsoluteNodes nodes = find_absolute_nodes(system);
  refuse_what_is_not_relative(system, nodes);
  refuse_cuts_of_no_loop(system, nodes);
  Forest forest;
  forest.branches = find_branches(system, nodes);
  std::vector<bool> is_hinge(system.constraints().size(), false);
  for (Branch& branch : forest.branches) {
    if (branch.is_of_force || branch.is_node()) continue;
    forest.depth = std::max(forest.depth, branch.depth);
    if (branch.is_root()) ++forest.n_roots;
    if (branch.constraint() != bodies::kNoConstraint) is_hinge[branch.constraint().value()] = true;
  }
  for (const ConstraintIndex c : system.constraints()) {
    if (is_hinge[c.value()]) continue;
    bool is_along_hinge = false;
    for (Branch& branch : forest.branches) {
      if (branch.joint == bodies::kNoConstraint) continue;
      const std::optional<Branch::Drive> drive =
          drive_along(system, c, *system.constraint(branch.joint).as_joint());
      if (!drive || is_driven(branch, drive->speed)) continue;
      branch.drives.push_back(*drive);
      is_along_hinge = true;
      break;
    }
    if (!is_along_hinge) forest.closures.push_back(c);
  }
  refuse_massless_branches(system, forest);
  return forest;
}

namespace {

// Beams group by group: those that one sparse factor holds stand together.
std::string names_of_beams(const system::System& system, const Forest& forest) {
  std::map<BodyIndex, int> group_of_node;
  std::map<int, std::string> names;
  for (const Branch& branch : forest.branches)
    if (branch.is_node()) group_of_node[branch.body] = branch.node_group;
  for (const bodies::ElementBody* beam : system.connectivity().element_bodies()) {
    std::string& text = names[group_of_node.at(beam->nodes().front())];
    text += (text.empty() ? "" : ", ") + beam->name();
  }
  std::string all;
  for (const auto& [group, text] : names) all += (all.empty() ? "" : "; ") + text;
  return all;
}

}  // namespace

std::string describe(const system::System& system, const Forest& forest) {
  const auto count = [](int n) { return n > 0 ? std::to_string(n) : std::string("none"); };
  int n_driven = 0, n_of_forces = 0, n_nodes = 0;
  for (const Branch& branch : forest.branches) {
    n_driven += static_cast<int>(branch.drives.size());
    n_of_forces += branch.is_of_force ? 1 : 0;
    n_nodes += branch.is_node() ? 1 : 0;
  }
  std::string text = fmt::format(
      "recursive: {} bodies on hinges, {} free in the world, at most {} hinges from the ground; coordinates that follow drives: {}; closures: {}",
      static_cast<int>(forest.branches.size()) - n_of_forces - n_nodes, count(forest.n_roots),
      forest.depth, count(n_driven), count(static_cast<int>(forest.closures.size())));
  for (std::size_t i = 0; i < forest.closures.size(); ++i)
    text += (i ? ", " : " (") + system.constraint(forest.closures[i]).name();
  if (!forest.closures.empty()) text += ")";
  if (n_nodes > 0)
    text += fmt::format("; nodes of beams in absolute coordinates: {} ({})", n_nodes,
                        names_of_beams(system, forest));
  if (n_of_forces > 0) text += fmt::format("; coordinates of forces: {}", n_of_forces);
  return text + "\n";
}

}  // namespace solidyn::recursive
