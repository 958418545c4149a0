// solidyn info FILE: what is in a mesh file.
//
//   solidyn info meshes/rod_circular.msh
#include <fmt/format.h>
#include <petsc.h>

#include <iostream>

#include "command.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/formats/gmsh.h"
#include "solidyn/mesh/report.h"
#include "solidyn/model/units.h"

namespace solidyn::drivers {
namespace {

namespace po = boost::program_options;

double scale_of(const std::string& unit) {
  if (const std::optional<double> metres = model::find_length_unit(unit)) return *metres;
  throw UsageError(
      fmt::format("unknown unit of length `{}`; known are m, dm, cm, mm, um, in, ft", unit));
}

}  // namespace

int info_command(const Arguments& arguments) {
  Options options(
      "solidyn info FILE [--mesh-units UNIT]",
      "Prints what is in a mesh file (Gmsh): nodes, elements, sets, bounding box, volume, "
      "element quality.",
      "solidyn info meshes/rod_circular.msh");
  options.add_positional("FILE", "the mesh file");
  options.add()("mesh-units", po::value<std::string>()->value_name("UNIT")->default_value("m"),
                "unit of length in the file");
  if (!options.parse(arguments)) return kDone;
  const double scale = scale_of(options.text("mesh-units"));
  return run_with_petsc(arguments.petsc, [&] {
    base::run_together(PETSC_COMM_WORLD, [&] {
      if (base::rank(PETSC_COMM_WORLD) > 0) return;
      const mesh::Mesh mesh = formats::read_gmsh(options.text("FILE"), scale);
      std::cout << mesh::format(mesh::make_report(mesh)) << std::flush;
    });
  });
}

}  // namespace solidyn::drivers
