#pragma once
#include "model/read.h"

namespace solidyn::model {

/// `prestress`, `prestrain`, `fixed_strains` and `driven_strains` of a beam. @pre beam.torsion is
/// that of the file; with driven strains it becomes constant
void read_beam_strains(const TableView& body, BeamDescription& beam);

/// Then the strains of its elements are unknowns of the system.
bool has_driven_strains(const BeamDescription& beam);

}  // namespace solidyn::model
