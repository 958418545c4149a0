#include "model_option.h"

#include <petsc.h>

#include "solidyn/base/log.h"
#include "solidyn/base/petsc.h"
#include "solidyn/model/load.h"

namespace solidyn::drivers {

namespace po = boost::program_options;

void add_model_options(Options& options) {
  options.add_positional("MODEL", "the model file");
  options.add()(
      "set", po::value<std::vector<std::string>>()->value_name("PATH=VALUE"),
      "change a value of the model before it is checked, for example --set bodies.rod.type=floating_frame; may be repeated");
}

model::ModelDescription load_model(const Options& options, const Arguments& arguments,
                                   model::Purpose purpose) {
  model::ModelDescription model =
      model::load_model(PETSC_COMM_WORLD, options.text("MODEL"), options.texts("set"), purpose);
  model::log_warnings(model);
  base::insert_petsc_options(model.solver.petsc_options, arguments.petsc);
  return model;
}

}  // namespace solidyn::drivers
