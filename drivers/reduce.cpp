// solidyn reduce MODEL --body NAME -o FILE.sbody: reduces one flexible body of a model file.
//
//   solidyn reduce examples/slider_crank/slider_crank.yaml --body rod -o rod.sbody
#include <fmt/format.h>
#include <petsc.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "command.h"
#include "model_option.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"
#include "solidyn/model/build.h"
#include "solidyn/model/reduce_body.h"
#include "solidyn/reduction/modal_table.h"

namespace solidyn::drivers {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;
using base::InputError;

// Collective. Found out before the reduction, which may take long. Only an earlier reduced body is
// replaced.
void check_target(const std::string& file) {
  base::run_together(PETSC_COMM_WORLD, [&] {
    if (base::rank(PETSC_COMM_WORLD) > 0) return;
    const fs::path folder = fs::absolute(file).parent_path();
    if (!fs::is_directory(folder))
      throw InputError(fmt::format("the folder of {} does not exist", file),
                       "create it, or choose another file with -o");
    if (fs::exists(file) && !reduction::is_sbody(file))
      throw InputError(fmt::format("{} exists and is not a reduced body", file),
                       "move it away, or choose another file with -o");
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
      throw InputError(fmt::format("cannot write {}: {}", file, std::strerror(errno)),
                       "check the permissions of its folder, or choose another file with -o");
  });
}

std::string report(const model::BodyReduction& reduction, const std::string& file) {
  const reduction::ReductionTimings& t = reduction.timings;
  std::string text = reduction::format_modal_table(*reduction.body) +
                     reduction::format_quality(*reduction.body, t.check ? &*t.check : nullptr);
  if (t.is_from_cache)
    text += fmt::format("read from the cache in {:.3g} s\n", t.total);
  else if (t.assembly + t.factorisation == 0.0)
    text += fmt::format("made from the imported modes in {:.3g} s\n", t.total);
  else
    text += fmt::format(
        "seconds: assembly {:.3g}, counting {:.3g}, factorisation {:.3g}, eigensolve {:.3g}, static correction {:.3g}, projection {:.3g}, total {:.3g}\n",
        t.assembly, t.counting, t.factorisation, t.eigensolve, t.static_correction, t.projection,
        t.total);
  return text + fmt::format("written to {}, {:.3g} MB\n", file,
                            1e-6 * static_cast<double>(fs::file_size(file)));
}

}  // namespace

int reduce_command(const Arguments& arguments) {
  Options options(
      "solidyn reduce MODEL --body NAME -o FILE.sbody [--set PATH=VALUE]... [-- PETSc options]",
      "Reduces one body (type: modal or superelement) of a model file to its modes, as a run does, and writes it to a file that models reference as `reduced_body:` instead of `mesh`, `material` and `modes`. Prints the modes and the times of the steps.",
      "solidyn reduce examples/slider_crank/slider_crank.yaml --body rod -o rod.sbody");
  add_model_options(options);
  options.add()("body", po::value<std::string>()->value_name("NAME"), "the body to reduce")(
      "output,o", po::value<std::string>()->value_name("FILE"),
      "the file to write; an existing reduced body is overwritten")(
      "single-precision",
      "store the mode shapes, which only field output needs, in single precision")(
      "skin", "store only the elements with an outer face, for field output")(
      "check",
      "compare with the full mesh: frequencies, static deflections, mass; about doubles the time");
  if (!options.parse(arguments)) return kDone;
  for (const char* needed : {"body", "output"})
    if (!options.has(needed)) throw UsageError(fmt::format("--{} is missing", needed));
  const std::string file = options.text("output");
  if (fs::path(file).extension() != ".sbody")
    throw UsageError(fmt::format("the file extension of `{}` is not .sbody", file));
  reduction::SbodyContent content;
  if (options.has("single-precision")) content.precision = reduction::FieldPrecision::single;
  if (options.has("skin")) content.geometry = reduction::Geometry::skin;
  return run_with_petsc(arguments.petsc, [&] {
    const model::ModelDescription model = load_model(options, arguments, model::Purpose::reduce);
    const model::BodyEntry& body = model::find_reducible_body(model, options.text("body"));
    check_target(file);
    const model::BodyReduction reduction = model::reduce_body(
        PETSC_COMM_WORLD, model, body, model::default_cache_folder(),
        options.has("check") ? reduction::Check::against_mesh : reduction::Check::none);
    reduction::write_sbody(file, *reduction.body, reduction.provenance, content);
    const std::string text = report(reduction, file);
    if (base::rank(PETSC_COMM_WORLD) == 0) std::cout << text << std::flush;
    base::warn_of_unused_petsc_options();
  });
}

}  // namespace solidyn::drivers
