#pragma once
#include "model/read.h"

namespace solidyn::model {

/// The section of a `section` table.
SectionDescription read_beam_section(const TableView& section);

/// That its stiffness of shear is there where the beam has shear, and not in vain where it has not.
void check_shear(const TableView& section, const BeamDescription& beam);

/// Complains of a `material` that nothing would be taken from.
void refuse_material(const TableView& table, const char* why);

}  // namespace solidyn::model
