// Seconds per implicit step of unreduced solid bodies, by phase, with the answer checked:
//   OPENBLAS_NUM_THREADS=1 build/benchmarks/benchmark_solid_steps
//   OPENBLAS_NUM_THREADS=1 mpirun -n 2 build/benchmarks/benchmark_solid_steps --case bar_50k
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cmath>
#include <sstream>

#include "solidyn/analyses/dynamics.h"
#include "solidyn/base/blas_kernels.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"
#include "solidyn/base/program.h"
#include "solidyn/base/timer.h"
#include "solidyn/bodies/solid_body.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/model/build.h"
#include "solidyn/model/load.h"
#include "timing.h"

using namespace solidyn;
using benchmarks::cpu_seconds;

namespace {

struct Options {
  integrators::NewtonTangent tangent = integrators::NewtonTangent::kept;
  fem::SolidFormulation formulation = fem::SolidFormulation::corotational;
  double tolerance = 1e-8;
  int steps = 0;      // 0: the case's own
  double step = 0.0;  // s; 0: the case's own
  std::string model_file;
  int cells = 39;  // of the block, along each edge
  std::string element = "tet10";
  double nu = 0.3;
  double aspect = 1.0;    // of its elements: cells are so many times as long along x as across
  double slender = 1.0;   // so many times as many cells along x
  double jump = 1.0;      // by which the material is softer where x + y + z is above the middle
  bool has_point = true;  // a tracked point, which makes three ports
};

// A built case, and what one looks at in it.
struct Problem {
  std::unique_ptr<model::BuiltModel> model;
  std::unique_ptr<system::System> own_system;
  system::System* system = nullptr;
  const bodies::SolidBody* body = nullptr;
  analyses::DynamicsOptions dynamics;
};

analyses::DynamicsOptions dynamics_options(const Options& o, double step, int steps) {
  analyses::DynamicsOptions d;
  d.step = o.step > 0.0 ? o.step : step;
  d.duration = d.step * (o.steps > 0 ? o.steps : steps);
  d.tolerance = o.tolerance;
  d.tangent = o.tangent;
  return d;
}

// Region 1 is that beyond the plane through the middle of the box, normal to its diagonal.
void set_regions(const Eigen::Vector3d& size, mesh::Mesh& mesh) {
  for (mesh::ElementBlock& block : mesh.blocks) {
    if (elements::dimension(block.type) < 3) continue;
    const int n = elements::n_nodes(block.type);
    for (std::int64_t e = 0; e < block.size(); ++e) {
      Eigen::Vector3d centre = Eigen::Vector3d::Zero();
      for (int a = 0; a < n; ++a) centre += mesh.x.col(block.connectivity[e * n + a]) / n;
      block.regions.push_back(centre.cwiseQuotient(size).sum() > 1.5 ? 1 : 0);
    }
  }
}

// A box that flies, turning about an axis through its mass centre.
Problem make_free_box(MPI_Comm comm, const mesh::BoxOptions& box,
                      const fem::IsotropicElastic& material, const Eigen::Vector3d& spin,
                      const Options& o, double jump = 1.0) {
  bodies::SolidBodyOptions body_options;
  mesh::Mesh mesh = base::rank(comm) == 0 ? mesh::make_box(box) : mesh::Mesh{};
  fem::IsotropicElastic soft = material;
  soft.youngs_modulus /= jump;
  if (jump != 1.0) {
    set_regions(box.size, mesh);
    for (const auto& one : {material, soft}) body_options.regions.emplace_back().material = one;
  }
  const fem::Sections sections = jump == 1.0
                                     ? fem::Sections(material)
                                     : fem::Sections(std::vector<fem::Section>{{material}, {soft}});
  body_options.formulation = o.formulation;
  if (o.has_point) body_options.points = {{"corner", box.size}};
  Problem p;
  p.own_system = std::make_unique<system::System>();
  p.system = p.own_system.get();
  auto body = bodies::SolidBody::make("bar", mesh::distribute(comm, std::move(mesh)), sections,
                                      body_options);
  p.body = body.get();
  system::InitialMotion motion;
  motion.w_WB_B = spin;
  motion.v_WB = -motion.w_WB_B.cross(body->mass_properties().center_of_mass);
  p.system->add_body(std::move(body), motion);
  p.system->finalize();
  return p;
}

// 1 x 0.1 x 0.1 m, E = 1e7 Pa, 1000 kg/m^3, spinning at 10 rad/s about z, h = 0.01 s.
Problem make_bar(MPI_Comm comm, int n_x, int n_yz, const Options& o) {
  mesh::BoxOptions box;
  box.nx = n_x;
  box.ny = box.nz = n_yz;
  box.size = {1.0, 0.1, 0.1};
  Problem p = make_free_box(comm, box, {1e7, 0.3, 1000.0}, {0.0, 0.0, 10.0}, o);
  p.dynamics = dynamics_options(o, 0.01, 20);
  return p;
}

// Chunky, and so large that a factor does not fit.
Problem make_block(MPI_Comm comm, const Options& o) {
  mesh::BoxOptions box;
  box.nx = static_cast<int>(std::lround(o.cells * o.slender));
  box.ny = box.nz = o.cells;
  box.size.x() = o.slender * o.aspect;
  for (const elements::ElementTraits& one : elements::kElements)
    if (o.element == one.name) box.type = one.type;
  Problem p = make_free_box(comm, box, {2.1e11, o.nu, 7850.0}, {30.0, -20.0, 50.0}, o, o.jump);
  p.dynamics = dynamics_options(o, 1e-4, 5);
  return p;
}

// The example with all nodes of its rod.
Problem make_slider_crank(MPI_Comm comm, const Options& o) {
  const std::string type =
      o.formulation == fem::SolidFormulation::corotational ? "corotational" : "inertial";
  const model::ModelDescription description =
      model::load_model(comm, o.model_file, {"bodies.rod.type=" + type});
  Problem p;
  p.model = model::build(comm, description, {});
  p.system = &p.model->system;
  for (const model::BuiltBody& body : p.model->bodies)
    if (body.nodal) p.body = static_cast<const bodies::SolidBody*>(body.nodal);
  p.dynamics = dynamics_options(o, 1e-4, 100);
  return p;
}

double peak_rss_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

struct Result {
  double cpu = 0.0, wall = 0.0;
  integrators::IntegratorStatistics statistics;
  bodies::SolidBody::Timings timings;
  std::int64_t n_dofs = 0;
  int linear_iterations = 0;
  double setup = 0.0, first_step = 0.0, peak_rss_mb = 0.0;  // peak: largest of the ranks
  double momentum_change = 0.0, energy_change = 0.0;
};

// Momenta of the free bar and energy are the check: nothing acts on it.
Result run(MPI_Comm comm, const std::string& name, const Options& o) {
  Problem p = name == "slider_crank" ? make_slider_crank(comm, o)
              : name == "block"      ? make_block(comm, o)
              : name == "bar_10k"    ? make_bar(comm, 20, 4, o)
                                     : make_bar(comm, 49, 6, o);
  Result r;
  r.setup = p.body->timings().setup;
  analyses::Dynamics dynamics(*p.system, p.dynamics);
  dynamics.start();
  const base::Timer first_step;
  dynamics.advance();  // factorises
  r.first_step = first_step.seconds();
  const auto observe = [&] {
    p.system->update(dynamics.state());
    return std::make_pair(p.system->momentum(dynamics.state()), p.system->energy(dynamics.state()));
  };
  const auto before = observe();
  const auto statistics = dynamics.stepper().statistics();
  const auto timings = p.body->timings();
  const int linear_iterations = p.body->linear_iterations();
  const base::Timer timer;
  const double cpu = cpu_seconds();
  while (!dynamics.is_done()) dynamics.advance();
  r.wall = timer.seconds();
  r.cpu = cpu_seconds() - cpu;
  r.statistics = dynamics.stepper().statistics();
  r.statistics.steps -= statistics.steps;
  r.statistics.newton_iterations -= statistics.newton_iterations;
  r.timings = p.body->timings();
  r.timings.residual -= timings.residual;
  r.timings.solve -= timings.solve;
  r.timings.assembly -= timings.assembly;
  r.timings.factor -= timings.factor;
  r.timings.condensation -= timings.condensation;
  r.timings.n_factors -= timings.n_factors;
  r.n_dofs = p.body->n_unknowns();
  r.linear_iterations = p.body->linear_iterations() - linear_iterations;
  r.peak_rss_mb = base::max(comm, peak_rss_mb());
  const auto after = observe();
  r.momentum_change = (after.first.angular - before.first.angular).norm() /
                      std::max(1e-300, before.first.angular.norm());
  r.energy_change = std::abs(after.second.kinetic + after.second.strain - before.second.kinetic -
                             before.second.strain) /
                    before.second.kinetic;
  return r;
}

void print(const std::string& name, int ranks, const Options& o, std::vector<Result> results) {
  std::sort(results.begin(), results.end(),
            [](const Result& a, const Result& b) { return a.cpu < b.cpu; });
  const Result& r = results[results.size() / 2];
  const auto steps = static_cast<double>(r.statistics.steps);
  fmt::print(
      "{{\"case\": \"{}\", \"np\": {}, \"tangent\": \"{}\", \"n_dofs\": {}, \"steps\": {}, "
      "\"cpu_seconds_per_step\": {:.4f}, \"seconds_per_step\": {:.4f}, "
      "\"newton_iterations_per_step\": {:.2f}, \"linear_iterations_per_step\": {:.1f}, "
      "\"factors\": {}, \"seconds\": {{\"residual\": "
      "{:.4f}, \"solve\": {:.4f}, \"assembly\": {:.4f}, \"factor\": {:.4f}, \"condensation\": "
      "{:.4f}}}, \"setup\": {:.2f}, "
      "\"first_step\": {:.2f}, \"peak_rss_mb\": {:.0f}, \"check\": "
      "{{\"angular_momentum_change\": {:.1e}, \"energy_change\": {:.1e}}}}}\n",
      name, ranks, o.tangent == integrators::NewtonTangent::kept ? "kept" : "consistent", r.n_dofs,
      r.statistics.steps, r.cpu / steps, r.wall / steps,
      static_cast<double>(r.statistics.newton_iterations) / steps,
      static_cast<double>(r.linear_iterations) / steps, r.timings.n_factors,
      r.timings.residual / steps, r.timings.solve / steps, r.timings.assembly / steps,
      r.timings.factor / steps, r.timings.condensation / steps, r.setup, r.first_step,
      r.peak_rss_mb, r.momentum_change, r.energy_change);
}

}  // namespace

