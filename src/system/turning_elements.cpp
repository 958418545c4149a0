#include "solidyn/system/turning_elements.h"

#include <algorithm>

#include "solidyn/bodies/element_body.h"

namespace solidyn::system {

bool has_turning_elements(const System& system) {
  const std::vector<bodies::ElementBody*>& all = system.connectivity().element_bodies();
  return std::any_of(all.begin(), all.end(), [&](const bodies::ElementBody* body) {
    return system.body(body->nodes().front()).n_rigid() > 0;
  });
}

}  // namespace solidyn::system
