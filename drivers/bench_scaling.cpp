// solidyn bench scaling: counts and times of the parts of a step, and what they will be on more
// ranks.
//
//   mpirun -n 2 solidyn bench scaling --dofs 100000 -o scaling.jsonl
#include "bench_scaling.h"

#include <petsc.h>

#include <iostream>
#include <sstream>

#include "bench_body.h"
#include "solidyn/base/error.h"
#include "solidyn/base/petsc.h"
#include "solidyn/simulation/scaling_model.h"

namespace solidyn::drivers {
namespace {

namespace po = boost::program_options;
using simulation::ScalingReportOptions;
using simulation::ScalingResult;

std::vector<int> rank_counts(const std::string& text) {
  std::vector<int> counts;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, ',');) {
    std::size_t used = 0;
    int n = 0;
    try {
      n = std::stoi(word, &used);
    } catch (const std::exception&) {
      used = 0;
    }
    if (used == 0 || used != word.size() || n < 1)
      throw UsageError(
          fmt::format("--ranks takes numbers of ranks, such as 64,1000,10000; not `{}`", text));
    counts.push_back(n);
  }
  return counts;
}

std::optional<double> positive(const Options& options, const char* name, double unit) {
  if (!options.has(name)) return std::nullopt;
  const double value = options.value<double>(name);
  if (!(value > 0.0)) throw UsageError(fmt::format("--{} is {:g}: give more than 0", name, value));
  return unit * value;
}

void declare_scaling(Options& options) {
  declare_bench_body(options);
  const auto number = [](const char* name) { return po::value<double>()->value_name(name); };
  options.add()("table", po::value<std::string>()->value_name("FILE"),
                "only print what the lines of FILE say")(
      "fit-ranks", po::value<int>()->value_name("N")->default_value(2),
      "the model is fitted on lines of up to this many ranks, and compared with the others")(
      "ranks", po::value<std::string>()->value_name("N,N,...")->default_value("64,1000,10000"),
      "ranks to predict")("large-dofs", number("N")->default_value(1e9, "1e9"),
                          "unknowns of a large body to predict")(
      "latency", number("US"), "of the network to predict, microseconds of a message")(
      "bandwidth", number("GB/S"), "of that network, for each rank")(
      "reduction", number("US"),
      "of that network, microseconds of a sum for each doubling of ranks")(
      "json", "print the model and its predictions as JSON");
}

ScalingReportOptions report_options(const Options& options) {
  ScalingReportOptions report;
  report.fit_ranks = options.value<int>("fit-ranks");
  report.ranks = rank_counts(options.text("ranks"));
  report.n_dofs = *positive(options, "large-dofs", 1.0);
  report.network = {positive(options, "latency", 1e-6), positive(options, "bandwidth", 1e9),
                    positive(options, "reduction", 1e-6)};
  return report;
}

bool has_two_ranks(const std::vector<ScalingResult>& lines, int fit_ranks) {
  for (const ScalingResult& r : lines)
    if (r.ranks > 1 && r.ranks <= fit_ranks) return true;
  return false;
}

// A file's first lines may be of one rank, or of many: no model yet, but no mistake.
void print_report(const std::vector<ScalingResult>& lines, const Options& options,
                  const ScalingReportOptions& report) {
  if (!options.has("table") && !has_two_ranks(lines, report.fit_ranks)) {
    std::cout << simulation::format_measured(lines)
              << fmt::format(
                     "No model yet: it needs a line of at least two ranks, and of at most {} "
                     "(--fit-ranks)\n",
                     report.fit_ranks);
    return;
  }
  std::cout << (options.has("json") ? simulation::scaling_json(lines, report)
                                    : simulation::format_scaling(lines, report))
            << std::flush;
}

void report(const ScalingResult& result, const Options& options, const ScalingReportOptions& how) {
  const std::string line = simulation::to_json_line(result) + "\n";
  if (!options.has("output")) {
    std::cout << line;
    return print_report({result}, options, how);
  }
  append(options.text("output"), line);
  print_report(read_lines(options.text("output"), simulation::parse_scaling), options, how);
}

}  // namespace

int bench_scaling_command(const Arguments& arguments) {
  Options options(
      "solidyn bench scaling [--mesh FILE | --dofs N | --dofs-per-rank N] [options] [-- PETSc options]",
      "Counts messages, bytes and sums of implicit steps of one free body with conjugate gradients, times their parts, and measures memory and messages of the machine. Lines of a file (-o) on one and two ranks or more make a model of the time of a step, which is compared with lines of more ranks, and predicts thousands.",
      "mpirun -n 2 solidyn bench scaling --dofs 100000 -o scaling.jsonl");
  declare_scaling(options);
  if (!options.parse(arguments)) return kDone;
  simulation::BenchOptions bench =
      options.has("table") ? simulation::BenchOptions{} : bench_body(options);
  const ScalingReportOptions how = report_options(options);
  return run_with_petsc(arguments.petsc, [&] {
    if (options.has("table")) {
      on_first_rank([&] {
        print_report(read_lines(options.text("table"), simulation::parse_scaling), options, how);
      });
      return;
    }
    size_bench_body(options, bench);
    if (options.has("output")) on_first_rank([&] { append(options.text("output"), ""); });
    const ScalingResult result = simulation::run_scaling_bench(PETSC_COMM_WORLD, bench);
    on_first_rank([&] { report(result, options, how); });
    base::warn_of_unused_petsc_options();
  });
}

}  // namespace solidyn::drivers
