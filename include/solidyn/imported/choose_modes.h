#pragma once
#include "solidyn/imported/modal_data.h"

namespace solidyn::imported {

/// Keeps the modes of one subcase (Nastran) or step (Abaqus, CalculiX).
/// @param subcase  0: that of the first mode; a warning in the report names the others
/// @throws base::InputError when the file has no modes of it: which it has
/// Proved by ChooseModes.*
void keep_subcase(ModalData& modes, int subcase);

/// Whether the largest component of every mode is 1, as Nastran's EIGRL with NORM = MAX and others
/// write: then the modes do not define the mass. @pre numbers are those of the file
bool has_unit_maximum(const ModalData& modes);

}  // namespace solidyn::imported
