#pragma once
#include "solidyn/base/typed_index.h"

namespace solidyn::forces {

using ForceIndex = base::TypedIndex<struct ForceTag>;  ///< of a force in a system

}  // namespace solidyn::forces
