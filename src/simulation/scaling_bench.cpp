#include "solidyn/simulation/scaling_bench.h"

#include <fmt/format.h>
#include <petsc.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "fem/assembly/ghost_exchange.h"
#include "simulation/bench_mesh.h"
#include "simulation/machine_speed.h"
#include "simulation/timing.h"
#include "simulation/traffic.h"
#include "solidyn/analyses/dynamics.h"
#include "solidyn/base/error.h"
#include "solidyn/base/memory.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"
#include "solidyn/base/petsc_options.h"
#include "solidyn/bodies/solid_body.h"
#include "solidyn/mesh/large_box.h"

namespace solidyn::simulation {
namespace {

using Eigen::Matrix3Xd;

constexpr const char* kCycles = "MG Apply";  // PETSc's name of the stage

double norm_on_ranks(MPI_Comm comm, const Matrix3Xd& field) {
  return std::sqrt(base::sum(comm, field.squaredNorm()));
}

std::optional<std::string> body_option(const std::string& option) {
  return base::option_word("body_bench_", "-" + option);
}

void set_unless_given(const std::string& option, const char* word) {
  if (!body_option(option))
    SOLIDYN_PETSC(PetscOptionsSetValue(nullptr, ("-body_bench_" + option).c_str(), word));
}

bool is_quadratic(const mesh::DistributedMesh& mesh) {
  std::int64_t n = 0;
  for (const mesh::ElementBlock& block : mesh.solids)
    if (elements::n_nodes(block.type) > elements::n_corners(block.type)) n += block.size();
  return base::sum(mesh.comm, n) > 0;
}

// What large bodies take, whatever the size of this one.
void choose_solver(bool has_middle_nodes) {
  const bool is_free = !body_option("pc_type");
  set_unless_given("ksp_type", "cg");
  set_unless_given("pc_mg_log", "true");  // a stage of cycles, with events of each level
  if (!is_free) return;
  set_unless_given("pc_type", has_middle_nodes ? "mg" : "gamg");
  if (has_middle_nodes) set_unless_given("mg_coarse_pc_type", "gamg");
}

/// All below the mesh in a solution: the coarse solution of a cycle of two levels, or all levels of
/// GAMG but its first.
LogReading read_coarse() {
  const auto type = body_option("pc_type");
  constexpr int kMostLevels = 20;
  if (type == "mg") return read_event(kCycles, "MGSmooth Level 0", Registered::longest);
  LogReading sum;
  if (type != "gamg") return sum;
  for (int level = 0; level < kMostLevels; ++level) {
    // The finest has the events, and none of that name above.
    const auto name = [&](const char* what, int l) {
      return fmt::format("MG{} Level {}", what, l);
    };
    if (read_event(kCycles, name("Smooth", level + 1).c_str(), Registered::all).seconds == 0.0)
      break;
    for (const char* what : {"Smooth", "Resid", "Interp"})
      sum += read_event(kCycles, name(what, level).c_str(), Registered::all);
  }
  return sum;
}

/// The parts of all steps so far, on this rank.
std::array<LogReading, kPhases> read_phases() {
  std::array<LogReading, kPhases> phases;
  const LogReading coarse = read_coarse();
  phases[static_cast<int>(Phase::residual)] = read_stage("Residual");
  phases[static_cast<int>(Phase::tangent)] = read_stage("Tangent");
  phases[static_cast<int>(Phase::set_up)] = read_stage("Factor");
  LogReading solve = read_stage("Solve");
  solve += read_stage(kCycles);
  phases[static_cast<int>(Phase::fine)] = solve - coarse;
  phases[static_cast<int>(Phase::coarse)] = coarse;
  LogReading named;
  for (const LogReading& phase : phases) named += phase;
  phases[static_cast<int>(Phase::other)] = LogReading{0.0, read_traffic()} - named;
  return phases;
}

Traffic largest(MPI_Comm comm, const Traffic& mine, double per) {
  return {base::max(comm, mine.messages) / per, base::max(comm, mine.bytes) / per,
          base::max(comm, mine.reductions) / per};
}

class ScalingBench {
 public:
  ScalingBench(MPI_Comm comm, const BenchOptions& options) : comm_(comm), options_(options) {
    if (options.repeat < 1 || !(options.step > 0.0))
      throw base::InputError("the benchmark needs at least one repetition and a positive step",
                             "give --repeat 1 or more and --step in s");
    out_.formulation = name_of(options.formulation);
    out_.ranks = base::size(comm);
    out_.repeat = options.repeat;
    out_.step = options.step;
  }

