#pragma once
#include "solidyn/system/system.h"

namespace solidyn::system {

/// Where each force keeps what it remembers in State::memory, whose end is as long as forces with
/// parts want it in that state. Proved by Groups.* in tests/verification/nonsmooth.
base::IndexedVector<ForceIndex, int> memory_offsets(const System& system,
                                                    const Eigen::VectorXd& memory);

}  // namespace solidyn::system
