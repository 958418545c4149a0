#include "recursive/forest_search.h"

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>

#include "recursive/refusals.h"
#include "recursive/short_loops.h"
#include "solidyn/bodies/superelement.h"
#include "solidyn/forces/internal_state.h"
#include "solidyn/joints/joint.h"

namespace solidyn::recursive {
namespace {

// What may become a hinge: a joint, a virtual body on the one that it is attached to, or an
// interface of a superelement on its carrier. Numbered as constraints are, interfaces behind them.
struct Edge {
  BodyIndex A, B;  // of an interface the carrier and the superelement; of an attachment likewise
  int n_free = 0;  // speeds that the hinge leaves free
  int interface = -1;
  FrameIndex frame;  // of the interface, on its carrier
  bool is_attachment = false;
};
// Interfaces and attachments come before all joints, also fixed ones, so that no loop with a joint
// is cut there.
constexpr int kFreeOfInterface = -1;

std::vector<Edge> find_edges(const system::System& system) {
  // What drives along a joint prescribe is not free; where the joint was cut they would be
  // closures.
  std::map<std::pair<FrameIndex, FrameIndex>, int> n_drives;
  for (const ConstraintIndex c : system.constraints()) {
    const joints::Joint* joint = system.constraint(c).as_joint();
    if (joint && joint->n_rows() == 1 && joint->primitives()[0].is_driven())
      ++n_drives[{joint->frame_A(), joint->frame_B()}];
  }
  std::vector<Edge> edges(system.constraints().size());
  for (const ConstraintIndex c : system.constraints()) {
    if (system.constraint(c).as_attachment()) {
      const std::vector<BodyIndex>& bodies = system.constraint(c).bodies();
      edges[c.value()] = {bodies[0], bodies[1], kFreeOfInterface, -1, FrameIndex(), true};
      continue;
    }
    const joints::Joint* joint = system.constraint(c).as_joint();
    if (!joint || !joint->hinge() || joint->is_cut()) continue;
    const auto drives = n_drives.find({joint->frame_A(), joint->frame_B()});
    const int n = joint->hinge()->n_speeds();
    edges[c.value()] = {joint->link().body_A(),
                        joint->link().body_B(),
                        drives == n_drives.end() ? n : std::max(0, n - drives->second),
                        -1,
                        FrameIndex(),
                        false};
  }
  const system::Connectivity& connectivity = system.connectivity();
  for (std::size_t k = 0; k < connectivity.superelements().size(); ++k) {
    const std::vector<FrameIndex>& frames = connectivity.superelements()[k]->frames();
    for (std::size_t i = 0; i < frames.size(); ++i)
      edges.push_back({system.kinematics().frame_definitions[frames[i]].body,
                       connectivity.body_of_superelement(static_cast<int>(k)), kFreeOfInterface,
                       static_cast<int>(i), frames[i], false});
  }
  return edges;
}

// Modes turn with their body: of vibrations that a step does not resolve, what a hinge in other
// axes makes good of them would turn in the step, and they grow (a shaft that spins by 0.1 rad in
// one). Coordinates of forces are no modes.
bool has_modes(const system::System& system) {
  if (!system.connectivity().superelements().empty()) return true;
  int n_coordinates = 0, n_elastic = 0;
  for (const forces::ForceIndex f : system.forces())
    if (const forces::InternalState* state = system.force(f).as_internal_state())
      n_coordinates += system.body(state->coordinate()).n_elastic();
  for (const BodyIndex b : system.bodies()) n_elastic += system.body(b).n_elastic();
  return n_elastic > n_coordinates;
}

// Bodies as they are reached: by what leaves least free first.
class Search {
 public:
  Search(const system::System& system, const AbsoluteNodes& nodes)
      : system_(system),
        edges_(find_edges(system)),
        has_modes_(has_modes(system)),
        is_reached_(system.bodies().size(), false),
        depth_(system.bodies().size(), 0),
        edges_of_(system.bodies().size()),
        loops_(system.bodies().size() + 1, static_cast<int>(edges_.size())) {
    for (const forces::ForceIndex f : system.forces())
      if (const forces::InternalState* state = system.force(f).as_internal_state())
        add_coordinate(state->coordinate());
    leave_beside(nodes);
    for (int e = 0; e < static_cast<int>(edges_.size()); ++e) {
      const auto [A, B] = std::pair(edges_[e].A, edges_[e].B);
      if (A == B || nodes.contains(A) || nodes.contains(B)) continue;  // no hinge
      for (const BodyIndex body : {A, B})
        if (body != bodies::kGround) edges_of_[body].push_back(e);
      if (A != bodies::kGround && B != bodies::kGround) continue;
      on_ground_.push_back(e);
      offer(e, bodies::kGround);
    }
  }

  std::vector<Branch> run() {
    for (grow(); n_reached_ < system_.bodies().size(); grow()) add_root();
    refuse_interfaces(system_, tied_);
    std::vector<Branch> branches = hang();
    branches.insert(branches.end(), coordinates_.begin(), coordinates_.end());
    return branches;
  }

 private:
  // Speeds that the hinge leaves free, depth of what it would hang on, edge; and the body it would
  // hang on.
  using Offer = std::tuple<int, int, int, BodyIndex>;

  int node(BodyIndex body) const {
    return body == bodies::kGround ? system_.bodies().size() : body.value();
  }
  BodyIndex other_body(int edge, BodyIndex body) const {
    return edges_[edge].A == body ? edges_[edge].B : edges_[edge].A;
  }

