#include "solidyn/forces/internal_state.h"

namespace solidyn::forces {

const InternalState* find_internal_state(const Force& force) {
  return dynamic_cast<const InternalState*>(&force);
}

}  // namespace solidyn::forces
