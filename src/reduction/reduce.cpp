#include "solidyn/reduction/reduce.h"

#include "reduction/basis/basis.h"
#include "reduction/basis/geometric_stiffness.h"
#include "reduction/basis/projection.h"
#include "reduction/basis/quality_check.h"
#include "reduction/eigen/ghosts.h"
#include "solidyn/base/log_stage.h"
#include "solidyn/base/timer.h"
#include "solidyn/math/constants.h"

namespace solidyn::reduction {

// The steps of a reduction. Each reads what the earlier ones made; whatever needs static correction
// modes or the full matrices comes before the factor and the pencil go.
ReducedBody reduce(mesh::DistributedMesh mesh, const fem::Sections& sections,
                   const ReductionOptions& options, ReductionTimings* timings) {
  const base::LogStage stage(base::Stage::reduction);
  const bool has_second_order = options.geometric_stiffening == GeometricStiffening::second_order;
  if (has_second_order) check_second_order(options);
  ReductionTimings spent;
  const base::Timer total;
  base::Timer timer;
  FreeBody body = make_free_body(mesh, sections, options);
  spent.assembly = timer.seconds();

  timer = base::Timer();
  const ReductionOptions counted = count_modes(body, options);
  if (!has_second_order || !has_rigid_regions(body)) body.release_rows();
  spent.counting = timer.seconds();

  timer = base::Timer();
  FreeBodySolver solver(body.pencil, options.tolerance);
  spent.factorisation = timer.seconds();

  const Basis basis = compute_basis(body, solver, counted, spent);

  timer = base::Timer();
  const MultiVector X = body.pencil.expand(basis.vectors);
  ReducedBody reduced = project(body, basis, X, options);
  if (options.check == Check::against_mesh)
    spent.check = check_quality(body, solver, basis, reduced);
  reduced.X = with_ghosts(mesh, X);
  if (has_second_order) add_second_order(body, solver, basis, options.loads, reduced);
  reduced.stress = compute_stress_modes(mesh, sections, reduced.X, options.stress);
  reduced.mesh = std::move(mesh);
  spent.projection = timer.seconds();
  spent.total = total.seconds();
  if (timings) *timings = spent;
  return reduced;
}

MeshModes compute_mesh_modes(const mesh::DistributedMesh& mesh, const fem::Sections& sections,
                             const ReductionOptions& options, int count) {
  FreeBody body = make_free_body(mesh, sections, options);
  body.release_rows();
  FreeBodySolver solver(body.pencil, options.tolerance);
  MeshModes modes;
  Eigen::VectorXd eigenvalues;
  if (body.supports.empty()) {
    modes.n_rigid = 6;
    eigenvalues = solver.compute_modes(count).eigenvalues;
  } else {
    const SupportedModes supported =
        compute_supported_modes(body, solver, make_unit_loads(body), count);
    modes.n_rigid = supported.n_rigid;
    eigenvalues = supported.elastic.eigenvalues;
  }
  modes.frequencies = eigenvalues.cwiseMax(0.0).cwiseSqrt() / math::kTwoPi;
  return modes;
}

}  // namespace solidyn::reduction
