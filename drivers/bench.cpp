// solidyn bench: times assembly, solution and whole implicit steps on the ranks it is started on.
//
//   mpirun -n 2 solidyn bench --dofs 100000 -o scaling.jsonl
#include "solidyn/simulation/bench.h"

#include <fmt/format.h>
#include <petsc.h>

#include <fstream>
#include <iostream>
#include <map>

#include "bench_friction.h"
#include "bench_railway.h"
#include "command.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"
#include "solidyn/formats/read_mesh.h"

namespace solidyn::drivers {
namespace {

namespace po = boost::program_options;
using base::InputError;
using simulation::BenchOptions;
using simulation::BenchResult;

template <class Value>
Value choice(const char* what, const std::string& name, const std::map<std::string, Value>& known) {
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  std::string names;
  for (const auto& [key, value] : known) names += (names.empty() ? "" : ", ") + key;
  throw UsageError(fmt::format("unknown {} `{}`; known are {}", what, name, names));
}

Eigen::Vector3d three_lengths(const std::string& text) {
  std::istringstream in(text);
  Eigen::Vector3d size;
  char comma[2] = {',', ','};
  in >> size[0] >> comma[0] >> size[1] >> comma[1] >> size[2];
  if (!in || !in.eof() || comma[0] != ',' || comma[1] != ',')
    throw UsageError(
        fmt::format("--box takes three lengths in m, such as 1,0.1,0.1; not `{}`", text));
  return size;
}

void declare(Options& options) {
  const auto text = [](const char* name, const char* fallback) {
    return po::value<std::string>()->value_name(name)->default_value(fallback);
  };
  options.add()("mesh", po::value<std::string>()->value_name("FILE"),
                "the body's mesh (.smesh or .msh); without it, a box is generated")(
      "mesh-units", text("UNIT", "m"), "unit of length of the mesh file")(
      "dofs", po::value<std::int64_t>()->value_name("N"),
      "unknowns of the box, constant for strong scaling (default 100000)")(
      "dofs-per-rank", po::value<std::int64_t>()->value_name("N"),
      "unknowns of the box per rank, for weak scaling")("box", text("X,Y,Z", "1,1,1"),
                                                        "lengths of the box, m")(
      "element", text("TYPE", "tet10"), "elements of the box: tet4, tet10, hex8 or hex20")(
      "formulation", text("NAME", "corotational"),
      "corotational, st_venant_kirchhoff or neo_hookean")(
      "solver", text("NAME", "iterative"),
      "solver of the linear systems that are timed separately: iterative (CG with GAMG) or direct (MUMPS); PETSc options with the prefix bench_ override it")(
      "no-steps", "skip the implicit steps")(
      "step", po::value<double>()->value_name("S")->default_value(1e-3), "time step, s")(
      "repeat", po::value<int>()->value_name("N")->default_value(3),
      "samples of each timing; medians are reported")(
      "output,o", po::value<std::string>()->value_name("FILE"),
      "append the result as a line of JSON, and print the table of all results in the file")(
      "table", po::value<std::string>()->value_name("FILE"),
      "only print the table of results in FILE");
}

BenchOptions bench_options(const Options& options) {
  BenchOptions bench;
  using elements::ElementType;
  using fem::SolidFormulation;
  using simulation::BenchSolver;
  if (options.has("mesh") && (options.has("dofs") || options.has("dofs-per-rank")))
    throw UsageError(
        "--dofs and --dofs-per-rank apply to the box: a --mesh has a fixed number of unknowns");
  if (options.has("dofs") && options.has("dofs-per-rank"))
    throw UsageError("give --dofs (strong scaling) or --dofs-per-rank (weak scaling), not both");
  const double metres = metres_per(options.text("mesh-units"));
  if (options.has("mesh")) {
    bench.mesh_file = options.text("mesh");
    bench.read_mesh = [file = bench.mesh_file, metres](MPI_Comm comm) {
      return formats::read_mesh(comm, file, metres);
    };
  }
  bench.element = choice<ElementType>("element", options.text("element"),
                                      {{"tet4", ElementType::tet4},
                                       {"tet10", ElementType::tet10},
                                       {"hex8", ElementType::hex8},
                                       {"hex20", ElementType::hex20}});
  bench.formulation =
      choice<SolidFormulation>("formulation", options.text("formulation"),
                               {{"corotational", SolidFormulation::corotational},
                                {"st_venant_kirchhoff", SolidFormulation::st_venant_kirchhoff},
                                {"neo_hookean", SolidFormulation::neo_hookean}});
  bench.solver =
      choice<BenchSolver>("solver", options.text("solver"),
                          {{"iterative", BenchSolver::iterative}, {"direct", BenchSolver::direct}});
  bench.box_size = three_lengths(options.text("box"));
  bench.with_steps = !options.has("no-steps");
  bench.repeat = options.value<int>("repeat");
  bench.step = options.value<double>("step");
  return bench;
}

std::vector<BenchResult> read_results(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw InputError(fmt::format("cannot read {}", file), "check the path");
  std::vector<BenchResult> results;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (!line.empty())
      results.push_back(simulation::parse_bench(line, fmt::format("{}:{}", file, number)));
  }
  return results;
}

/// With no text a trial, before hours of work whose result would have no place.
void append(const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::app);
  out << text << std::flush;
  if (!out) throw InputError(fmt::format("cannot write {}", file), "choose another with -o");
}

