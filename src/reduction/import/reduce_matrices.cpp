#include "solidyn/reduction/reduce_matrices.h"

#include <fmt/format.h>

#include "reduction/basis/basis.h"
#include "reduction/basis/projection.h"
#include "reduction/basis/quality_check.h"
#include "reduction/eigen/ghosts.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/timer.h"

namespace solidyn::reduction {
namespace {

void refuse_what_needs_elements(const ReductionOptions& options) {
  const auto refuse = [](const char* what) {
    throw base::InputError(
        fmt::format("{} needs the elements of the body, which imported matrices lack", what),
        "remove it, or reduce the mesh of the body with its material");
  };
  if (options.geometric_stiffening != GeometricStiffening::none) refuse("geometric stiffening");
  if (!options.stress.places.empty() || options.stress.pictures != StressInPictures::none)
    refuse("stress");
}

// A factor of a matrix with a second mechanism, or with negative stiffness, does not exist.
template <class Work>
void explain_failed_factor(const Work& work) {
  try {
    work();
  } catch (const base::ComputationError& e) {
    throw base::ComputationError(fmt::format(
        "{}\n  the matrices are imported: is the body disconnected, or does it contain Lagrange multipliers?",
        e.what()));
  }
}

PlacedMatrices place_on_first(const mesh::DistributedMesh& mesh,
                              const imported::MatrixModel& model) {
  const std::vector<std::int64_t> tags = gather_node_tags(mesh);
  PlacedMatrices placed;
  base::run_together(mesh.comm, [&] {
    if (base::rank(mesh.comm) == 0) placed = place(model, tags);
  });
  return placed;
}

void report_other_rows(const mesh::DistributedMesh& mesh, const ImportedFreedoms& freedoms) {
  double counts[3] = {static_cast<double>(freedoms.rows.x.cols() - mesh.n_owned), 0.0, 0.0};
  for (const ExtraRow& row : freedoms.rows.others) counts[row.component == 0 ? 2 : 1] += 1.0;
  base::sum_in_place(mesh.comm, counts, 3);
  if (counts[0] + counts[1] + counts[2] == 0.0) return;
  base::log_info(
      "reduction: besides the translations of {} nodes, the matrices contain {} nodes outside the mesh, {} rotations and {} generalised coordinates",
      mesh.n_global_nodes, counts[0], counts[1], counts[2]);
}

}  // namespace

ReducedBody reduce_matrices(mesh::DistributedMesh mesh, const imported::MatrixModel& model,
                            const ReductionOptions& options, ReductionTimings* timings) {
  refuse_what_needs_elements(options);
  ReductionTimings spent;
  const base::Timer total;
  base::Timer timer;
  FreeBody body = make_free_body(mesh, place_on_first(mesh, model), options);
  report_other_rows(mesh, *body.imported);
  spent.assembly = timer.seconds();

  timer = base::Timer();
  const ReductionOptions counted = count_modes(body, options);
  spent.counting = timer.seconds();

  ReducedBody reduced;
  explain_failed_factor([&] {
    timer = base::Timer();
    FreeBodySolver solver(body.pencil, options.tolerance);
    spent.factorisation = timer.seconds();
    const Basis basis = compute_basis(body, solver, counted, spent);
    timer = base::Timer();
    const MultiVector X = basis.vectors.topRows(3 * mesh.n_owned);
    reduced = project(body, basis, X, options);
    if (options.check == Check::against_mesh)
      spent.check = check_quality(body, solver, basis, reduced);
    reduced.X = with_ghosts(mesh, X);
  });
  reduced.mesh = std::move(mesh);
  spent.projection = timer.seconds();
  spent.total = total.seconds();
  if (timings) *timings = spent;
  return reduced;
}

}  // namespace solidyn::reduction
