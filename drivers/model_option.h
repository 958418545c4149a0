#pragma once
#include "command.h"
#include "solidyn/model/load.h"

namespace solidyn::drivers {

/// Declares the positional MODEL and --set.
void add_model_options(Options& options);

/// Collective over PETSC_COMM_WORLD. Reads MODEL with the changes of --set, logs its warnings, and
/// hands its solver.petsc_options to PETSc; those of the command line win.
model::ModelDescription load_model(const Options& options, const Arguments& arguments,
                                   model::Purpose purpose = model::Purpose::run);

}  // namespace solidyn::drivers
