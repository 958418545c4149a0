#pragma once
#include <mpi.h>

#include <array>
#include <string>
#include <vector>

#include "solidyn/simulation/bench.h"

namespace solidyn::simulation {

/// What the rank with most of it sends, and how often all ranks wait for a sum over them.
struct Traffic {
  double messages = 0.0, bytes = 0.0, reductions = 0.0;
};

/// A part of an implicit step with conjugate gradients, as -log_view's stages tell them apart. The
/// stage Solve is two of them: `coarse` is all below the mesh in a cycle of multigrid, `fine` the
/// rest.
enum class Phase { residual, tangent, set_up, fine, coarse, other };
constexpr int kPhases = 6;
const char* name(Phase phase);

/// One implicit step, seconds and traffic of each phase; fine and coarse of all its iterations.
struct PhaseWork {
  double seconds = 0.0;  ///< of the slowest rank, waiting included
  Traffic traffic;
};

/// What steps of one body and the machine under it gave on some ranks: a line of a file.
struct ScalingResult {
  std::string mesh, element, formulation;
  int ranks = 1, repeat = 1;
  std::int64_t n_nodes = 0, n_elements = 0, n_dofs = 0;
  double step = 0.0;                 ///< s
  std::array<double, 3> cells = {};  ///< of a box; of a mesh file those of its bounding box
  double imbalance = 1.0;            ///< most elements on a rank over the mean
  double ghosts = 0.0;               ///< ghost nodes of all ranks
  double most_ghosts = 0.0, most_neighbours = 0.0;  ///< of the rank with most
  struct {
    double triad = 0.0;      ///< B/s of memory that each rank has while all ranks read and write
    double latency = 0.0;    ///< s of a short message, between ranks half of all apart
    double bandwidth = 0.0;  ///< B/s of a long one, while all ranks send one
    double reduction = 0.0;  ///< s of a sum over all ranks
  } machine;
  struct {
    double in_double = 0.0, in_single = 0.0;        ///< s
    double bytes_double = 0.0, bytes_single = 0.0;  ///< kept by the rank with most; read by each
    Traffic traffic;                                ///< of one product, of either
  } product;                                        ///< of the elements' tangent without a matrix
  double first_step = 0.0, time_step = 0.0;         ///< s
  std::array<PhaseWork, kPhases> phases;
  double corrections_per_step = 0.0, iterations_per_step = 0.0;
  double megabytes = 0.0;  ///< resident at most, of the rank with most
  struct {
    double product = 0.0;         ///< in double precision against that from scratch, relative
    double product_single = 0.0;  ///< in single precision, likewise
    double linear_momentum = 0.0, angular_momentum = 0.0;  ///< change over the steps, relative
    double energy = 0.0;  ///< J, of the strained body: the same on any number of ranks
  } check;
};

/// Collective. Conjugate gradients with multigrid, whose level of corners has GAMG as that of large
/// bodies has, unless PETSc's options with the prefix `body_bench_` say otherwise. Starts PETSc's
/// log, and its stages.
/// @throws base::InputError for meshes and options; base::ComputationError when a check fails
ScalingResult run_scaling_bench(MPI_Comm comm, const BenchOptions& options);

/// One line of JSON (doc/scaling.md has its keys), and back. @throws base::InputError naming
/// `where`
std::string to_json_line(const ScalingResult& result);
ScalingResult parse_scaling(const std::string& line, const std::string& where);

}  // namespace solidyn::simulation
