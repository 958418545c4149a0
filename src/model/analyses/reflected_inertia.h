#pragma once
#include "model/forces/force_entry.h"

namespace solidyn::model {

/// Frames of the places whose inertia is asked for.
/// @throws base::InputError at points that no force can act on
void add_analysed_places(const Builder& builder);

}  // namespace solidyn::model
