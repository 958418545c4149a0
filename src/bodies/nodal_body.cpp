#include "solidyn/bodies/nodal_body.h"

#include "solidyn/reduction/load_rows.h"

namespace solidyn::bodies {

NodalState NodalState::clone() const {
  NodalState copy;
  SOLIDYN_PETSC(VecDuplicate(u, copy.u.out()));
  SOLIDYN_PETSC(VecDuplicate(du, copy.du.out()));
  SOLIDYN_PETSC(VecDuplicate(ddu, copy.ddu.out()));
  copy.copy_from(*this);
  return copy;
}

void NodalState::copy_from(const NodalState& other) {
  SOLIDYN_PETSC(VecCopy(other.u, u));
  SOLIDYN_PETSC(VecCopy(other.du, du));
  SOLIDYN_PETSC(VecCopy(other.ddu, ddu));
}

const std::vector<reduction::LoadRows>& NodalBody::loads() const {
  static const std::vector<reduction::LoadRows> kNone;
  return kNone;
}

}  // namespace solidyn::bodies
