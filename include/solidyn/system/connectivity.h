#pragma once
#include <memory>
#include <set>
#include <vector>

#include "solidyn/bodies/indices.h"
#include "solidyn/forces/force_index.h"

namespace solidyn::bodies {
class Body;
class ElementBody;
class Superelement;
struct Frame;
}  // namespace solidyn::bodies
namespace solidyn::forces {
class Force;
}
namespace solidyn::joints {
class Constraint;
}

namespace solidyn::system {

using bodies::BodyIndex;

/// Bodies that superelements and the elements of beams connect, directly or through others.
struct RigidGroup {
  std::vector<BodyIndex> bodies;
  bool is_grounded = false;  ///< an interface of theirs is on the ground
};

/// Which bodies something connects. Empty until System::finalize(). Proved by Connectivity.*.
class Connectivity {
 public:
  using Bodies = base::IndexedVector<BodyIndex, std::unique_ptr<bodies::Body>>;
  using Constraints =
      base::IndexedVector<bodies::ConstraintIndex, std::unique_ptr<joints::Constraint>>;
  using Forces = base::IndexedVector<forces::ForceIndex, std::unique_ptr<forces::Force>>;
  using Frames = base::IndexedVector<bodies::FrameIndex, bodies::Frame>;

  Connectivity() = default;
  /// @pre superelements know which bodies carry their frames (Superelement::bind)
  Connectivity(const Bodies& bodies, const Constraints& constraints, const Forces& forces,
               const Frames& frames);

  /// Bodies whose residual acts on the velocities of others, by kind; in the system's order.
  const std::vector<bodies::Superelement*>& superelements() const { return superelements_; }
  BodyIndex body_of_superelement(int k) const { return body_of_superelement_[k]; }
  const std::vector<bodies::ElementBody*>& element_bodies() const { return element_bodies_; }
  BodyIndex body_of_elements(int k) const { return body_of_elements_[k]; }
  bool has_coupled_bodies() const { return !superelements_.empty() || !element_bodies_.empty(); }

  /// What a start may move without a deformation, as one.
  const std::vector<RigidGroup>& rigid_groups() const { return rigid_groups_; }

  /// Sets of bodies that joints, forces, contacts or shared nodes connect, the ground apart: each
  /// has an energy balance of its own. At least one.
  int n_islands() const { return n_islands_; }
  int island_of_body(BodyIndex body) const { return island_of_body_[body]; }
  /// Of a constraint or a force on these bodies; 0 of one on the ground alone.
  int island_of(const std::vector<BodyIndex>& bodies) const;
  /// `some` and all that hangs together with them by shared nodes and by `links`, each of which
  /// connects bodies as a joint or a force does: an island where these are all that there are.
  std::set<BodyIndex> joined_to(const std::vector<BodyIndex>& some,
                                const std::vector<std::vector<BodyIndex>>& links) const;

 private:
  void find_kinds(const Bodies& bodies);
  void find_groups(const Frames& frames);
  void add_to_groups(RigidGroup merged);
  std::vector<std::vector<BodyIndex>> bodies_that_share_nodes() const;
  void find_islands(const Constraints& constraints, const Forces& forces);

  std::vector<bodies::Superelement*> superelements_;
  std::vector<BodyIndex> body_of_superelement_;
  std::vector<bodies::ElementBody*> element_bodies_;
  std::vector<BodyIndex> body_of_elements_;
  std::vector<RigidGroup> rigid_groups_;
  base::IndexedVector<BodyIndex, int> island_of_body_;
  int n_islands_ = 1;
};

}  // namespace solidyn::system
