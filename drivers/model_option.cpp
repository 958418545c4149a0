#include "model_option.h"

#include <fmt/format.h>
#include <petsc.h>

#include "solidyn/base/log.h"
#include "solidyn/base/petsc.h"
#include "solidyn/model/load.h"

namespace solidyn::drivers {

namespace po = boost::program_options;

namespace {

/// The log says "warning" itself.
std::string located(const base::Diagnostic& warning) {
  const std::string where =
      warning.where.line > 0
          ? fmt::format("{}:{}:{}", warning.where.file, warning.where.line, warning.where.column)
          : warning.where.file;
  const std::string remedy = warning.remedy.empty() ? "" : "\n  " + warning.remedy;
  return fmt::format("{}: {}{}", where, warning.what, remedy);
}

}  // namespace

void add_model_options(Options& options) {
  options.add_positional("MODEL", "the model file");
  options.add()("set", po::value<std::vector<std::string>>()->value_name("PATH=VALUE"),
                "change a value of the model before it is checked, for example "
                "--set bodies.rod.type=floating_frame; can be given several times");
}

model::ModelDescription load_model(const Options& options, const Arguments& arguments) {
  model::ModelDescription model =
      model::load_model(PETSC_COMM_WORLD, options.text("MODEL"), options.texts("set"));
  for (const base::Diagnostic& warning : model.warnings) base::log_warning("{}", located(warning));
  base::insert_petsc_options(model.solver.petsc_options, arguments.petsc);
  return model;
}

}  // namespace solidyn::drivers
