#pragma once
#include "solidyn/base/error.h"

namespace solidyn::base {

/// Memory or a library gave out (an error code of PETSc, a factor that finds no room). Nothing that
/// is tried again, a shorter step for one, would help, without the other ranks: see
/// base::Meeting. throw_on_all_ranks_if_any() keeps this type, and makes one of std::bad_alloc.
class ResourceError : public ComputationError {
 public:
  using ComputationError::ComputationError;
};

}  // namespace solidyn::base
