#pragma once
#include "model/read.h"

namespace solidyn::model {

/// Refuses  nonlinear: snes  where SNES cannot iterate, and warns where nothing iterates.
/// @param solver  the table that has it
void check_nonlinear_solver(const TableView& solver, const ModelDescription& model);

}  // namespace solidyn::model
