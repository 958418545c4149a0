#pragma once

/// What a program of one's own needs of Solidyn, and what is stable in it: names, arguments and
/// meaning of what these headers declare change only with a new minor version (a patch version
/// changes none of it), and CHANGELOG.md says what to write instead. Everything else that is
/// installed may change at any time. doc/cpp.md is the guide, examples/cpp has programs.
///
/// The library itself never includes this header.

// The program: MPI, PETSc and SLEPc from start to end, errors, the log.
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/program.h"

// Functions of time, and rotations.
#include "solidyn/math/rotation.h"
#include "solidyn/math/time_function.h"

// Bodies: rigid ones, and modal ones from meshes or from matrices of other programs.
#include "solidyn/bodies/reduced_modal_body.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/reduction/reduce.h"
#include "solidyn/reduction/reduce_matrices.h"

// The mechanism: bodies, frames, joints, drives, springs and loads, and its state.
#include "solidyn/system/connect.h"
#include "solidyn/system/system.h"

// Analyses of it.
#include "solidyn/analyses/dynamics.h"
#include "solidyn/analyses/modes.h"
#include "solidyn/analyses/statics.h"

// Model files: reading, checking and running them, one or many; the output of a run.
#include "solidyn/model/load.h"
#include "solidyn/results/read_history.h"
#include "solidyn/simulation/run.h"
#include "solidyn/simulation/sweep.h"
