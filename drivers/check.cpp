// solidyn check MODEL: reads a model file, reports everything that is wrong, prints what it says.
//
//   solidyn check examples/slider_crank/slider_crank.yaml
#include <petsc.h>

#include <iostream>

#include "command.h"
#include "model_option.h"
#include "solidyn/base/mpi.h"
#include "solidyn/model/summary.h"
#include "solidyn/simulation/run.h"

namespace solidyn::drivers {

int check_command(const Arguments& arguments) {
  Options options(
      "solidyn check MODEL [--set PATH=VALUE]...",
      "Reads a model file, reports all errors in it (file, line, remedy), and prints a summary of the model.",
      "solidyn check examples/slider_crank/slider_crank.yaml");
  add_model_options(options);
  if (!options.parse(arguments)) return kDone;
  return run_with_petsc(arguments.petsc, [&] {
    const model::ModelDescription model = load_model(options, arguments);
    const std::string text = model::summary(model) + simulation::check(PETSC_COMM_WORLD, model);
    if (base::rank(PETSC_COMM_WORLD) == 0) std::cout << text << std::flush;
  });
}

}  // namespace solidyn::drivers