  // Of a force: nothing leads to it.
  void add_coordinate(BodyIndex body) {
    is_reached_[body] = true;
    ++n_reached_;
    Branch branch;
    branch.body = body;
    branch.hinge = joints::Hinge(joints::Hinge::Kind::fixed);
    branch.is_of_force = true;
    coordinates_.push_back(std::move(branch));
  }

  // Nodes, and what they are parts of.
  void leave_beside(const AbsoluteNodes& nodes) {
    const auto leave = [this](BodyIndex body) {
      is_reached_[body] = true;
      ++n_reached_;
    };
    for (const BodyIndex body : system_.bodies())
      if (nodes.contains(body)) leave(body);
    const system::Connectivity& connectivity = system_.connectivity();
    for (std::size_t k = 0; k < connectivity.element_bodies().size(); ++k)
      leave(connectivity.body_of_elements(static_cast<int>(k)));
  }

  void offer(int edge, BodyIndex inboard) {
    offers_.emplace(edges_[edge].n_free, inboard == bodies::kGround ? 0 : depth_[inboard], edge,
                    inboard);
  }

  void grow() {
    while (!offers_.empty()) {
      const auto [n_free, depth, edge, inboard] = offers_.top();
      offers_.pop();
      const BodyIndex body = other_body(edge, inboard);
      if (body == bodies::kGround || is_reached_[body]) {
        // Of a loop, or offered from its other side before.
        if (loops_.is_branch(edge) || loops_.is_cut(edge)) continue;
        if (edges_[edge].interface >= 0 &&
            std::find(tied_.begin(), tied_.end(), edges_[edge].B) == tied_.end())
          tied_.push_back(edges_[edge].B);
        loops_.add_cut(edge, node(inboard), node(body), n_free);
        continue;
      }
      loops_.add_branch(edge, node(inboard), node(body), n_free);
      reach(body, depth + 1);
    }
  }

  void reach(BodyIndex body, int depth) {
    is_reached_[body] = true;
    depth_[body] = depth;
    ++n_reached_;
    for (const int edge : edges_of_[body]) offer(edge, body);
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
    for (const BodyIndex root : roots_) {
      Branch branch;
      branch.body = root;
      add(std::move(branch), left);
    }
    for (; !left.empty(); left.pop()) {
      const auto [body, index] = left.front();
      for (const int edge : body == bodies::kGround ? on_ground_ : edges_of_[body])
        if (loops_.is_branch(edge)) hang(edge, body, index, left);
    }
    return std::move(branches_);
  }

  void hang(int edge, BodyIndex inboard, int parent, std::queue<std::pair<BodyIndex, int>>& left) {
    Branch branch;
    branch.body = other_body(edge, inboard);
    if (branch.body == bodies::kGround || is_reached_[branch.body]) return;
    branch.parent = parent;
    if (edges_[edge].interface >= 0) {
      branch.hinge = joints::Hinge(joints::Hinge::Kind::fixed);
      branch.interface = edges_[edge].interface;
      (branch.body == edges_[edge].B ? branch.inboard_frame : branch.outboard_frame) =
          edges_[edge].frame;
    } else if (edges_[edge].is_attachment) {
      branch.hinge = joints::Hinge(joints::Hinge::Kind::fixed);
      branch.attachment = ConstraintIndex(edge);
    } else {
      branch.joint = ConstraintIndex(edge);
      const joints::Joint& joint = *system_.constraint(branch.joint).as_joint();
      branch.is_reversed = joint.link().body_A() != inboard;
      branch.hinge = *joint.hinge();
      // In the axes of what carries the body, where fast spins leave all else slow; beside modes in
      // those of the body itself.
      branch.hinge.turn_in(branch.is_reversed != has_modes_ ? joints::Hinge::TurnAxes::B
                                                            : joints::Hinge::TurnAxes::A);
      branch.inboard_frame = branch.is_reversed ? joint.frame_B() : joint.frame_A();
      branch.outboard_frame = branch.is_reversed ? joint.frame_A() : joint.frame_B();
    }
    add(std::move(branch), left);
  }

  void add(Branch branch, std::queue<std::pair<BodyIndex, int>>& left) {
    branch.depth = branch.parent < 0 ? 1 : branches_[branch.parent].depth + 1;
    is_reached_[branch.body] = true;
    left.emplace(branch.body, static_cast<int>(branches_.size()));
    branches_.push_back(std::move(branch));
  }

  const system::System& system_;
  std::vector<Edge> edges_;
  bool has_modes_;
  std::vector<int> on_ground_;
  std::vector<BodyIndex> tied_;  // superelements with an interface that closes a loop
  std::vector<Branch> branches_, coordinates_;
  base::IndexedVector<BodyIndex, char> is_reached_;
  base::IndexedVector<BodyIndex, int> depth_;
  base::IndexedVector<BodyIndex, std::vector<int>> edges_of_;
  std::priority_queue<Offer, std::vector<Offer>, std::greater<>> offers_;
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

std::vector<Branch> find_branches(const system::System& system, const AbsoluteNodes& nodes) {
  std::vector<Branch> branches = depth_first(Search(system, nodes).run());
  const std::vector<Branch> beside = branches_of(nodes);
  branches.insert(branches.end(), beside.begin(), beside.end());
  return branches;
}

}  // namespace solidyn::recursive
