#pragma once
#include <string>

#include "solidyn/imported/solid_model.h"

namespace solidyn::imported {

/// What a model holds beside its mesh, as lines of text for a terminal: format, materials with
/// their elements, masses, rigid elements, supports, and what the reader left out, mended or did
/// not understand; a screenful whatever the file. @param model in SI
std::string describe(const SolidModel& model);

}  // namespace solidyn::imported
