#include "solidyn/simulation/bench.h"

#include <fmt/format.h>
#include <petscksp.h>

#include <algorithm>
#include <cmath>

#include "simulation/bench_mesh.h"
#include "simulation/timing.h"
#include "solidyn/analyses/dynamics.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/base/memory.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc_options.h"
#include "solidyn/bodies/solid_body.h"
#include "solvers/near_null_space.h"

namespace solidyn::simulation {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using mesh::DistributedMesh;
using Nodes = Eigen::Map<Matrix3Xd>;
using ConstNodes = Eigen::Map<const Matrix3Xd>;

double norm(MPI_Comm comm, const Matrix3Xd& field) {
  return std::sqrt(base::sum(comm, field.squaredNorm()));
}

double largest(MPI_Comm comm, const Matrix3Xd& field) {
  return base::max(comm, field.size() ? field.cwiseAbs().maxCoeff() : 0.0);
}

class ReadView {
 public:
  explicit ReadView(::Vec x) : x_(x) {
    SOLIDYN_PETSC(VecGetArrayRead(x, &data_));
    SOLIDYN_PETSC(VecGetLocalSize(x, &n_));
  }
  ReadView(const ReadView&) = delete;
  ReadView& operator=(const ReadView&) = delete;
  ~ReadView() { VecRestoreArrayRead(x_, &data_); }
  ConstNodes nodes() const { return {data_, 3, n_ / 3}; }

 private:
  ::Vec x_;
  const double* data_ = nullptr;
  PetscInt n_ = 0;
};

void set_nodes(::Vec x, const Matrix3Xd& values) {
  double* data = nullptr;
  SOLIDYN_PETSC(VecGetArray(x, &data));
  Nodes(data, 3, values.cols()) = values;
  SOLIDYN_PETSC(VecRestoreArray(x, &data));
}

class Bench {
 public:
  Bench(MPI_Comm comm, const BenchOptions& options) : comm_(comm), options_(options) {
    if (options.repeat < 1 || !(options.step > 0.0))
      throw base::InputError("the benchmark needs at least one repetition and a positive step",
                             "give --repeat 1 or more and --step in s");
    out_.formulation = name_of(options.formulation);
    out_.solver = options.solver == BenchSolver::direct ? "direct" : "iterative";
    out_.ranks = base::size(comm);
    out_.repeat = options.repeat;
    out_.step = options.step;
  }

  BenchResult run() {
    out_.seconds.mesh = timed(comm_, [&] { mesh_ = make_bench_mesh(comm_, options_); });
    describe_mesh();
    bench_operator();
    if (options_.with_steps) bench_steps();
    out_.peak_rss_mb = base::peak_rss_mb_of_ranks(comm_);
    check_answers();
    return out_;
  }

 private:
  void describe_mesh() {
    out_.mesh = mesh_name(options_);
    out_.element = element_names(mesh_);
    out_.n_nodes = mesh_.n_global_nodes;
    out_.n_elements = mesh_.n_global_elements;
    out_.n_dofs = 3 * mesh_.n_global_nodes;
    out_.imbalance = imbalance_of(mesh_);
    const std::int64_t n_ghosts = mesh_.n_local() - mesh_.n_owned;
    out_.ghost_fraction =
        static_cast<double>(base::sum(comm_, n_ghosts)) / static_cast<double>(out_.n_nodes);
    base::log_info("{} {} elements, {} unknowns on {} ranks, {:.3g} s", out_.n_elements,
                   out_.element, out_.n_dofs, out_.ranks, out_.seconds.mesh);
  }

