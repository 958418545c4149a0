// Times the reduction of a mesh or of a block (--box cells per side), and the bare SLEPc run on the
// same matrices:
//   build/benchmarks/benchmark_reduction meshes/rod_circular.msh
//   build/benchmarks/benchmark_reduction meshes/rod_circular.msh --static big_end_face
//   small_end_face
#include <fmt/ranges.h>
#include <slepceps.h>

#include <boost/program_options.hpp>
#include <cmath>
#include <iostream>

#include "solidyn/base/blas_kernels.h"
#include "solidyn/base/memory.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/timer.h"
#include "solidyn/formats/gmsh/gmsh.h"
#include "solidyn/mesh/large_box.h"
#include "solidyn/reduction/reduce.h"
#include "timing.h"

using namespace solidyn;
using benchmarks::median;

namespace {

const fem::IsotropicElastic kSteel{2.0e11, 0.3, 7870.0};

mesh::DistributedMesh read(const std::string& file, int n_cells) {
  if (n_cells > 0) {
    mesh::LargeBox box;
    box.nx = box.ny = box.nz = n_cells;
    return mesh::make_distributed_box(PETSC_COMM_WORLD, box);
  }
  return mesh::distribute(PETSC_COMM_WORLD, base::rank(PETSC_COMM_WORLD) == 0
                                                ? formats::read_gmsh(file)
                                                : mesh::Mesh{});
}

// What a user of SLEPc would write: shift-invert with a small negative shift, n + 6 modes, defaults
// elsewhere.
double run_bare_slepc(const mesh::DistributedMesh& mesh, int n_modes, double shift) {
  const fem::ElasticBody body = fem::assemble(mesh, kSteel);
  const base::Mat K = fem::make_stiffness(body, MATAIJ);
  const base::Mat M = fem::make_mass(body, fem::MassKind::consistent, MATAIJ);
  const base::Timer timer;
  base::Handle<EPS, EPSDestroy> eps;
  ST st;
  KSP ksp;
  PC pc;
  SOLIDYN_PETSC(EPSCreate(PETSC_COMM_WORLD, eps.out()));
  SOLIDYN_PETSC(EPSSetOptionsPrefix(eps, "bare_"));
  SOLIDYN_PETSC(EPSSetOperators(eps, K, M));
  SOLIDYN_PETSC(EPSSetProblemType(eps, EPS_GHEP));
  SOLIDYN_PETSC(EPSSetDimensions(eps, n_modes + 6, PETSC_DEFAULT, PETSC_DEFAULT));
  SOLIDYN_PETSC(EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE));
  SOLIDYN_PETSC(EPSSetTarget(eps, -shift));
  SOLIDYN_PETSC(EPSSetTolerances(eps, 1e-9, PETSC_DEFAULT));
  SOLIDYN_PETSC(EPSGetST(eps, &st));
  SOLIDYN_PETSC(STSetType(st, STSINVERT));
  SOLIDYN_PETSC(STGetKSP(st, &ksp));
  SOLIDYN_PETSC(KSPSetType(ksp, KSPPREONLY));
  SOLIDYN_PETSC(KSPGetPC(ksp, &pc));
  SOLIDYN_PETSC(PCSetType(pc, PCCHOLESKY));
  SOLIDYN_PETSC(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
  SOLIDYN_PETSC(EPSSetFromOptions(eps));
  SOLIDYN_PETSC(EPSSolve(eps));
  PetscInt n = 0;
  SOLIDYN_PETSC(EPSGetConverged(eps, &n));
  if (n < n_modes + 6) throw base::ComputationError("the bare SLEPc run did not converge");
  return timer.seconds();
}

}  // namespace

