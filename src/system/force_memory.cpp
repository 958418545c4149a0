#include "solidyn/system/force_memory.h"

namespace solidyn::system {

// Of forces without parts; then for each with parts a number and as many.
base::IndexedVector<ForceIndex, int> memory_offsets(const System& system,
                                                    const Eigen::VectorXd& memory) {
  base::IndexedVector<ForceIndex, int> offsets;
  int end = 0;
  for (const ForceIndex f : system.forces()) end += system.force(f).n_memory();
  for (const ForceIndex f : system.forces()) {
    if (!system.force(f).has_parts()) {
      offsets.push_back(system.memory_offset(f));
      continue;
    }
    offsets.push_back(end + 1);
    end += 1 + static_cast<int>(memory[end]);
  }
  return offsets;
}

}  // namespace solidyn::system
