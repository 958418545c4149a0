// solidyn run MODEL -o FOLDER: carries out the analyses of a model file.
//
//   mpirun -n 2 solidyn run examples/slider_crank/slider_crank.yaml -o out
#include "solidyn/simulation/run.h"

#include <fmt/format.h>

#include "command.h"
#include "friction_file.h"
#include "model_option.h"
#include "solidyn/base/log.h"
#include "solidyn/base/petsc.h"
#include "solidyn/model/load.h"
#include "solidyn/simulation/sweep.h"

namespace solidyn::drivers {

namespace po = boost::program_options;

namespace {

// --sweep would silently overrule --set of the same value, or of a table that holds it.
void refuse_both(const std::vector<simulation::SweepParameter>& parameters,
                 const std::vector<std::string>& overrides) {
  for (const std::string& text : overrides)
    for (const simulation::SweepParameter& parameter : parameters) {
      const std::string set = text.substr(0, text.find('=')) + ".", swept = parameter.path + ".";
      if (set.rfind(swept, 0) == 0 || swept.rfind(set, 0) == 0)
        throw base::InputError(
            fmt::format("--set {} and --sweep {} give the same value", text, parameter.path),
            "remove one of the two");
    }
}

results::RunStatus run_sweep(const Options& options, const Arguments& arguments) {
  std::vector<simulation::SweepParameter> parameters;
  for (const std::string& text : options.texts("sweep"))
    parameters.push_back(simulation::parse_sweep_parameter(text));
  refuse_both(parameters, options.texts("set"));
  const auto load = [&](const simulation::SweepPoint& point) {
    std::vector<std::string> overrides = options.texts("set");
    for (std::string& text : point.overrides(parameters)) overrides.push_back(std::move(text));
    try {
      return model::load_model(options.text("MODEL"), overrides);
    } catch (const base::InputError& e) {
      std::vector<base::Diagnostic> diagnostics = e.diagnostics();
      for (base::Diagnostic& d : diagnostics)
        d.what += fmt::format(" (at {})", point.shown(parameters));
      throw base::InputError(std::move(diagnostics));
    }
  };
  const simulation::SweepPoint first = simulation::sweep_points(parameters).front();
  base::insert_petsc_options(load(first).solver.petsc_options, arguments.petsc);
  return simulation::sweep(PETSC_COMM_WORLD, parameters, load,
                           {options.text("output"), options.value<int>("ranks-per-run"),
                            options.has("quiet"), options.has("all-ranks"), write_contacts});
}

}  // namespace

int run_command(const Arguments& arguments) {
  Options options(
      "solidyn run MODEL [-o FOLDER] [--set PATH=VALUE]... [--sweep PATH=VALUES]... [--restart] [--report] [--quiet] [-- PETSc options]",
      "Runs the analyses of a model file and writes summary.json, history.csv, fields.xdmf, checkpoint.h5 and log.txt into a folder. With a wrong model file no folder is touched.\nExit status: 0 done, 1 the run failed, 2 the input is wrong, 3 the run finished and wrote its results, but they are doubtful: energies do not balance, or the first step failed (`doubts` in summary.json).",
      "mpirun -n 2 solidyn run examples/slider_crank/slider_crank.yaml -o out\n  mpirun -n 4 solidyn run examples/press/press.yaml -o sweep --sweep bodies.rod.mass=0.5:2:7");
  add_model_options(options);
  options.add()("output,o", po::value<std::string>()->default_value("out"),
                "folder for the results; files of an earlier run are replaced")(
      "sweep", po::value<std::vector<std::string>>()->value_name("PATH=VALUES"),
      "one run for each value: 1,2,4 (a list), 1:2:5 (five from 1 to 2) or log:1:100:3; several --sweep options give all combinations. Runs are distributed over the ranks; FOLDER/sweep.csv has a row for each run")(
      "ranks-per-run", po::value<int>()->default_value(1), "with --sweep: number of ranks per run")(
      "all-ranks", "use all ranks even for meshes so small that this takes longer")(
      "restart", "continue from the last checkpoint in the folder")(
      "report", "write report.html into the folder at the end (solidyn report)")(
      "quiet,q", "print errors only");
  if (!options.parse(arguments)) return kDone;
  const simulation::RunOptions run{options.text("output"),
                                   options.has("restart"),
                                   options.has("report"),
                                   options.has("all-ranks"),
                                   {},
                                   {},
                                   write_contacts};
  if (options.has("quiet")) base::set_log_level(base::LogLevel::error);
  if (options.has("sweep") && run.restart)
    throw UsageError("--restart and --sweep cannot be combined: restart single runs of a sweep");
  if (options.has("sweep") && run.report)
    throw UsageError("--report and --sweep cannot be combined: set output.report=true");
  if (!options.has("sweep") && options.value<int>("ranks-per-run") != 1)
    throw UsageError("--ranks-per-run requires --sweep");
  results::RunStatus status = results::RunStatus::done;
  const int left = run_with_petsc(arguments.petsc, [&] {
    status = options.has("sweep")
                 ? run_sweep(options, arguments)
                 : simulation::run(PETSC_COMM_WORLD, load_model(options, arguments), run);
  });
  return left == kDone && status == results::RunStatus::doubtful ? kDoubtful : left;
}

}  // namespace solidyn::drivers
