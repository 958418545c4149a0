#pragma once
#include "solidyn/base/error.h"

namespace solidyn::base {

/// A computation was asked to stop, as by a signal, on all ranks: nothing is tried again.
class Interrupted : public ComputationError {
 public:
  using ComputationError::ComputationError;
};

}  // namespace solidyn::base
