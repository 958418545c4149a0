#pragma once
#include <string>

#include "solidyn/imported/matrices.h"
#include "solidyn/imported/modal_data.h"
#include "solidyn/imported/solid_model.h"

/// What imported data hold, as lines of text for a terminal; a screenful whatever the file.
namespace solidyn::imported {

/// What a model holds beside its mesh: format, materials with their elements, masses, rigid
/// elements, supports, and what the reader left out, mended or did not understand.
/// @param model in SI
std::string describe(const SolidModel& model);

/// How many modes of how many nodes; frequencies and generalised masses of the first ones.
/// @param modes in SI
std::string describe(const ModalData& modes);

/// Name, size, number of terms and symmetry: one line. Real matrices with both triangles are
/// measured.
std::string describe(const Matrix& matrix);

/// What the rows are, and a line for each matrix.
std::string describe(const MatrixModel& model);

/// What the reader ignored, and its first warnings.
std::string describe(const ImportReport& report);

}  // namespace solidyn::imported
