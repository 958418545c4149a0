#include "solidyn/system/connectivity.h"

#include <algorithm>

#include "solidyn/bodies/element_body.h"
#include "solidyn/bodies/superelement.h"
#include "solidyn/forces/force.h"
#include "solidyn/joints/constraint.h"

namespace solidyn::system {

Connectivity::Connectivity(const Bodies& bodies, const Constraints& constraints,
                           const Forces& forces, const Frames& frames) {
  find_kinds(bodies);
  find_groups(frames);
  island_of_body_ = base::IndexedVector<BodyIndex, int>(bodies.size(), -1);
  find_islands(constraints, forces);
}

void Connectivity::find_kinds(const Bodies& bodies) {
  for (const BodyIndex i : bodies.indices()) {
    if (bodies::Superelement* superelement = bodies[i]->as_superelement()) {
      superelements_.push_back(superelement);
      body_of_superelement_.push_back(i);
    }
    if (bodies::ElementBody* elements = bodies[i]->as_elements()) {
      element_bodies_.push_back(elements);
      body_of_elements_.push_back(i);
    }
  }
}

void Connectivity::find_groups(const Frames& frames) {
  for (const bodies::Superelement* superelement : superelements_) {
    RigidGroup group{superelement->carriers(), false};
    for (const bodies::FrameIndex f : superelement->frames())
      group.is_grounded |= frames[f].body == bodies::kGround;
    add_to_groups(std::move(group));
  }
  for (const bodies::ElementBody* body : element_bodies_)
    if (!body->is_shaped_by_constraints()) add_to_groups({body->nodes(), false});
}

// The groups that its bodies belong to become one.
void Connectivity::add_to_groups(RigidGroup merged) {
  const std::vector<BodyIndex> own = merged.bodies;
  const auto is_common = [&](BodyIndex body) {
    return std::find(own.begin(), own.end(), body) != own.end();
  };
  std::vector<RigidGroup> apart;
  for (RigidGroup& group : rigid_groups_) {
    if (std::none_of(group.bodies.begin(), group.bodies.end(), is_common)) {
      apart.push_back(std::move(group));
      continue;
    }
    merged.is_grounded |= group.is_grounded;
    for (const BodyIndex body : group.bodies)
      if (!is_common(body)) merged.bodies.push_back(body);
  }
  apart.push_back(std::move(merged));
  rigid_groups_ = std::move(apart);
}

// Superelements and the bodies that carry them, elements and the bodies that are their nodes.
std::vector<std::vector<BodyIndex>> Connectivity::bodies_that_share_nodes() const {
  std::vector<std::vector<BodyIndex>> all;
  for (std::size_t k = 0; k < superelements_.size(); ++k) {
    all.push_back(superelements_[k]->carriers());
    all.back().push_back(body_of_superelement_[k]);
  }
  for (std::size_t k = 0; k < element_bodies_.size(); ++k) {
    all.push_back(element_bodies_[k]->nodes());
    all.back().push_back(body_of_elements_[k]);
  }
  return all;
}

void Connectivity::find_islands(const Constraints& constraints, const Forces& forces) {
  base::IndexedVector<BodyIndex, BodyIndex> parent;
  for (const BodyIndex i : island_of_body_.indices()) parent.push_back(i);
  const auto root_of = [&](BodyIndex body) {
    while (parent[body] != body) body = parent[body] = parent[parent[body]];
    return body;
  };
  const auto connect = [&](const std::vector<BodyIndex>& bodies) {
    for (const BodyIndex other : bodies) parent[root_of(other)] = root_of(bodies.front());
  };
  for (const auto& constraint : constraints) connect(constraint->bodies());
  for (const auto& force : forces) connect(force->bodies());
  for (const auto& bodies : bodies_that_share_nodes()) connect(bodies);
  base::IndexedVector<BodyIndex, int> number = island_of_body_;
  int n_found = 0;
  for (const BodyIndex i : parent.indices()) {
    int& island = number[root_of(i)];
    if (island < 0) island = n_found++;
    island_of_body_[i] = island;
  }
  n_islands_ = std::max(n_found, 1);
}

std::set<BodyIndex> Connectivity::joined_to(
    const std::vector<BodyIndex>& some, const std::vector<std::vector<BodyIndex>>& links) const {
  std::vector<std::vector<BodyIndex>> all = bodies_that_share_nodes();
  all.insert(all.end(), links.begin(), links.end());
  std::set<BodyIndex> joined(some.begin(), some.end());
  const auto is_joined = [&joined](BodyIndex body) { return joined.count(body) > 0; };
  for (std::size_t before = 0; before != joined.size();) {
    before = joined.size();
    for (const auto& bodies : all)
      if (std::any_of(bodies.begin(), bodies.end(), is_joined))
        joined.insert(bodies.begin(), bodies.end());
  }
  return joined;
}

int Connectivity::island_of(const std::vector<BodyIndex>& bodies) const {
  return bodies.empty() ? 0 : island_of_body_[bodies.front()];
}

}  // namespace solidyn::system