  ScalingResult run() {
    start_log();
    mesh_ = make_bench_mesh(comm_, options_);
    describe();
    const MachineSpeed speed = measure_machine(comm_);
    out_.machine = {speed.triad, speed.latency, speed.bandwidth, speed.reduction};
    time_products();
    time_steps();
    const std::vector<double> memory = base::peak_rss_mb_of_ranks(comm_);
    out_.megabytes = *std::max_element(memory.begin(), memory.end());
    check_answers();
    return out_;
  }

 private:
  void describe() {
    out_.mesh = mesh_name(options_);
    out_.element = element_names(mesh_);
    out_.n_nodes = mesh_.n_global_nodes;
    out_.n_elements = mesh_.n_global_elements;
    out_.n_dofs = 3 * mesh_.n_global_nodes;
    out_.imbalance = imbalance_of(mesh_);
    const std::int64_t n_ghosts = mesh_.n_local() - mesh_.n_owned;
    out_.ghosts = static_cast<double>(base::sum(comm_, n_ghosts));
    out_.most_ghosts = base::max(comm_, static_cast<double>(n_ghosts));
    out_.most_neighbours = base::max(comm_, fem::GhostExchange(mesh_).n_neighbours());
    find_cells();
  }

  void find_cells() {
    if (options_.mesh_file.empty()) {
      const mesh::LargeBox box =
          mesh::make_large_box(options_.element, options_.box_size, options_.n_dofs);
      out_.cells = {static_cast<double>(box.nx), static_cast<double>(box.ny),
                    static_cast<double>(box.nz)};
      return;
    }
    // Cubes in the bounding box whose corners, and middles of edges, are as many as the nodes.
    const Eigen::Vector3d size = Extent(mesh_).size;
    const double order = is_quadratic(mesh_) ? 2.0 : 1.0;
    const double edge = order * std::cbrt(size.prod() / static_cast<double>(out_.n_nodes));
    for (int i = 0; i < 3; ++i) out_.cells[i] = std::max(1.0, size[i] / edge);
  }

  void time_products() {
    fem::ElasticBody body = fem::assemble_masses(mesh_, options_.material);
    fem::SolidOptions solid;
    solid.formulation = options_.formulation;
    solid.material = options_.material;
    const fem::SolidOperator forces(mesh_, body, solid);
    const Extent extent(mesh_);
    const Matrix3Xd x = strained_positions(mesh_, extent);
    Matrix3Xd v = test_field(mesh_, extent), exact(3, mesh_.n_owned), y(3, mesh_.n_owned);
    const fem::TangentCoefficients c;
    forces.apply_tangent(x, c, v, exact);
    out_.check.energy = forces.compute_energy(x);
    const auto time = [&](fem::ProductPrecision precision, double& seconds, double& bytes,
                          double& error) {
      const auto product = forces.keep_tangent(x, c, precision);
      const auto multiply = [&] {
        forces.update_ghosts(v);
        product->multiply(v, y);
      };
      const Traffic before = read_traffic();
      multiply();
      const Traffic now = read_traffic();
      out_.product.traffic = largest(comm_,
                                     {now.messages - before.messages, now.bytes - before.bytes,
                                      now.reductions - before.reductions},
                                     1.0);
      seconds = median_time(comm_, 5 * options_.repeat, multiply);
      bytes = base::max(comm_, static_cast<double>(product->bytes()));
      error = norm_on_ranks(comm_, y - exact) / norm_on_ranks(comm_, exact);
    };
    auto& product = out_.product;
    time(fem::ProductPrecision::double_, product.in_double, product.bytes_double,
         out_.check.product);
    time(fem::ProductPrecision::single_, product.in_single, product.bytes_single,
         out_.check.product_single);
  }

