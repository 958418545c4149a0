// solidyn report FOLDER...: one HTML file that shows what runs did.
//
//   solidyn report out -o out/report.html
#include "solidyn/report/report.h"

#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "command.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"
#include "solidyn/results/output_folder.h"

namespace solidyn::drivers {

namespace po = boost::program_options;

int report_command(const Arguments& arguments) {
  Options options(
      "solidyn report FOLDER... [-o FILE] [--tolerance METRES]",
      "Writes one HTML file that shows runs: their motion in 3D, curves and tables. Any browser opens it, without a network and without Solidyn. A run may be going on, or have failed.",
      "solidyn report out\n  solidyn report out_a out_b -o compared.html");
  options.add()("output,o", po::value<std::string>(),
                "the file; by default report.html in the first folder")(
      "tolerance", po::value<double>()->default_value(0.0),
      "how far drawn positions may be off, m; 0: 1/2000 of the mechanism's size");
  options.add_list("FOLDER", "output folders of runs");
  if (!options.parse(arguments)) return kDone;
  report::ReportOptions wanted;
  wanted.folders = options.texts("FOLDER");
  wanted.output =
      options.has("output") ? options.text("output") : results::report_in(wanted.folders.front());
  wanted.tolerance = options.value<double>("tolerance");
  if (!(wanted.tolerance >= 0.0 && std::isfinite(wanted.tolerance)))
    throw UsageError("--tolerance takes a length in m, not negative");
  return run_with_petsc(arguments.petsc, [&] {
    base::run_together(PETSC_COMM_WORLD, [&] {
      if (base::rank(PETSC_COMM_WORLD) != 0) return;
      const report::WrittenReport written = report::write_report(wanted);
      std::cout << fmt::format("{}: {:.2f} MB, {} pictures, positions true to {:.2g} m\n",
                               wanted.output, 1e-6 * static_cast<double>(written.n_bytes),
                               written.n_pictures, written.tolerance);
    });
  });
}

}  // namespace solidyn::drivers