  void bench_operator() {
    fem::ElasticBody body;
    std::unique_ptr<fem::SolidOperator> forces;
    out_.seconds.pattern = timed(comm_, [&] {
      body = fem::assemble(mesh_, options_.material);
      body.stiffness = {};
      fem::SolidOptions solid;
      solid.formulation = options_.formulation;
      solid.material = options_.material;
      forces = std::make_unique<fem::SolidOperator>(mesh_, body, solid);
    });
    const Extent extent(mesh_);
    const Matrix3Xd x = strained_positions(mesh_, extent);
    bench_forces(*forces, x);
    // generalized-alpha's matrix with rho = 0.8 has about this weight of the mass
    fem::TangentCoefficients c;
    c.mass = 4.0 / (options_.step * options_.step);
    base::Mat A = forces->make_matrix(options_.solver == BenchSolver::direct ? MATSBAIJ : MATAIJ);
    out_.seconds.first_assembly = timed(comm_, [&] { forces->assemble_tangent(x, c, A); });
    out_.seconds.assembly =
        median_time(comm_, options_.repeat, [&] { forces->assemble_tangent(x, c, A); });
    const Matrix3Xd v = test_field(mesh_, extent);
    bench_product(*forces, body, x, v, c, A);
    // Strains that no force balances may leave slender bodies an indefinite tangent.
    forces->assemble_tangent(turned_positions(mesh_), c, A);
    bench_solve(A, v);
  }

  void bench_forces(const fem::SolidOperator& forces, const Matrix3Xd& x) {
    Matrix3Xd f(3, mesh_.n_owned);
    forces.compute_force(turned_positions(mesh_), f);
    const double rigid = largest(comm_, f);
    out_.seconds.force = median_time(comm_, options_.repeat, [&] { forces.compute_force(x, f); });
    out_.check.rigid_force = rigid / largest(comm_, f);
    out_.check.energy = forces.compute_energy(x);
  }

  void bench_product(const fem::SolidOperator& forces, const fem::ElasticBody& body,
                     const Matrix3Xd& x, const Matrix3Xd& v, const fem::TangentCoefficients& c,
                     Mat A) {
    base::Vec from, to;
    SOLIDYN_PETSC(MatCreateVecs(A, from.out(), to.out()));
    set_nodes(from, v.leftCols(mesh_.n_owned));
    out_.seconds.product =
        median_time(comm_, options_.repeat, [&] { SOLIDYN_PETSC(MatMult(A, from, to)); });
    Matrix3Xd Kv(3, mesh_.n_owned);
    forces.apply_tangent(x, c, v, Kv);
    const Matrix3Xd Mv = c.mass * (v.leftCols(mesh_.n_owned) * body.lumped_mass.asDiagonal());
    const Matrix3Xd Av = ReadView(to).nodes();
    out_.check.tangent = norm(comm_, Av - Mv - Kv) / norm(comm_, Kv);
  }