  /// A body that flies and tumbles. Takes the mesh.
  void time_steps() {
    choose_solver(is_quadratic(mesh_));
    const Extent extent(mesh_);
    bodies::SolidBodyOptions solid;
    solid.formulation = options_.formulation;
    solid.points = {{"corner", extent.low}};
    auto body = bodies::SolidBody::make("bench", std::move(mesh_), options_.material, solid);
    const bodies::SolidBody& bench_body = *body;
    system::System system;
    system::InitialMotion motion;
    motion.v_WB = {1.0, 0.0, 0.0};
    motion.w_WB_B = {2.0, -1.0, 10.0};
    system.add_body(std::move(body), motion);
    system.finalize();
    analyses::DynamicsOptions dynamics_options;
    dynamics_options.step = options_.step;
    dynamics_options.duration = (options_.repeat + 2) * options_.step;
    dynamics_options.tolerance = 1e-8;
    analyses::Dynamics dynamics(system, dynamics_options);
    dynamics.start();
    system.update(dynamics.state());
    const bodies::Momentum before = system.momentum(dynamics.state());
    out_.first_step = timed(comm_, [&] { dynamics.advance(); });
    dynamics.advance();  // whose tangent may be another
    const auto phases = read_phases();
    const std::int64_t n_newton = dynamics.stepper().statistics().newton_iterations;
    const int n_linear = bench_body.linear_iterations();
    std::array<LogReading, kPhases> phases_now;
    out_.time_step = timed(comm_,
                           [&] {
                             for (int i = 0; i < options_.repeat; ++i) dynamics.advance();
                             phases_now = read_phases();
                           }) /
                     options_.repeat;
    take_phases(phases, phases_now);
    const double repeat = options_.repeat;
    out_.corrections_per_step =
        static_cast<double>(dynamics.stepper().statistics().newton_iterations - n_newton) / repeat;
    out_.iterations_per_step = (bench_body.linear_iterations() - n_linear) / repeat;
    system.update(dynamics.state());
    const bodies::Momentum after = system.momentum(dynamics.state());
    out_.check.linear_momentum = (after.linear - before.linear).norm() / before.linear.norm();
    out_.check.angular_momentum = (after.angular - before.angular).norm() / before.angular.norm();
  }

  void take_phases(const std::array<LogReading, kPhases>& before,
                   const std::array<LogReading, kPhases>& now) {
    double sum = 0.0;
    for (int p = 0; p < kPhases; ++p) {
      const LogReading spent = now[p] - before[p];
      PhaseWork& phase = out_.phases[p];
      phase.traffic = largest(comm_, spent.traffic, options_.repeat);
      if (p == static_cast<int>(Phase::other)) continue;
      phase.seconds = base::max(comm_, spent.seconds) / options_.repeat;
      sum += phase.seconds;
    }
    out_.phases[static_cast<int>(Phase::other)].seconds = std::max(0.0, out_.time_step - sum);
  }

  void check_answers() const {
    const auto require = [](const char* what, double value, double limit) {
      if (value <= limit) return;
      throw base::ComputationError(fmt::format(
          "a benchmark check failed, so that its timings are invalid: {} {:.3g}, limit {:.0e}",
          what, value, limit));
    };
    require("product that is kept against that from scratch", out_.check.product, 1e-10);
    require("product in single precision, likewise,", out_.check.product_single, 1e-4);
    require("change of the linear momentum", out_.check.linear_momentum, 1e-8);
    require("change of the angular momentum", out_.check.angular_momentum, 1e-3);
  }

  const MPI_Comm comm_;
  const BenchOptions& options_;
  mesh::DistributedMesh mesh_;
  ScalingResult out_;
};

}  // namespace

const char* name(Phase phase) {
  constexpr const char* kNames[kPhases] = {"residual", "tangent", "set_up",
                                           "fine",     "coarse",  "other"};
  return kNames[static_cast<int>(phase)];
}

ScalingResult run_scaling_bench(MPI_Comm comm, const BenchOptions& options) {
  return ScalingBench(comm, options).run();
}

}  // namespace solidyn::simulation