int main(int argc, char** argv) {
  namespace po = boost::program_options;
  std::string name, tangent, petsc;
  Options options;
  int repeat = 5;
  po::options_description description("options");
  description.add_options()("help,h", "show this help")(
      "case", po::value(&name)->default_value("all"),
      "slider_crank, bar_10k, bar_50k, block, or all but the block")(
      "cells", po::value(&options.cells)->default_value(39), "of the block, along each edge")(
      "element", po::value(&options.element)->default_value("tet10"), "of the block")(
      "nu", po::value(&options.nu)->default_value(0.3), "Poisson's ratio of the block")(
      "aspect", po::value(&options.aspect)->default_value(1.0),
      "cells of the block are so many times as long along x as across")(
      "slender", po::value(&options.slender)->default_value(1.0),
      "the block has so many times as many cells along x")(
      "jump", po::value(&options.jump)->default_value(1.0), "by which half of the block is softer")(
      "petsc", po::value(&petsc)->default_value(""), "PETSc options, in quotes")(
      "tangent", po::value(&tangent)->default_value("kept"), "kept or consistent")(
      "model",
      po::value(&options.model_file)->default_value("examples/slider_crank/slider_crank.yaml"),
      "of slider_crank, from here")("tolerance", po::value(&options.tolerance)->default_value(1e-8),
                                    "of Newton, relative")(
      "steps", po::value(&options.steps)->default_value(0), "number of steps; 0: the case's own")(
      "step", po::value(&options.step)->default_value(0.0), "time step, s; 0: the case's own")(
      "repeat", po::value(&repeat)->default_value(5), "runs, of which the median counts");
  po::variables_map arguments;
  const auto read_arguments = [&] {
    try {
      po::store(po::parse_command_line(argc, argv, description), arguments);
      po::notify(arguments);
    } catch (const po::error& e) {
      throw base::InputError(e.what(), "--help has all options");
    }
  };
  return base::run_program({}, [&] {
    read_arguments();
    if (arguments.count("help")) {
      std::ostringstream text;
      text << description;
      base::print_once(text.str());
      return 0;
    }
    if (tangent == "consistent") options.tangent = integrators::NewtonTangent::consistent;
    base::use_blas_kernels_of_this_processor();
    SOLIDYN_PETSC(PetscOptionsInsertString(nullptr, petsc.c_str()));
    base::set_log_level(base::LogLevel::error);
    bool is_right = true, is_known = false;
    for (const std::string one : {"slider_crank", "bar_10k", "bar_50k", "block"}) {
      if (name != one && (name != "all" || one == "block")) continue;
      is_known = true;
      std::vector<Result> results;
      results.reserve(static_cast<std::size_t>(repeat));
      for (int k = 0; k < repeat; ++k) results.push_back(run(PETSC_COMM_WORLD, one, options));
      if (base::rank(PETSC_COMM_WORLD) == 0)
        print(one, base::size(PETSC_COMM_WORLD), options, results);
      is_right &= one == "slider_crank" ||
                  (results[0].momentum_change < 1e-3 && results[0].energy_change < 1e-2);
    }
    if (!is_known)
      throw base::InputError(fmt::format("--case is `{}`", name), "--help has the cases");
    return is_right ? 0 : base::kExitFailed;
  });
}
