// solidyn bench friction: the methods for contacts with friction on a problem in FCLIB's format.
//
//   solidyn bench friction tests/data/friction/Box_Stacks-i0122-82-5.hdf5
#include "bench_friction.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "command.h"
#include "friction_file.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"
#include "solidyn/formats/fclib/friction_problem.h"
#include "solidyn/simulation/friction_bench.h"
#include "solidyn/solvers/friction/delassus.h"

namespace solidyn::drivers {
namespace {

namespace po = boost::program_options;
using formats::FclibProblem;
using simulation::FrictionBenchOptions;
using simulation::FrictionBenchRow;
using solvers::friction::CondensedProblem;
using solvers::friction::ContactBlocks;
using solvers::friction::ContactLaw;
using solvers::friction::Method;
using solvers::friction::Problem;

constexpr Method kMethods[] = {Method::automatic,      Method::gauss_seidel,       Method::newton,
                               Method::interior_point, Method::projected_gradient, Method::convex};

void declare_friction(Options& options) {
  options.add_positional("problem", "a friction-contact problem in FCLIB's HDF5 format");
  options.add()(
      "method", po::value<std::string>()->value_name("NAME")->default_value("all"),
      "automatic, gauss_seidel, newton, interior_point, projected_gradient, convex or all of them")(
      "tolerance", po::value<double>()->value_name("X")->default_value(1e-8),
      "of the error: natural map in m/s over the norm of q")(
      "max-iterations", po::value<int>()->value_name("N")->default_value(0),
      "of each method; 0: its own limit")("repeat",
                                          po::value<int>()->value_name("N")->default_value(5),
                                          "samples of each timing, of which medians are reported")(
      "warm", "start from the forces in the file (group `solution` or `guesses`)")(
      "output,o", po::value<std::string>()->value_name("FILE"),
      "write the problem as u = W r + q with the forces of the first method, in FCLIB's format");
}

std::vector<Method> chosen_methods(const std::string& word) {
  std::vector<Method> methods;
  std::string names;
  for (const Method method : kMethods) {
    if (word == "all" || word == name(method)) methods.push_back(method);
    names += fmt::format("{}, ", name(method));
  }
  if (methods.empty())
    throw UsageError(fmt::format("unknown method `{}`; known are {}all", word, names));
  return methods;
}

CondensedProblem as_local(const FclibProblem& problem) {
  if (!problem.is_global) return {ContactBlocks::from_sparse(problem.W), problem.q};
  return solvers::friction::condense(problem.M, problem.H, problem.f, problem.w);
}

void write_problem(const Options& options, const FclibProblem& file, const CondensedProblem& local,
                   const Eigen::VectorXd& r) {
  FclibProblem out;
  out.W = sparse_of(local.W);
  out.q = local.q;
  out.mu = file.mu;
  out.r = r;
  out.title = file.title;
  out.description = file.description;
  formats::write_fclib(options.text("output"), out);
}

/// @throws base::ComputationError when no method has found what it was asked for
void refuse_failure(const Problem& problem, const FrictionBenchOptions& bench,
                    const std::vector<FrictionBenchRow>& rows) {
  const FrictionBenchRow* failed = nullptr;
  for (const FrictionBenchRow& row : rows) {
    if (row.refused.empty() && row.result.has_converged) return;
    if (row.refused.empty() && !failed) failed = &row;
  }
  if (!failed) throw base::InputError(rows.front().refused, "choose another --method");
  throw base::ComputationError(failure_message(
      problem, {failed->method, bench.tolerance, bench.max_iterations}, failed->result));
}

void bench_problem(const Options& options, const FrictionBenchOptions& bench) {
  FclibProblem file = formats::read_fclib(options.text("problem"));
  const CondensedProblem local = as_local(file);
  Problem problem;
  problem.W = &local.W;
  problem.q = local.q;
  for (Eigen::Index i = 0; i < file.mu.size(); ++i)
    problem.laws.push_back({ContactLaw::Type::coulomb, file.mu[i]});
  if (options.has("warm") && file.r.size() == 0)
    throw base::InputError(
        fmt::format("{} has no forces to start from", options.text("problem")),
        "leave out --warm: its groups `solution` and `guesses` are missing or zero");
  const auto rows = simulation::run_friction_bench(
      problem, bench, options.has("warm") ? file.r : Eigen::VectorXd());
  std::cout << simulation::describe(problem) << format_friction_table(problem, bench, rows)
            << std::flush;
  if (options.has("output")) write_problem(options, file, local, rows.front().result.r);
  refuse_failure(problem, bench, rows);
}

}  // namespace

int bench_friction_command(const Arguments& arguments) {
  Options options(
      "solidyn bench friction PROBLEM [options]",
      "Solves a problem of contacts with dry friction (FCLIB's HDF5 format, local or global) by each method and prints a table: processor time, iterations, error, norm of the relative velocities u, and how many contacts are open, stick and slip. What did not converge is said below the table; the exit status is 1 if no method did.",
      "solidyn bench friction tests/data/friction/Capsules-i125-1213.hdf5 --method gauss_seidel");
  declare_friction(options);
  if (!options.parse(arguments)) return kDone;
  FrictionBenchOptions bench;
  bench.methods = chosen_methods(options.text("method"));
  bench.tolerance = options.value<double>("tolerance");
  bench.max_iterations = options.value<int>("max-iterations");
  bench.repeat = options.value<int>("repeat");
  return run_with_petsc(arguments.petsc, [&] {
    base::run_together(PETSC_COMM_WORLD, [&] {
      if (base::rank(PETSC_COMM_WORLD) == 0) bench_problem(options, bench);
    });
  });
}

}  // namespace solidyn::drivers