/// Rank 0 works; the others wait for its verdict.
void on_first_rank(const std::function<void()>& work) {
  base::run_together(PETSC_COMM_WORLD, [&] {
    if (base::rank(PETSC_COMM_WORLD) == 0) work();
  });
}

void print_table(const std::string& file) {
  std::cout << simulation::format_bench_table(read_results(file)) << std::flush;
}

void report(const BenchResult& result, const Options& options) {
  const std::string line = simulation::to_json_line(result);
  if (!options.has("output")) {
    std::cout << line << "\n" << simulation::format_bench_table({result}) << std::flush;
    return;
  }
  append(options.text("output"), line + "\n");
  print_table(options.text("output"));
}

}  // namespace

int bench_command(const Arguments& arguments) {
  static const std::map<std::string, int (*)(const Arguments&)> others = {
      {"friction", bench_friction_command},
      {"wheel_rail", bench_wheel_rail_command},
      {"vehicle", bench_vehicle_command}};
  if (!arguments.own.empty())
    if (const auto other = others.find(arguments.own[0]); other != others.end())
      return other->second({{arguments.own.begin() + 1, arguments.own.end()}, arguments.petsc});
  Options options(
      "solidyn bench [--mesh FILE | --dofs N | --dofs-per-rank N] [options] [-- PETSc options]",
      "Times the assembly of tangents, the solution of linear systems and whole implicit steps of one free body, checks the results, and prints the medians as JSON and as a table. With -o, runs on different numbers of ranks add up to a scaling table. `solidyn bench friction PROBLEM` times the methods for contacts with friction instead, `solidyn bench wheel_rail` a contact of wheel and rail, `solidyn bench vehicle MODEL` steps of a vehicle on its track.",
      "mpirun -n 2 solidyn bench --dofs 100000 -o scaling.jsonl");
  declare(options);
  if (!options.parse(arguments)) return kDone;
  BenchOptions bench = options.has("table") ? BenchOptions{} : bench_options(options);
  return run_with_petsc(arguments.petsc, [&] {
    if (options.has("table")) {
      on_first_rank([&] { print_table(options.text("table")); });
      return;
    }
    if (options.has("dofs")) bench.n_dofs = options.value<std::int64_t>("dofs");
    if (options.has("dofs-per-rank"))
      bench.n_dofs = options.value<std::int64_t>("dofs-per-rank") * base::size(PETSC_COMM_WORLD);
    if (options.has("output")) on_first_rank([&] { append(options.text("output"), ""); });
    const BenchResult result = simulation::run_bench(PETSC_COMM_WORLD, bench);
    on_first_rank([&] { report(result, options); });
    base::warn_of_unused_petsc_options();
  });
}

}  // namespace solidyn::drivers
