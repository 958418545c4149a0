// solidyn bench: times assembly, solution and whole implicit steps on the ranks it is started on.
//
//   mpirun -n 2 solidyn bench --dofs 100000 -o scaling.jsonl
#include "solidyn/simulation/bench.h"

#include <petsc.h>

#include <iostream>
#include <map>

#include "bench_body.h"
#include "bench_friction.h"
#include "bench_railway.h"
#include "bench_scaling.h"
#include "command.h"
#include "solidyn/base/petsc.h"

namespace solidyn::drivers {
namespace {

namespace po = boost::program_options;
using simulation::BenchOptions;
using simulation::BenchResult;

void declare(Options& options) {
  declare_bench_body(options);
  options.add()(
      "solver", po::value<std::string>()->value_name("NAME")->default_value("iterative"),
      "solver of the linear systems that are timed separately: iterative (CG with GAMG) or direct (MUMPS); PETSc options with the prefix bench_ override it")(
      "no-steps", "skip the implicit steps")("table", po::value<std::string>()->value_name("FILE"),
                                             "only print the table of results in FILE");
}

BenchOptions bench_options(const Options& options) {
  using simulation::BenchSolver;
  BenchOptions bench = bench_body(options);
  bench.solver =
      choice<BenchSolver>("solver", options.text("solver"),
                          {{"iterative", BenchSolver::iterative}, {"direct", BenchSolver::direct}});
  bench.with_steps = !options.has("no-steps");
  return bench;
}

void print_table(const std::string& file) {
  std::cout << simulation::format_bench_table(read_lines(file, simulation::parse_bench))
            << std::flush;
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
      {"scaling", bench_scaling_command},
      {"wheel_rail", bench_wheel_rail_command},
      {"vehicle", bench_vehicle_command}};
  if (!arguments.own.empty())
    if (const auto other = others.find(arguments.own[0]); other != others.end())
      return other->second({{arguments.own.begin() + 1, arguments.own.end()}, arguments.petsc});
  Options options(
      "solidyn bench [--mesh FILE | --dofs N | --dofs-per-rank N] [options] [-- PETSc options]",
      "Times the assembly of tangents, the solution of linear systems and whole implicit steps of one free body, checks the results, and prints the medians as JSON and as a table. With -o, runs on different numbers of ranks add up to a scaling table. `solidyn bench scaling` fits a model of the time of a step to such lines, and predicts thousands of ranks; `solidyn bench friction PROBLEM` times the methods for contacts with friction instead, `solidyn bench wheel_rail` a contact of wheel and rail, `solidyn bench vehicle MODEL` steps of a vehicle on its track.",
      "mpirun -n 2 solidyn bench --dofs 100000 -o scaling.jsonl");
  declare(options);
  if (!options.parse(arguments)) return kDone;
  BenchOptions bench = options.has("table") ? BenchOptions{} : bench_options(options);
  return run_with_petsc(arguments.petsc, [&] {
    if (options.has("table")) {
      on_first_rank([&] { print_table(options.text("table")); });
      return;
    }
    size_bench_body(options, bench);
    if (options.has("output")) on_first_rank([&] { append(options.text("output"), ""); });
    const BenchResult result = simulation::run_bench(PETSC_COMM_WORLD, bench);
    on_first_rank([&] { report(result, options); });
    base::warn_of_unused_petsc_options();
  });
}

}  // namespace solidyn::drivers