  base::Ksp make_solver() const {
    base::Ksp ksp;
    SOLIDYN_PETSC(KSPCreate(comm_, ksp.out()));
    SOLIDYN_PETSC(KSPSetOptionsPrefix(ksp, "bench_"));
    PC pc = nullptr;
    SOLIDYN_PETSC(KSPGetPC(ksp, &pc));
    if (options_.solver == BenchSolver::direct) {
      SOLIDYN_PETSC(KSPSetType(ksp, KSPPREONLY));
      SOLIDYN_PETSC(PCSetType(pc, PCCHOLESKY));
      SOLIDYN_PETSC(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
    } else {
      SOLIDYN_PETSC(KSPSetType(ksp, KSPCG));
      SOLIDYN_PETSC(KSPSetTolerances(ksp, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, 1000));
      SOLIDYN_PETSC(PCSetType(pc, PCGAMG));
    }
    base::obey_options({"the bench", "bench_", comm_, "doc/scaling.md has an example"},
                       [&] { return KSPSetFromOptions(ksp); });
    return ksp;
  }

  void bench_solve(Mat A, const Matrix3Xd& v) {
    base::Vec exact, b, x;
    SOLIDYN_PETSC(MatCreateVecs(A, exact.out(), b.out()));
    SOLIDYN_PETSC(VecDuplicate(exact, x.out()));
    set_nodes(exact, v.leftCols(mesh_.n_owned));
    SOLIDYN_PETSC(MatMult(A, exact, b));
    if (options_.solver == BenchSolver::iterative)
      solvers::attach_rigid_motions(A, turned_positions(mesh_).leftCols(mesh_.n_owned));
    std::vector<double> factor, solve;
    for (int i = 0; i < options_.repeat; ++i) {
      const base::Ksp ksp = make_solver();
      factor.push_back(timed(comm_, [&] {
        SOLIDYN_PETSC(KSPSetOperators(ksp, A, A));
        SOLIDYN_PETSC(KSPSetUp(ksp));
      }));
      solve.push_back(timed(comm_, [&] { SOLIDYN_PETSC(KSPSolve(ksp, b, x)); }));
      PetscInt n = 0;
      SOLIDYN_PETSC(KSPGetIterationNumber(ksp, &n));
      out_.ksp_iterations = n;
    }
    out_.seconds.factor = median(factor);
    out_.seconds.solve = median(solve);
    const Matrix3Xd found = ReadView(x).nodes();
    out_.check.solution =
        norm(comm_, found - v.leftCols(mesh_.n_owned)) / norm(comm_, v.leftCols(mesh_.n_owned));
  }

  /// A body that flies and tumbles. Takes the mesh.
  void bench_steps() {
    const Extent extent(mesh_);
    bodies::SolidBodyOptions solid;
    solid.formulation = options_.formulation;
    solid.points = {{"corner", extent.low}};
    system::System system;
    system::InitialMotion motion;
    motion.v_WB = {1.0, 0.0, 0.0};
    motion.w_WB_B = {2.0, -1.0, 10.0};
    system.add_body(bodies::SolidBody::make("bench", std::move(mesh_), options_.material, solid),
                    motion);
    system.finalize();
    analyses::DynamicsOptions dynamics_options;
    dynamics_options.step = options_.step;
    dynamics_options.duration = (options_.repeat + 1) * options_.step;
    dynamics_options.tolerance = 1e-8;
    analyses::Dynamics dynamics(system, dynamics_options);
    dynamics.start();
    system.update(dynamics.state());
    const bodies::Momentum before = system.momentum(dynamics.state());
    out_.seconds.first_step = timed(comm_, [&] { dynamics.advance(); });
    const std::int64_t n_before = dynamics.stepper().statistics().newton_iterations;
    out_.seconds.time_step = median_time(comm_, options_.repeat, [&] { dynamics.advance(); });
    const std::int64_t n_newton = dynamics.stepper().statistics().newton_iterations - n_before;
    out_.newton_per_step = static_cast<double>(n_newton) / options_.repeat;
    system.update(dynamics.state());
    const bodies::Momentum after = system.momentum(dynamics.state());
    out_.check.linear_momentum = (after.linear - before.linear).norm() / before.linear.norm();
    out_.check.angular_momentum = (after.angular - before.angular).norm() / before.angular.norm();
  }

  void check_answers() const {
    const auto& c = out_.check;
    const auto require = [](const char* what, double value, double limit) {
      if (value <= limit) return;
      throw base::ComputationError(fmt::format(
          "a benchmark check failed, so that its timings are invalid: {} {:.3g}, limit {:.0e}",
          what, value, limit));
    };
    require("force due to rigid-body motion relative to that due to strain", c.rigid_force, 1e-8);
    require("assembled matrix against the matrix-free product", c.tangent, 1e-10);
    require("error against the known solution", c.solution, 1e-5);
    require("change of the linear momentum", c.linear_momentum, 1e-8);
    require("change of the angular momentum", c.angular_momentum, 1e-3);
  }

  const MPI_Comm comm_;
  const BenchOptions& options_;
  DistributedMesh mesh_;
  BenchResult out_;
};

}  // namespace

BenchResult run_bench(MPI_Comm comm, const BenchOptions& options) {
  return Bench(comm, options).run();
}

}  // namespace solidyn::simulation
