// solidyn run MODEL -o FOLDER: carries out the analyses of a model file.
//
//   mpirun -n 2 solidyn run examples/slider_crank/slider_crank.yaml -o out
#include "solidyn/simulation/run.h"

#include "command.h"
#include "model_option.h"
#include "solidyn/base/log.h"
#include "solidyn/base/petsc.h"

namespace solidyn::drivers {

namespace po = boost::program_options;

int run_command(const Arguments& arguments) {
  Options options(
      "solidyn run MODEL [-o FOLDER] [--set PATH=VALUE]... [--restart] [--quiet] [-- PETSc "
      "options]",
      "Carries out the analyses of a model file and writes summary.json, history.csv, "
      "fields.xdmf, checkpoint.h5 and log.txt into a folder. A wrong model touches no "
      "folder.\nExit status: 0 done, 1 the run failed, 2 the input is wrong.",
      "mpirun -n 2 solidyn run examples/slider_crank/slider_crank.yaml -o out");
  add_model_options(options);
  options.add()("output,o", po::value<std::string>()->default_value("out"),
                "folder for the results; files of an earlier run in it are replaced")(
      "restart", "go on from the last checkpoint in the folder")("quiet,q", "print errors only");
  if (!options.parse(arguments)) return kDone;
  const simulation::RunOptions run{options.text("output"), options.has("restart")};
  if (options.has("quiet")) base::set_log_level(base::LogLevel::error);
  return run_with_petsc(arguments.petsc, [&] {
    simulation::run(PETSC_COMM_WORLD, load_model(options, arguments), run);
  });
}

}  // namespace solidyn::drivers
