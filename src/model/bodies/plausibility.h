#pragma once
#include "solidyn/model/description.h"

namespace solidyn::model {

/// Logs a warning where a body's mass or first elastic frequency looks like a mistake in units.
/// @param mass  kg, 0: not known    @param frequency  Hz, 0: not known
void warn_of_doubtful_units(const BodyEntry& body, double mass, double frequency);

}  // namespace solidyn::model
