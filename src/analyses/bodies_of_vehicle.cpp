#include "bodies_of_vehicle.h"

#include <algorithm>
#include <vector>

#include "solidyn/bodies/element_body.h"
#include "solidyn/bodies/superelement.h"

namespace solidyn::analyses {

std::set<bodies::BodyIndex> bodies_of_vehicle(const system::System& system,
                                              const forces::Wheelsets& wheelsets) {
  std::vector<std::vector<bodies::BodyIndex>> groups;
  for (const auto c : system.constraints()) groups.push_back(system.constraint(c).bodies());
  for (const auto f : system.forces()) {
    const forces::Force* force = &system.force(f);
    if (std::none_of(wheelsets.begin(), wheelsets.end(),
                     [force](const forces::RunsOnTrack* w) { return &w->force() == force; }))
      groups.push_back(force->bodies());
  }
  // Bodies that share nodes, as Connectivity has them.
  const system::Connectivity& shared = system.connectivity();
  for (std::size_t k = 0; k < shared.superelements().size(); ++k) {
    groups.push_back(shared.superelements()[k]->carriers());
    groups.back().push_back(shared.body_of_superelement(static_cast<int>(k)));
  }
  for (std::size_t k = 0; k < shared.element_bodies().size(); ++k) {
    groups.push_back(shared.element_bodies()[k]->nodes());
    groups.back().push_back(shared.body_of_elements(static_cast<int>(k)));
  }
  std::set<bodies::BodyIndex> vehicle;
  for (const forces::RunsOnTrack* w : wheelsets) vehicle.insert(w->wheelset());
  const auto runs = [&vehicle](bodies::BodyIndex b) { return vehicle.count(b) > 0; };
  for (std::size_t before = 0; before != vehicle.size();) {
    before = vehicle.size();
    for (const auto& group : groups)
      if (std::any_of(group.begin(), group.end(), runs))
        for (const bodies::BodyIndex b : group)
          if (b != bodies::kGround) vehicle.insert(b);
  }
  return vehicle;
}

}  // namespace solidyn::analyses
