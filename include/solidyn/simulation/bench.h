#pragma once
#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

#include "solidyn/fem/solid_operator.h"
#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::simulation {

/// How the linear systems of a bench are solved; PETSc options with the prefix `bench_` override.
enum class BenchSolver {
  iterative,  ///< conjugate gradients, smoothed aggregation on the rigid motions (GAMG)
  direct      ///< Cholesky (MUMPS)
};

/// What is timed: one elastic body that flies freely, of a mesh file or a generated box.
struct BenchOptions {
  std::string mesh_file;  ///< what the table calls it; empty: a box
  /// Collective; of a mesh file.
  std::function<mesh::DistributedMesh(MPI_Comm)> read_mesh = {};
  elements::ElementType element = elements::ElementType::tet10;  ///< of the box
  Eigen::Vector3d box_size = {1.0, 1.0, 1.0};                    ///< m
  std::int64_t n_dofs = 100000;                                  ///< of the box
  fem::IsotropicElastic material = {1e7, 0.3, 1000.0};           ///< soft rubber
  fem::SolidFormulation formulation = fem::SolidFormulation::corotational;
  BenchSolver solver = BenchSolver::iterative;
  bool with_steps = true;
  int repeat = 3;      ///< samples of each timing, time steps included; medians are reported
  double step = 1e-3;  ///< of the time integration, s
};

/// Medians over repetitions of the slowest rank's wall-clock time, and what proves the work right.
struct BenchResult {
  std::string mesh, element, formulation, solver;
  int ranks = 1, repeat = 1;
  std::int64_t n_nodes = 0, n_elements = 0, n_dofs = 0;
  double step = 0.0;            ///< s, of the time integration
  double ghost_fraction = 0.0;  ///< ghost nodes over all nodes: what communication costs
  double imbalance = 0.0;       ///< most elements on a rank over the mean
  struct {
    double mesh = 0.0;            ///< reading or making, partition, distribution
    double pattern = 0.0;         ///< of the matrix, masses, geometry; once
    double first_assembly = 0.0;  ///< with the search for places in the matrix; once
    double assembly = 0.0;        ///< of the tangent
    double force = 0.0;
    double product = 0.0;     ///< matrix times vector
    double factor = 0.0;      ///< or multigrid's setup
    double solve = 0.0;       ///< to 1e-8 of the right-hand side
    double first_step = 0.0;  ///< with factorisations
    double time_step = 0.0;
  } seconds;
  std::int64_t ksp_iterations = 0;
  double newton_per_step = 0.0;
  std::vector<double> peak_rss_mb;  ///< of each rank
  struct {
    double rigid_force = 0.0;  ///< largest nodal force after a rigid motion over that of a strain
    double tangent = 0.0;      ///< |A v - (c_m M v + K v without a matrix)| over |A v|
    double solution = 0.0;     ///< error of a solution that is known, relative
    double linear_momentum = 0.0, angular_momentum = 0.0;  ///< change over the steps, relative
    double energy = 0.0;  ///< J, of the strained body: the same on any number of ranks
  } check;
};

/// Collective. @throws base::InputError for meshes and options; base::ComputationError when a check
/// fails: a timing counts only with its answer.
BenchResult run_bench(MPI_Comm comm, const BenchOptions& options);

/// One line of JSON (doc/scaling.md has its keys), and back. @throws base::InputError naming
/// `where`
std::string to_json_line(const BenchResult& result);
BenchResult parse_bench(const std::string& line, const std::string& where);

/// A table for people: a line for each result, with parallel efficiencies relative to the first of
/// its kind (element, formulation, solver): unknowns per second and rank, so that strong and weak
/// scaling read alike. Results of the same mesh on other ranks must agree.
/// @throws base::InputError when their energies differ by more than 1e-9
std::string format_bench_table(const std::vector<BenchResult>& results);

}  // namespace solidyn::simulation
