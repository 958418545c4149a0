#pragma once
#include <array>

#include "solidyn/bodies/nodal_state.h"

// Exported, and in PETSc's manual, but declared in a private header alone.
PETSC_EXTERN PetscErrorCode PetscObjectStateGet(PetscObject, PetscObjectState*);

namespace solidyn::bodies {

/// Which fields a nodal state has: equal versions mean equal values, since PETSc counts the changes
/// of each vector. The same on all ranks, as what is done to vectors is.
class NodalVersion {
 public:
  NodalVersion() = default;  ///< of no state
  explicit NodalVersion(const NodalState& n) {
    const std::array<::Vec, 3> fields = {n.u, n.du, n.ddu};
    for (std::size_t i = 0; i < fields.size(); ++i) {
      auto* object = reinterpret_cast<PetscObject>(fields[i]);
      SOLIDYN_PETSC(PetscObjectGetId(object, &ids_[i]));
      SOLIDYN_PETSC(PetscObjectStateGet(object, &changes_[i]));
    }
  }
  bool operator==(const NodalVersion& other) const {
    return ids_ == other.ids_ && changes_ == other.changes_;
  }

 private:
  std::array<PetscObjectId, 3> ids_{};  // PETSc's begin at 1
  std::array<PetscObjectState, 3> changes_{};
};

}  // namespace solidyn::bodies