int main(int argc, char** argv) {
  namespace po = boost::program_options;
  po::options_description options("options");
  std::string file;
  std::vector<std::string> sets;
  reduction::ReductionOptions wanted;
  int n_repeats = 5, n_cells = 0;
  options.add_options()("mesh", po::value(&file)->default_value("box"), "Gmsh file")(
      "modes", po::value(&wanted.free_free)->default_value(8), "elastic free-free modes")(
      "static", po::value(&sets)->multitoken(), "sets of nodes that get static correction")(
      "repeat", po::value(&n_repeats)->default_value(5), "runs; medians are printed")(
      "box", po::value(&n_cells)->default_value(0), "a block of so many cells per side")(
      "no-bare", "without the bare SLEPc run");
  po::positional_options_description positional;
  positional.add("mesh", 1);
  const auto parsed = po::command_line_parser(argc, argv)
                          .options(options)
                          .positional(positional)
                          .allow_unregistered()
                          .run();
  po::variables_map map;
  po::store(parsed, map);
  po::notify(map);
  for (const std::string& set : sets) {
    mesh::InterfaceDefinition interface;
    interface.name = set;
    interface.nodes = mesh::NodesInSet{set};
    wanted.interfaces.push_back(interface);
    wanted.static_correction = reduction::StaticCorrection::at_interfaces;
  }

  base::use_blas_kernels_of_this_processor();
  if (SlepcInitialize(&argc, &argv, nullptr, nullptr)) return 1;
  {
    std::vector<double> reading, assembly, factorisation, eigensolve, correction, projection, total,
        bare;
    double frequency = 0.0, residual = 0.0;
    std::vector<double> frequencies;
    std::int64_t n_nodes = 0;
    int n_modes = 0;
    for (int i = 0; i < n_repeats; ++i) {
      const base::Timer whole;
      mesh::DistributedMesh mesh = read(file, n_cells);
      reading.push_back(whole.seconds());
      reduction::ReductionTimings t;
      const reduction::ReducedBody body = reduction::reduce(std::move(mesh), kSteel, wanted, &t);
      total.push_back(whole.seconds());
      assembly.push_back(t.assembly);
      factorisation.push_back(t.factorisation);
      eigensolve.push_back(t.eigensolve);
      correction.push_back(t.static_correction);
      projection.push_back(t.projection);
      frequency = body.modes[0].frequency;
      frequencies.clear();
      for (const reduction::Mode& mode : body.modes) frequencies.push_back(mode.frequency);
      residual = t.largest_residual;
      n_nodes = body.mesh.n_global_nodes;
      n_modes = body.n_modes();
      const double omega = 2.0 * M_PI * frequency;
      if (map.count("no-bare"))
        bare.push_back(0.0);
      else
        bare.push_back(run_bare_slepc(body.mesh, wanted.free_free, 0.05 * omega * omega));
    }
    double memory = 0.0;
    for (const double mb : base::peak_rss_mb_of_ranks(PETSC_COMM_WORLD)) memory += mb;
    if (base::rank(PETSC_COMM_WORLD) == 0)
      fmt::print(
          "{{\"case\": \"{}\", \"np\": {}, \"n_dofs\": {}, \"modes\": {}, \"seconds\": "
          "{{\"reading\": {:.4f}, "
          "\"assembly\": {:.4f}, \"factorisation\": {:.4f}, \"eigensolve\": {:.4f}, "
          "\"static_correction\": {:.4f}, "
          "\"projection\": {:.4f}, \"total\": {:.4f}, \"bare_slepc\": {:.4f}}}, \"check\": "
          "{{\"first_frequency_hz\": "
          "{:.4f}, \"frequencies_hz\": [{:.8g}], \"largest_residual\": {:.1e}}}, \"peak_rss_mb\": "
          "{:.0f}}}\n",
          file, base::size(PETSC_COMM_WORLD), 3 * n_nodes, n_modes, median(reading),
          median(assembly), median(factorisation), median(eigensolve), median(correction),
          median(projection), median(total), median(bare), frequency, fmt::join(frequencies, ", "),
          residual, memory);
  }
  return SlepcFinalize();
}
